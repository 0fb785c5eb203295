// A table in memory below the real store: what a commit wrote may be hidden for a while, and every read is counted.
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import {
  BatchGetCommand,
  type BatchGetCommandInput,
  DynamoDBDocumentClient,
  GetCommand,
  QueryCommand,
  type QueryCommandInput,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import type { EventBody } from '#contract/events.ts';
import { newId } from '#platform/ids.ts';
import { commit, create, nothingSpent, type RunRecord } from '#store/runs.ts';
import type { Item } from '#store/table.ts';

Object.assign(process.env, {
  TABLE_NAME: 'Table',
  SERVICE_SECRET_ARN: 'secret',
  AWS_REGION: 'us-east-1',
});
mockClient(SecretsManagerClient).on(GetSecretValueCommand).resolves({ SecretString: 'root' });
const client = mockClient(DynamoDBDocumentClient);

const items = new Map<string, Item>();
/** Keys of items that a query does not see yet. */
export const hidden = new Set<string>();
/** Times of reads since the last reset, epoch ms, by kind. */
export const reads: { kind: 'get' | 'batch' | 'query'; at: number; keys: number }[] = [];
let pageItems = Number.POSITIVE_INFINITY;

const nameOf = ({ pk, sk }: Item) => `${pk} ${sk}`;
const note = (kind: 'get' | 'batch' | 'query', count: number) =>
  reads.push({ kind, at: Date.now(), keys: count });

/** Empties the table; a query gives at most `maxItems` items a page. */
export function resetTable(maxItems = Number.POSITIVE_INFINITY): void {
  items.clear();
  hidden.clear();
  reads.length = 0;
  pageItems = maxItems;
  client.reset();
  client.on(GetCommand).callsFake(({ Key }) => {
    note('get', 1);
    return { Item: items.get(nameOf(Key)) };
  });
  client.on(BatchGetCommand).callsFake(batchGet);
  client.on(QueryCommand).callsFake(query);
  client.on(TransactWriteCommand).callsFake(({ TransactItems = [] }: TransactWriteCommandInput) => {
    for (const { Put } of TransactItems) if (Put?.Item) put(Put.Item);
    return {};
  });
}

/** Lets every read of several items fail. */
export function breakBatchReads(): void {
  client.on(BatchGetCommand).rejects(new Error('table unreachable'));
}

/** Writes an item as it is. */
export function put(item: Item): void {
  items.set(nameOf(item), item);
}

/** The events' items of a run in order, for tests that hide or delete some. */
export function batchesOf(run: RunRecord): Item[] {
  return [...items.values()]
    .filter(({ pk, sk }) => String(pk).endsWith(run.id) && String(sk).startsWith('EVENT#'))
    .sort((a, b) => (String(a.sk) < String(b.sk) ? -1 : 1));
}

/** Hides an item from queries until it is shown. */
export const hide = (item: Item) => hidden.add(nameOf(item));
export const show = (item: Item) => hidden.delete(nameOf(item));
export const remove = (item: Item) => items.delete(nameOf(item));

function batchGet({ RequestItems = {} }: BatchGetCommandInput) {
  const wanted = RequestItems.Table?.Keys ?? [];
  note('batch', wanted.length);
  return { Responses: { Table: wanted.flatMap((key) => items.get(nameOf(key)) ?? []) } };
}

function query({ ExpressionAttributeValues = {}, Limit = 1e9, ExclusiveStartKey }: QueryCommandInput) {
  note('query', 1);
  const { ':pk': pk, ':after': after, ':end': end } = ExpressionAttributeValues;
  const found = [...items.values()]
    .filter((item) => item.pk === pk && String(item.sk) >= after && String(item.sk) <= end)
    .filter((item) => !hidden.has(nameOf(item)))
    .filter((item) => !ExclusiveStartKey || String(item.sk) > ExclusiveStartKey.sk)
    .sort((a, b) => (String(a.sk) < String(b.sk) ? -1 : 1));
  const page = found.slice(0, Math.min(Limit, pageItems));
  const last = page.at(-1);
  const full = last && (page.length === Limit || page.length < found.length);
  return { Items: page, ...(full && { LastEvaluatedKey: { pk: last.pk, sk: last.sk } }) };
}

/** An event that any run may have in mid-log. */
export const progress = (done: number): EventBody => ({
  event_type: 'step.progress',
  data: { step_index: 0, kind: 'transform', items_done: done, items_total: 100 },
});
export const paused: EventBody = {
  event_type: 'run.paused',
  data: { status: 'paused', reason: 'maintenance' },
};
export const succeeded: EventBody = {
  event_type: 'run.succeeded',
  data: { status: 'succeeded', step_count: 1, artifact_count: 0, duration_ms: 1 },
};
export const canceled: EventBody = {
  event_type: 'run.canceled',
  data: { status: 'canceled', reason: 'canceled_by_user', step_index: null },
};
const error = { code: 'internal_error', type: 'internal', message: 'm', doc_url: 'd' };
export const failed: EventBody = {
  event_type: 'run.failed',
  data: { status: 'failed', error, resumable: true, duration_ms: 1 },
};

/** A run whose log begins with `events`. */
export function newRun(events: EventBody[] = [paused]): Promise<RunRecord> {
  const now = Date.now();
  const id = newId();
  return create(
    {
      id,
      workspace_id: newId(),
      status: 'running',
      api_version: '2026-11-20',
      created_at: now,
      input_type: 'plan',
      config: {},
      request_id: 'r',
      key_id: 'k',
      steps: [],
      message: null,
      artifacts: [],
      note_ids: [],
      warnings: [],
      errors: [],
      spent: nothingSpent,
      resume_count: 0,
      inherited: [],
      position: 0,
      execution: id,
      log_finished: false,
      version: 1,
      last_sequence: 0,
      last_event_at: now,
    },
    events,
    [],
  );
}

/** Adds events to a run. */
export const emits = (run: RunRecord, ...events: EventBody[]) => commit(run, {}, events);
/** Ends a run with the event of its end. */
export const ends = (run: RunRecord, event: EventBody) => commit(run, { log_finished: true }, [event]);
