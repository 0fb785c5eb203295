// Idempotency keys: the run that a key has created, or the claim of the request that is about to create one.
import { DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { sha256Hex } from '#platform/crypto.ts';
import { newNonce } from '#platform/ids.ts';
import { type Expiring, expiryOf, FREE_KEY, freeKeyValues } from '../table/expiry.ts';
import { getItem, table, tableName, takesEffect, transact, type Write } from '../table/table.ts';
import { keys } from '../table/table-keys.ts';

/**
 * `run_id` is absent while the claiming request understands its query; the claim then expires at `claimed_until`.
 * `claimed_by` is the nonce of its write. A key whose run was deleted has only a `salt`.
 */
const Claim = z.object({
  body_hash: z.string().optional(),
  run_id: z.string().optional(),
  claimed_until: z.number().optional(),
  claimed_by: z.string().optional(),
  salt: z.string().optional(),
});
export type Claim = z.infer<typeof Claim>;

export interface IdempotencyKey {
  workspace_id: string;
  endpoint: 'runs' | 'rerun-from' | 'monitors' | 'fires';
  key: string;
  /** Fingerprint of the request's body. */
  body_hash: string;
  /**
   * Distinguishes the key from its earlier use, whose run was deleted: the id of the next run, the names of its
   * executions and its events must be new.
   */
  salt?: string | undefined;
}

const keyOf = (key: IdempotencyKey) => keys.idempotency(key.workspace_id, key.endpoint, sha256Hex(key.key));

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
      ConditionExpression: `${FREE_KEY} OR (${sameUse(key)} AND (body_hash = :hash OR claimed_until < :now))`,
      ExpressionAttributeValues: {
        ':hash': key.body_hash,
        ':now': now,
        ...saltValue(key),
        ...freeKeyValues(now),
      },
    },
  };
}

/** Condition for a key without a run that was not used since it was read. */
const sameUse = ({ salt }: IdempotencyKey) =>
  `attribute_not_exists(run_id) AND ${salt === undefined ? 'attribute_not_exists(salt)' : 'salt = :salt'}`;
const saltValue = ({ salt }: IdempotencyKey) => (salt === undefined ? {} : { ':salt': salt });

/** A free key whose last run was deleted. Without `claimed_until` it would look like a claim in progress. */
const freed = (salt: string) => ({ salt, claimed_until: 0, ...expiryOf('freed_key', Date.now()) });

/** The name of a key's item within its workspace. */
export const claimName = (key: IdempotencyKey) => `${key.endpoint}#${sha256Hex(key.key)}`;

/** Write that forgets a key, given its `claimName`: the next request with it makes something new. */
export function forgetKeyWrite(workspaceId: string, name: string): Write {
  const [endpoint = '', hash = ''] = name.split('#');
  return { Delete: { TableName: tableName(), Key: keys.idempotency(workspaceId, endpoint, hash) } };
}

/** Write that frees the key of a deleted run, given its `claimName`; fails if the key belongs to another run. */
export function freeWrite(workspaceId: string, name: string, runId: string): Write {
  const [endpoint = '', hash = ''] = name.split('#');
  return {
    Put: {
      TableName: tableName(),
      Item: { ...keys.idempotency(workspaceId, endpoint, hash), ...freed(sha256Hex(runId)) },
      ConditionExpression: 'attribute_not_exists(pk) OR run_id = :run',
      ExpressionAttributeValues: { ':run': runId },
    },
  };
}

/** Frees a key that still belongs to a run which is gone. */
export async function free(key: IdempotencyKey, runId: string): Promise<void> {
  await takesEffect(transact([freeWrite(key.workspace_id, claimName(key), runId)]));
}

/** The claim of one request on a key. */
export interface OwnClaim {
  key: IdempotencyKey;
  claimed_by: string;
}

/** Claims the key before a query is understood, which costs money. Undefined if it is taken. */
export async function claimUntil(key: IdempotencyKey, untilMs: number): Promise<OwnClaim | undefined> {
  const claimed_by = newNonce();
  const now = Date.now();
  const claim = { body_hash: key.body_hash, claimed_until: untilMs, claimed_by };
  const expiry = key.salt === undefined ? expiryOf('claim', untilMs) : freed(key.salt);
  const put = new PutCommand({
    TableName: tableName(),
    Item: { ...keyOf(key), ...expiry, ...claim },
    ConditionExpression: `${FREE_KEY} OR (${sameUse(key)} AND claimed_until < :now)`,
    ExpressionAttributeValues: { ':now': now, ...saltValue(key), ...freeKeyValues(now) },
  });
  // An earlier try of this claim may have succeeded without a reply.
  const isOurs = (await takesEffect(table.send(put))) || (await read(key))?.claimed_by === claimed_by;
  return isOurs ? { key, claimed_by } : undefined;
}

/** Condition for a claim that is still the request's own: another copy may take an expired one, or create the run. */
const stillOurs = ({ claimed_by }: OwnClaim) => ({
  TableName: tableName(),
  ConditionExpression: 'claimed_by = :own',
  ExpressionAttributeValues: { ':own': claimed_by },
});

/** Extends a claim. False if it is no longer the request's own. */
export function renewClaim(claim: OwnClaim, untilMs: number): Promise<boolean> {
  const ours = stillOurs(claim);
  const update = new UpdateCommand({
    ...ours,
    Key: keyOf(claim.key),
    UpdateExpression: 'SET claimed_until = :until',
    ExpressionAttributeValues: { ...ours.ExpressionAttributeValues, ':until': untilMs },
  });
  return takesEffect(table.send(update));
}

/** Releases a claim that created no run, so that only created runs use up a key (rules.md: idempotency 5). */
export async function releaseClaim(claim: OwnClaim): Promise<void> {
  const { key } = claim;
  const ours = stillOurs(claim);
  const release =
    key.salt === undefined
      ? table.send(new DeleteCommand({ ...ours, Key: keyOf(key) }))
      : table.send(new PutCommand({ ...ours, Item: { ...keyOf(key), ...freed(key.salt) } }));
  await takesEffect(release);
}
