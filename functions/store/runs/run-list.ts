// The lists of a workspace's runs by time: one small item per run, plus narrower lists for common filters.
import { isDeepStrictEqual } from 'node:util';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { type InputType, type RunStatus, terminalStatuses } from '#contract/runs.ts';
import { expiryOf } from '../table/expiry.ts';
import { getEvenExpired, type Key, queryBetween, table, tableName, type Write } from '../table/table.ts';
import { keys } from '../table/table-keys.ts';
import { countedAs, figuresOf } from './run-figures.ts';
import type { EndedRun, RunRecord } from './run-record.ts';
import { usageChangeWrites } from './usage-days.ts';

interface ListableRun {
  id: string;
  workspace_id: string;
  created_at: number;
  input_type: InputType;
  metadata?: Record<string, string> | undefined;
}

/** Runs of a workspace: all, those that ended in a status, or those with a pair of metadata. */
export type RunListName = 'all' | { status: RunStatus } | { pair: string };

/** A pair of metadata, as in the name of its list and in a query. */
const pairOf = ([key, value]: [string, string]) => `${key}:${value}`;

/** Whether the run has the pair. */
export function hasPair(run: Pick<ListableRun, 'metadata'>, pair: string): boolean {
  return Object.entries(run.metadata ?? {}).some((one) => pairOf(one) === pair);
}

function partitionOf(workspaceId: string, name: RunListName): string {
  if (name === 'all') return keys.runList(workspaceId);
  return 'status' in name
    ? keys.runsOfStatus(workspaceId, name.status)
    : keys.runsOfPair(workspaceId, name.pair);
}

/** The key of a run in each of its lists; keys grow with the time of creation. */
export function listKey({ id, created_at }: Pick<ListableRun, 'id' | 'created_at'>): string {
  return keys.listedRun(created_at, id);
}

function listed(run: ListableRun, name: RunListName, more: object = {}): Write {
  const Item = {
    pk: partitionOf(run.workspace_id, name),
    sk: listKey(run),
    run_id: run.id,
    input_type: run.input_type,
    ...more,
  };
  return { Put: { TableName: tableName(), Item } };
}

/** The permanent lists of a run. */
function permanentLists({ metadata = {} }: Pick<ListableRun, 'metadata'>): RunListName[] {
  const pairs = new Set(Object.entries(metadata).map(pairOf));
  return ['all', ...[...pairs].map((pair) => ({ pair }))];
}

/**
 * Writes that add a new run to its permanent lists. The entry in the list of all runs also names the idempotency key
 * that the run claims: no commit writes that item again, and the deletion of the run frees the key.
 */
export function newRunWrites(run: ListableRun, claim?: string): Write[] {
  return permanentLists(run).map((name) => listed(run, name, name === 'all' ? { claim } : {}));
}

/** The keys of the entries of a run. */
export function listEntries(run: ListableRun & { status: RunStatus }): Key[] {
  return [...permanentLists(run), { status: run.status }].map((name) => ({
    pk: partitionOf(run.workspace_id, name),
    sk: listKey(run),
  }));
}

/** The idempotency key that a run has claimed, even if the entry has expired; undefined if it has none. */
export async function claimOfRun(run: ListableRun): Promise<string | undefined> {
  const entry = await getEvenExpired({ pk: keys.runList(run.workspace_id), sk: listKey(run) });
  return typeof entry?.claim === 'string' ? entry.claim : undefined;
}

const isTerminal = ({ status }: RunRecord) => terminalStatuses.includes(status);

/**
 * Writes that move a run between the lists by final status; runs in flight are in none of them. The entry has what the
 * run counts for, so it is written again when that changes after the end.
 */
export function statusWrites(before: RunRecord, after: RunRecord): Write[] {
  const moves = before.status !== after.status;
  const leaves = moves && isTerminal(before);
  const figures = figuresOf(after);
  const enters = isTerminal(after) && (moves || !isDeepStrictEqual(figures, figuresOf(before)));
  if (!leaves && !enters) return [];
  const left = {
    TableName: tableName(),
    Key: { pk: keys.runsOfStatus(after.workspace_id, before.status), sk: listKey(after) },
  };
  return [
    ...(leaves ? [{ Delete: left }] : []),
    ...(enters ? [listed(after, { status: after.status }, { figures })] : []),
    ...usageChangeWrites(after, Date.now()),
  ];
}

/** Write by which a run that is deleted stays counted. It does not name the run. */
export function deletedRunWrite(run: EndedRun): Write {
  const { workspace_id, id, status, input_type, created_at } = run;
  const counted_as = countedAs(id);
  const Item = {
    ...{ pk: keys.deletedRuns(workspace_id), sk: keys.listedRun(created_at, counted_as) },
    ...{ counted_as, status, input_type, figures: figuresOf(run) },
    ...expiryOf('usage', created_at),
  };
  return { Put: { TableName: tableName(), Item } };
}

const Listed = z.object({ sk: z.string(), run_id: z.string() });

/** The requested part of a list: keys from `from` on and before `before`. */
export interface ListRange {
  from?: string | undefined;
  before?: string | undefined;
}

export interface ListPage {
  listed: { run_id: string; key: string }[];
  /** The list was read down to this key; undefined: to its end. */
  downTo: string | undefined;
}

/** Keys of runs begin with a digit. */
const FIRST = '0';
const LAST = ':';

/** When the first run of a workspace was created, of those that are not deleted; epoch ms. */
export async function firstRunAt(workspaceId: string): Promise<number | undefined> {
  for await (const { sk } of queryBetween(keys.runList(workspaceId), FIRST, LAST))
    return Number.parseInt(String(sk), 10);
  return undefined;
}

/** Runs of a list by id, newest first, among the first `limit` keys of a range. */
export async function page(
  workspaceId: string,
  options: ListRange & { limit: number; list?: RunListName; inputType?: InputType | undefined },
): Promise<ListPage> {
  const { limit, list = 'all', inputType, from = FIRST, before = LAST } = options;
  if (from > before) return { listed: [], downTo: undefined };
  const found = await table.send(
    new QueryCommand({
      TableName: tableName(),
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :before',
      ...(inputType && { FilterExpression: 'input_type = :type' }),
      ExpressionAttributeValues: {
        ':pk': partitionOf(workspaceId, list),
        ':from': from,
        ':before': before,
        ...(inputType && { ':type': inputType }),
      },
      ScanIndexForward: false,
      // The range includes `before`, which may be the key of a run that is not requested.
      Limit: limit + 1,
      ConsistentRead: true,
    }),
  );
  const names = (found.Items ?? []).map((item) => Listed.parse(item)).filter(({ sk }) => sk !== before);
  const listed = names.slice(0, limit).map(({ run_id, sk }) => ({ run_id, key: sk }));
  if (names.length > limit) return { listed, downTo: listed.at(-1)?.key };
  const last = found.LastEvaluatedKey?.sk;
  return { listed, downTo: typeof last === 'string' ? last : undefined };
}
