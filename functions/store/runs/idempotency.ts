// Idempotency keys: the run that a key has created, or the claim of the request that is about to create one.
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { sha256Hex } from '#platform/crypto.ts';
import { newNonce } from '#platform/ids.ts';
import { type Expiring, expiryOf, FREE_KEY, freeKeyValues } from '../table/expiry.ts';
import { getItem, table, tableName, takesEffect, type Write } from '../table/table.ts';
import { keys } from '../table/table-keys.ts';

/**
 * `run_id` is absent while the claiming request understands its query; the claim then expires at `claimed_until`.
 * `claimed_by` is the nonce of its write.
 */
const Claim = z.object({
  body_hash: z.string(),
  run_id: z.string().optional(),
  claimed_until: z.number().optional(),
  claimed_by: z.string().optional(),
});
export type Claim = z.infer<typeof Claim>;

export interface IdempotencyKey {
  workspace_id: string;
  endpoint: 'runs' | 'rerun-from' | 'monitors' | 'fires';
  key: string;
  /** Fingerprint of the request's body. */
  body_hash: string;
}

const keyOf = (key: IdempotencyKey) => keys.idempotency(key.workspace_id, key.endpoint, hashOf(key));

/** What the table knows of a key. */
export const hashOf = ({ key }: Pick<IdempotencyKey, 'key'>): string => sha256Hex(key);

/** Write that frees the key of a hash. */
export function freeWrite(workspaceId: string, endpoint: IdempotencyKey['endpoint'], hash: string): Write {
  return { Delete: { TableName: tableName(), Key: keys.idempotency(workspaceId, endpoint, hash) } };
}

/** The claim on the key, or undefined if it is free. */
export async function read(key: IdempotencyKey): Promise<Claim | undefined> {
  const item = await getItem(keyOf(key));
  return item && Claim.parse(item);
}

/** Write that binds the key to what it makes, a run or the like; fails if the key belongs to another request. */
export function claimWrite(key: IdempotencyKey, madeId: string, expiring: Expiring = {}): Write {
  const now = Date.now();
  return {
    Put: {
      TableName: tableName(),
      Item: { ...keyOf(key), body_hash: key.body_hash, run_id: madeId, ...expiring },
      ConditionExpression: `${FREE_KEY} OR (attribute_not_exists(run_id) AND (body_hash = :hash OR claimed_until < :now))`,
      ExpressionAttributeValues: { ':hash': key.body_hash, ':now': now, ...freeKeyValues(now) },
    },
  };
}

/** Claims the key before a query is understood, which costs money. False if it is taken. */
export async function claimUntil(key: IdempotencyKey, untilMs: number): Promise<boolean> {
  const claimed_by = newNonce();
  const now = Date.now();
  const claim = { body_hash: key.body_hash, claimed_until: untilMs, claimed_by };
  const put = new PutCommand({
    TableName: tableName(),
    Item: { ...keyOf(key), ...claim, ...expiryOf('claim', untilMs) },
    ConditionExpression: `${FREE_KEY} OR (attribute_not_exists(run_id) AND claimed_until < :now)`,
    ExpressionAttributeValues: { ':now': now, ...freeKeyValues(now) },
  });
  // An earlier try of this claim may have succeeded without a reply.
  return (await takesEffect(table.send(put))) || (await read(key))?.claimed_by === claimed_by;
}

/** Releases a claim that created no run, so that only created runs use up a key (rules.md: idempotency 5). */
export async function releaseClaim(key: IdempotencyKey): Promise<void> {
  const removal = new DeleteCommand({
    TableName: tableName(),
    Key: keyOf(key),
    ConditionExpression: 'attribute_not_exists(run_id)',
  });
  await takesEffect(table.send(removal));
}
