// The open streams of each key: an item for each, which expires when the stream must have ended.
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { newId } from '#platform/ids.ts';
import { type Key, queryAll, table, tableName } from '../table/table.ts';
import { keys } from '../table/table-keys.ts';

/** An open stream, and how many its key has with it. */
export interface OpenStream {
  key: Key;
  open: number;
}

/**
 * Adds a stream that ends at `untilMs` at the latest. A process that dies before it removes the item leaves it to its
 * expiry. Two that are added at once each count the other.
 */
export async function add(workspaceId: string, keyId: string, untilMs: number): Promise<OpenStream> {
  const key = keys.openStream(workspaceId, keyId, newId());
  const Item = { ...key, expires_at_seconds: Math.ceil(untilMs / 1000) };
  await table.send(new PutCommand({ TableName: tableName(), Item }));
  return { key, open: (await queryAll(key.pk, '', 'sk')).length };
}

/** Removes a stream that has ended. */
export async function remove({ key }: OpenStream): Promise<void> {
  await table.send(new DeleteCommand({ TableName: tableName(), Key: key }));
}
