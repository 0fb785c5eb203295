// TransactWriteItems: all actions or none, and once per client request token.
import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { AwsError } from '../../aws-endpoint/aws-protocol.ts';
import { isObject, type Json, type JsonObject } from '../../json-values.ts';
import { asksCapacity, type Consumed, capacityReplies, count, readUnits } from './capacity.ts';
import { type FindTable, requireOnce } from './reads.ts';
import { canceled, invalid, reasonsOf, requireKnown, unknown } from './refusals.ts';
import {
  type DraftedWrite,
  decide,
  draft,
  type PreparedWrite,
  type WriteKind,
  writeAndCount,
} from './writes.ts';

const ACTIONS_MAX = 100;
const BYTES_MAX = 4 * 1024 * 1024;
const TOKEN_CHARACTERS_MAX = 36;
/** How long a token is valid. */
const TOKEN_LIFE_MS = 10 * 60_000;
const FORGET_EVERY_MS = 60_000;

export const TOKENS_SCHEMA =
  'CREATE TABLE IF NOT EXISTS tokens (token TEXT PRIMARY KEY, request BLOB NOT NULL, at_ms INTEGER NOT NULL) WITHOUT ROWID';

/** Tokens of recent transactions. */
export interface Tokens {
  /**
   * Whether the request was performed before. Throws IdempotentParameterMismatchException if the token belongs to
   * another request.
   */
  isKnown(token: string, request: Uint8Array): boolean;
  add(token: string, request: Uint8Array): void;
}

/** Opens the tokens of a file. */
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

const MEMBERS = ['TransactItems', 'ClientRequestToken', 'ReturnConsumedCapacity'];

const isKind = (name: string): name is WriteKind =>
  name === 'Put' || name === 'Update' || name === 'Delete' || name === 'ConditionCheck';

/**
 * Prepares a transaction; the returned function performs it, within a transaction of the file. Throws errors that do
 * not depend on the tables' content.
 */
export function transactWriteItems(input: JsonObject, find: FindTable, tokens: Tokens): () => JsonObject {
  requireKnown(input, MEMBERS);
  const asks = asksCapacity(input);
  const actions = Array.isArray(input.TransactItems) ? input.TransactItems : [];
  if (actions.length === 0 || actions.length > ACTIONS_MAX)
    throw invalid('A transaction has 1 to 100 actions');
  const token = tokenOf(input);
  const drafts = actions.map((action) => draftAction(action, find));
  const bytes = drafts.reduce((sum, one) => sum + one.bytes, 0);
  if (bytes > BYTES_MAX) throw invalid(`Transaction payload size cannot exceed 4MB. Payload Size: ${bytes}`);
  const writes = allOf(drafts, (one) => one.complete());
  requireOnce(writes);
  const request = token === undefined ? undefined : fingerprint(actions);
  return () => {
    if (token !== undefined && request && tokens.isKnown(token, request)) return replayed(writes, asks);
    const outcomes = allOf(writes, decide);
    const consumed = new Map<string, Consumed>();
    for (const [i, outcome] of outcomes.entries()) {
      const write = writes[i];
      if (write) writeAndCount(write, outcome, asks, consumed);
    }
    if (token !== undefined && request) tokens.add(token, request);
    return asks ? { ConsumedCapacity: capacityReplies(consumed, true) } : {};
  };
}

/** The reply to a repeated transaction: the lookup consumes read units. */
function replayed(writes: readonly PreparedWrite[], asks: boolean): JsonObject {
  if (!asks) return {};
  const consumed = new Map<string, Consumed>();
  for (const { table, key } of writes) {
    const units = readUnits(table.get(key)?.bytes ?? 0, true);
    count(consumed, table.definition.name, { table: units, indexes: new Map() });
  }
  return { ConsumedCapacity: capacityReplies(consumed, true) };
}

function tokenOf({ ClientRequestToken: token }: JsonObject): string | undefined {
  if (token === undefined) return undefined;
  if (typeof token === 'string' && token !== '' && token.length <= TOKEN_CHARACTERS_MAX) return token;
  throw unknown('the token', token);
}

function draftAction(action: Json, find: FindTable): DraftedWrite {
  const entries = isObject(action) ? Object.entries(action).filter(([, write]) => write !== undefined) : [];
  const [kind = '', write] = entries[0] ?? [];
  if (entries.length !== 1 || !isKind(kind) || !isObject(write)) throw unknown('the action', action);
  return draft(kind, write, find);
}

/**
 * Applies `act` to all actions of a transaction. Throws TransactionCanceledException with a reason for each refused
 * action.
 */
function allOf<From, To>(actions: readonly From[], act: (action: From) => To): To[] {
  const done: To[] = [];
  const refused = new Map<number, AwsError>();
  for (const [i, action] of actions.entries())
    try {
      done.push(act(action));
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      refused.set(i, error);
    }
  if (refused.size > 0) throw canceled(reasonsOf(actions.length, refused));
  return done;
}

function fingerprint(actions: Json[]): Uint8Array {
  return createHash('sha256').update(JSON.stringify(actions)).digest().subarray(0, 16);
}
