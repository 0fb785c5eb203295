// An import in virtual time, while single changes come and readers ask: how long it takes where each partition has its
// limits, and how many questions met records that were behind. How partitions divide is in key-ranges.ts, what indexes
// take in reader-index.ts.
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import type { Entity, EntityLine } from '#contract/entities.ts';
import { compactRecords } from '#domain/records/compact-index.ts';
import { currentIndex } from '#domain/records/current-index.ts';
import { startImport } from '#domain/records/file-import.ts';
import { importEntities } from '#domain/records/import-entities.ts';
import { releaseIndex } from '#domain/records/index-home.ts';
import { RecordsBehind } from '#domain/records/records-protocol.ts';
import type { LineOrigin } from '#domain/records/which-record.ts';
import { enqueueCompactions } from '#domain/recovery/enqueue-compactions.ts';
import { newId } from '#platform/ids.ts';
import { isServiceTrouble } from '#platform/service-trouble.ts';
import { transactRecords } from '#store/records/changes.ts';
import { entityWrites, get } from '#store/records/entity-items.ts';
import { scheduleCompaction } from '#store/records/record-heads.ts';
import { ConditionFailed } from '#store/table/table.ts';
import { type Batch, inOrder } from '../../../bin/admin/import/batches.ts';
import { IMPORT_MAX_LINES } from '../../../functions/admin/commands.ts';
import { inProcess } from '../../support/faults.ts';
import { useMemoryTable } from '../../support/memory-table/use-memory-table.ts';
import { random } from '../../support/random.ts';
import { caller } from '../../support/runs.ts';
import { sweepTime } from '../../support/sweep-time.ts';
import type { Hottest } from './key-ranges.ts';
import { type LimitedTable, limitedTable } from './limited-table.ts';
import { forgetSegments } from './reader-index.ts';
import { type Scheduler, startScheduler } from './scheduler.ts';

/** Records before the import, which the single changes change. */
const RECORDS_BEFORE = 5000;
/** What an invocation of 500 lines takes without the table: its way, its checks and vectors on 0.6 of a core. */
const INVOCATION_MS = 500;
const CHANGES_A_SECOND = 200;
const TICK_MS = 100;
const SENDER_DELAY_MS = 1000;
const READERS = 30;
/** What a question takes once the index is current. */
const QUESTION_MS = 100;
/** From an answer to the next question. */
const ASKED_AFTER_MS = 10_000;
/** How long a step waits for its index, and how the state machine repeats it (lib/constructs/run-machine.ts). */
const INDEX_BUDGET_MS = 20_000;
const BEHIND = { tries: 14, longest_ms: 30_000 };
const TROUBLE = { tries: 25, longest_ms: 120_000 };
const FIRST_RETRY_MS = 1000;
const MINUTE_MS = 60_000;
const COMPACTOR = 1000;
/** A million records must be imported in less. */
const MINUTES_A_MILLION = 35;

export interface LargeImport {
  records: number;
  minutes: number;
  /** Of the collections that were divided, in the end. */
  partitions: Record<string, number>;
  hottest: Hottest;
  refused: LimitedTable['refused'];
  changes: { made: number; repeated: number };
  /** `behind` and `throttled`: those that had to be repeated for it. */
  questions: { asked: number; behind: number; throttled: number; failed: number; slowest_seconds: number };
  /** Environments of the function that answers, each with a copy of the index. */
  copies: number;
  compactions: { done: number; failed: number };
  breaches: string[];
}

interface World {
  scheduler: Scheduler;
  table: LimitedTable;
  workspace_id: string;
  ids: string[];
  changes: LargeImport['changes'];
  questions: LargeImport['questions'];
  compactions: LargeImport['compactions'];
  copies: number;
  /** Environments that wait for a question; Lambda prefers the one that was used last. */
  idle: number[];
  /** The import has ended: no more changes and questions come. */
  over: boolean;
  /** The last question has ended, and with it the service's own work. */
  answered: boolean;
}

/** Faults that may be planted: the ids of all lines follow each other; readers find nothing that others have read. */
interface Planted {
  hasConsecutiveIds: boolean;
  readsAlone: boolean;
}

/** Imports `records` records. */
export async function measureImport(records: number, planted: Planted): Promise<LargeImport> {
  if (planted.readsAlone) forgetSegments();
  const scheduler = startScheduler(random(1), Date.UTC(2026, 10, 23, 9));
  const table = limitedTable(together(scheduler));
  useMemoryTable(table.around);
  try {
    return await scheduler.run(() => importBeside(scheduler, table, records, planted.hasConsecutiveIds));
  } finally {
    scheduler.stop();
  }
}

/** Sleeps that end at the same time share a timer: every timer is a turn of the event loop. */
function together({ sleep }: Scheduler): Scheduler['sleep'] {
  const ends = new Map<number, Promise<void>>();
  return (ms) => {
    const at = Date.now() + Math.ceil(ms);
    const end = ends.get(at) ?? sleep(ms).finally(() => ends.delete(at));
    ends.set(at, end);
    return end;
  };
}

async function importBeside(
  scheduler: Scheduler,
  table: LimitedTable,
  records: number,
  hasConsecutiveIds: boolean,
): Promise<LargeImport> {
  const { workspace } = await caller();
  const { workspace_id } = workspace;
  const ids = Array.from({ length: RECORDS_BEFORE }, newId);
  const counted = {
    changes: { made: 0, repeated: 0 },
    questions: { asked: 0, behind: 0, throttled: 0, failed: 0, slowest_seconds: 0 },
    compactions: { done: 0, failed: 0 },
  };
  const world: World = {
    ...{ scheduler, table, workspace_id, ids, ...counted },
    ...{ copies: 0, idle: [], over: false, answered: false },
  };
  compactWhenAsked(world);
  for (let from = 0; from < ids.length; from += IMPORT_MAX_LINES)
    await importEntities(workspace_id, linesOf(ids.slice(from, from + IMPORT_MAX_LINES)));
  await compact(world);
  const import_id = hasConsecutiveIds ? newId() : (await startImport(workspace_id, 'file')).import_id;
  const swept = sweeps(world);
  const beside = [changes(world), ...Array.from({ length: READERS }, () => asks(world))];
  const startedAt = Date.now();
  const interruption = await importAll(world, records, import_id).catch((error: unknown) => error);
  const minutes = (Date.now() - startedAt) / MINUTE_MS;
  world.over = true;
  await Promise.all(beside);
  world.answered = true;
  await swept;
  return {
    ...{
      records,
      minutes: Math.round(minutes * 10) / 10,
      ...table.ranges.report(),
      refused: table.refused,
      ...counted,
      copies: world.copies,
    },
    breaches: [
      ...(interruption ? [`the import ended early: ${interruption}`] : []),
      ...(minutes > Math.max(1, records / 1e6) * MINUTES_A_MILLION
        ? [`the import takes ${minutes} minutes`]
        : []),
      ...(counted.questions.failed > 0 ? [`${counted.questions.failed} questions were never answered`] : []),
    ],
  };
}

const linesOf = (ids: (string | undefined)[]): EntityLine[] =>
  ids.map((id) => ({
    ...(id !== undefined && { id }),
    type: 'company',
    name: 'Acme',
    fields: { city: 'Oslo' },
  }));

/** The import as the command does it: a few batches of lines at once. */
async function importAll(
  { scheduler, workspace_id }: World,
  records: number,
  import_id: string,
): Promise<void> {
  async function* batches(): AsyncGenerator<Batch<undefined>> {
    for (let offset = 0; offset < records; offset += IMPORT_MAX_LINES) {
      const count = Math.min(IMPORT_MAX_LINES, records - offset);
      yield { offset, lines: [], values: Array.from({ length: count }, () => undefined) };
    }
  }
  const results = inOrder(batches(), async ({ offset, values }) => {
    await scheduler.sleep(INVOCATION_MS);
    const origin: LineOrigin = { import_id, offset };
    await importEntities(workspace_id, linesOf(values), origin);
  });
  for await (const _ of results);
}

/** Single changes, each repeated by its sender until it is written. */
async function changes(world: World): Promise<void> {
  const { scheduler } = world;
  const underWay = new Set<Promise<void>>();
  while (!world.over) {
    for (let i = 0; i < (CHANGES_A_SECOND * TICK_MS) / 1000; i += 1) {
      const change = changeOne(world).finally(() => underWay.delete(change));
      underWay.add(change);
    }
    await scheduler.sleep(TICK_MS);
  }
  await Promise.all(underWay);
}

async function changeOne({ scheduler, workspace_id, ids, changes: counted }: World): Promise<void> {
  const id = ids[counted.made % ids.length] ?? newId();
  counted.made += 1;
  const line = { type: 'company', name: 'Acme', fields: { city: 'Rome' } };
  for (;;) {
    try {
      const [now, before] = [Date.now(), await get(workspace_id, id)];
      const entity: Entity = { ...line, id, workspace_id, created_at: now, updated_at: now };
      await transactRecords(workspace_id, { records: [id] }, entityWrites(entity, { vector: [1] }, before));
      return;
    } catch (error) {
      if (!isServiceTrouble(error) && !(error instanceof ConditionFailed)) throw error;
      counted.repeated += 1;
      await scheduler.sleep(SENDER_DELAY_MS);
    }
  }
}

async function asks(world: World): Promise<void> {
  while (!world.over) {
    const askedAt = Date.now();
    await ask(world);
    const seconds = (Date.now() - askedAt) / 1000;
    world.questions.slowest_seconds = Math.max(world.questions.slowest_seconds, Math.round(seconds));
    await world.scheduler.sleep(ASKED_AFTER_MS);
  }
}

/** A question of a step, repeated as the state machine does. */
async function ask(world: World): Promise<void> {
  const { scheduler, questions } = world;
  questions.asked += 1;
  const met = { behind: 0, throttled: 0 };
  for (;;) {
    try {
      await invoke(world);
      return;
    } catch (error) {
      const isBehind = error instanceof RecordsBehind;
      if (!isBehind && !isServiceTrouble(error)) throw error;
      const kind = isBehind ? 'behind' : 'throttled';
      met[kind] += 1;
      if (met[kind] === 1) questions[kind] += 1;
      const { tries, longest_ms } = isBehind ? BEHIND : TROUBLE;
      if (met[kind] > tries) {
        questions.failed += 1;
        return;
      }
      const delay = Math.min(longest_ms, FIRST_RETRY_MS * 2 ** (met[kind] - 1));
      await scheduler.sleep(isBehind ? delay : Math.random() * delay);
    }
  }
}

/** An invocation of the function that answers: in an environment that is idle, else in a new one. */
async function invoke(world: World): Promise<void> {
  const { scheduler, workspace_id, idle } = world;
  const id = idle.pop() ?? world.copies;
  if (id === world.copies) world.copies += 1;
  try {
    await inProcess({ id, faultPlan: () => undefined }, () => currentIndex(workspace_id, INDEX_BUDGET_MS));
    await scheduler.sleep(QUESTION_MS);
  } finally {
    idle.push(id);
  }
}

/** The queue of compactions, whose function keeps no index between two. */
function compactWhenAsked(world: World): void {
  mockClient(SQSClient)
    .on(SendMessageCommand)
    .callsFake(() => {
      void compact(world);
      return {};
    });
}

async function compact({ workspace_id, compactions }: World): Promise<void> {
  const work = async () => {
    await compactRecords(workspace_id, Date.now());
    await releaseIndex(workspace_id);
  };
  try {
    await inProcess({ id: COMPACTOR, faultPlan: () => undefined }, work);
    compactions.done += 1;
  } catch {
    compactions.failed += 1;
    await scheduleCompaction(workspace_id, Date.now() + MINUTE_MS);
  }
}

async function sweeps(world: World): Promise<void> {
  while (!world.answered) {
    await enqueueCompactions(sweepTime(Date.now()));
    await world.scheduler.sleep(MINUTE_MS);
  }
}
