// Rebuilds of vectors: what is to be made again in a workspace, and how far that is.
import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { EmbeddingOf } from '#contract/embeddings.ts';
import type { DueItem } from '../table/due.ts';
import { getItem, table, tableName, takesEffect } from '../table/table.ts';
import { due, duePartition, keys } from '../table/table-keys.ts';

const Rebuild = z.object({
  model: z.string(),
  dimensions: z.number().optional(),
  /** The records up to this id have been looked at. */
  done_to: z.string().optional(),
  /** Absent: it is done. */
  due_at: z.number().optional(),
});
export type Rebuild = z.infer<typeof Rebuild>;

/** The last rebuild of a workspace, done or not. */
export async function getRebuild(workspaceId: string): Promise<Rebuild | undefined> {
  const item = await getItem(keys.vectors(workspaceId));
  return item && Rebuild.parse(item);
}

/**
 * Asks for vectors of this embedding, from the first record on. Does nothing while a rebuild for it is under way, so
 * that every search may ask.
 */
export async function requestRebuild(workspaceId: string, { model, dimensions }: EmbeddingOf): Promise<void> {
  const isOther =
    dimensions === undefined
      ? 'model <> :model'
      : '(model <> :model OR attribute_not_exists(dimensions) OR dimensions <> :dimensions)';
  await takesEffect(
    table.send(
      new UpdateCommand({
        TableName: tableName(),
        Key: keys.vectors(workspaceId),
        UpdateExpression: `SET model = :model, due_pk = :due_pk, due_at = :now${
          dimensions === undefined
            ? ' REMOVE dimensions, done_to'
            : ', dimensions = :dimensions REMOVE done_to'
        }`,
        ConditionExpression: `attribute_not_exists(due_pk) OR ${isOther}`,
        ExpressionAttributeValues: {
          ':model': model,
          ':due_pk': duePartition(due.vectors, workspaceId),
          ':now': Date.now(),
          ...(dimensions !== undefined && { ':dimensions': dimensions }),
        },
      }),
    ),
  );
}

/** Remembers that the records up to an id are done. False if another rebuild has been asked for since. */
export function advanceRebuild({ pk, sk, due_at }: DueItem, id: string): Promise<boolean> {
  return takesEffect(
    table.send(
      new UpdateCommand({
        TableName: tableName(),
        Key: { pk, sk },
        UpdateExpression: 'SET done_to = :id',
        ConditionExpression: 'due_at = :seen',
        ExpressionAttributeValues: { ':id': id, ':seen': due_at },
      }),
    ),
  );
}

/** The model for which all workspaces were last asked to make their vectors; undefined: none yet. */
export async function lastEmbedding(): Promise<string | undefined> {
  const item = await getItem(keys.embedding);
  return item && String(item.model);
}

export async function rememberEmbedding(model: string): Promise<void> {
  await table.send(new PutCommand({ TableName: tableName(), Item: { ...keys.embedding, model } }));
}
