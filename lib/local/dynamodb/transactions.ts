// TransactWriteItems: all actions or none, and once for each client request token.
import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { AwsError } from '../aws-endpoint/aws-protocol.ts';
import { isObject, type Json, type JsonObject } from '../json-values.ts';
import { type Consumed, detailOf } from './capacity.ts';
import type { FindTable } from './reads.ts';
import { type CancellationReason, canceled, invalid } from './refusals.ts';
import {
  capacityReplies,
  decide,
  hasTwice,
  type Outcome,
  type PreparedWrite,
  prepare,
  type WriteKind,
  writeAndCount,
} from './writes.ts';

const ACTIONS_MAX = 100;
const BYTES_MAX = 4 * 1024 * 1024;
const TOKEN_CHARACTERS_MAX = 36;
/** How long DynamoDB knows a token. */
const TOKEN_LIFE_MS = 10 * 60_000;
const FORGET_EVERY_MS = 60_000;

export const TOKENS_SCHEMA =
  'CREATE TABLE IF NOT EXISTS tokens (token TEXT PRIMARY KEY, request BLOB NOT NULL, at_ms INTEGER NOT NULL) WITHOUT ROWID';

/** The tokens of transactions that were carried out lately. */
export interface Tokens {
  /** Whether the request was carried out before. Throws IdempotentParameterMismatchException when the token came with another one. */
  isKnown(token: string, request: Uint8Array): boolean;
  add(token: string, request: Uint8Array): void;
}

/** Opens them in a file. */
export function openTokens(database: DatabaseSync): Tokens {
  const find = database.prepare('SELECT request FROM tokens WHERE token = ? AND at_ms > ?');
  const insert = database.prepare('INSERT OR REPLACE INTO tokens VALUES (?, ?, ?)');
  const forget = database.prepare('DELETE FROM tokens WHERE at_ms <= ?');
  let forgotAt = 0;
  return {
    isKnown(token, request) {
      const known = find.get(token, Date.now() - TOKEN_LIFE_MS)?.request;
      if (known === undefined) return false;
      if (known instanceof Uint8Array && Buffer.compare(known, request) === 0) return true;
      throw new AwsError(
        'IdempotentParameterMismatchException',
        'The parameters of the second request do not match those of the first request with this client request token',
      );
    },
    add(token, request) {
      const now = Date.now();
      insert.run(token, request, now);
      if (now - forgotAt < FORGET_EVERY_MS) return;
      forgotAt = now;
      forget.run(now - TOKEN_LIFE_MS);
    },
  };
}

const isKind = (name: string): name is WriteKind =>
  name === 'Put' || name === 'Update' || name === 'Delete' || name === 'ConditionCheck';

/** A transaction, prepared; what is returned carries it out, inside a transaction of the file. Throws what is wrong whatever the tables hold. */
export function transactWriteItems(input: JsonObject, find: FindTable, tokens: Tokens): () => JsonObject {
  const detail = detailOf(input);
  const actions = Array.isArray(input.TransactItems) ? input.TransactItems : [];
  if (actions.length === 0 || actions.length > ACTIONS_MAX)
    throw invalid(
      `1 validation error detected: Value '[${actions.length}]' at 'transactItems' failed to satisfy constraint: Member must have length ${actions.length === 0 ? 'greater than or equal to 1' : 'less than or equal to 100'}`,
    );
  const token = tokenOf(input);
  const writes = actions.map((action) => prepareAction(action, find));
  if (hasTwice(writes)) throw invalid('Transaction request cannot include multiple operations on one item');
  if (writes.reduce((sum, { bytes }) => sum + bytes, 0) > BYTES_MAX)
    throw invalid('Member must have a total size of at most 4194304 bytes');
  const request = token === undefined ? undefined : fingerprint(actions);
  return () => {
    const consumed = new Map<string, Consumed>();
    if (token !== undefined && request && tokens.isKnown(token, request)) return {};
    const outcomes = decideAll(writes);
    for (const [write, outcome] of outcomes) writeAndCount(write, outcome, detail, consumed);
    if (token !== undefined && request) tokens.add(token, request);
    return detail === 'NONE' ? {} : { ConsumedCapacity: capacityReplies(consumed, detail, 2) };
  };
}

function tokenOf({ ClientRequestToken: token }: JsonObject): string | undefined {
  if (token === undefined || token === null) return undefined;
  if (typeof token === 'string' && token.length > 0 && token.length <= TOKEN_CHARACTERS_MAX) return token;
  throw invalid(
    `1 validation error detected: Value '${String(token)}' at 'clientRequestToken' failed to satisfy constraint: Member must have length less than or equal to 36`,
  );
}

function prepareAction(action: Json, find: FindTable): PreparedWrite {
  const [entry, ...more] = Object.entries(isObject(action) ? action : {}).filter(
    ([, write]) => write !== undefined,
  );
  if (!entry || more.length > 0 || !isKind(entry[0]) || !isObject(entry[1]))
    throw invalid('TransactItems can only contain one of Check, Put, Update or Delete');
  return prepare(entry[0], entry[1], find);
}

function decideAll(writes: readonly PreparedWrite[]): [PreparedWrite, Outcome][] {
  const outcomes: [PreparedWrite, Outcome][] = [];
  const reasons = writes.map((write): CancellationReason => {
    try {
      outcomes.push([write, decide(write)]);
      return { Code: 'None' };
    } catch (error) {
      return reasonOf(error);
    }
  });
  if (outcomes.length < writes.length) throw canceled(reasons);
  return outcomes;
}

function reasonOf(error: unknown): CancellationReason {
  if (!(error instanceof AwsError)) throw error;
  if (error.code === 'ValidationException') return { Code: 'ValidationError', Message: error.message };
  return { ...error.details, Code: 'ConditionalCheckFailed', Message: error.message };
}

function fingerprint(actions: Json[]): Uint8Array {
  return createHash('sha256').update(JSON.stringify(actions)).digest().subarray(0, 16);
}
