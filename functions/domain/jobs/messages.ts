// What a worker or a person sends about an open job (rules.md: jobs). Each message that ends a job is one commit of its
// run; a crash before the run is woken heals, because the sweep visits a run whose wait is over within a minute. The
// message itself is read once its job is known to be open: whose job is over learns that, whatever was sent
// (rules.md: jobs 15).
import { fail } from '#contract/errors.ts';
import type { AddJobItems, CompleteJob, FailJob, JobUsage, ProgressJob } from '#contract/jobs.ts';
import { limits } from '#contract/limits.ts';
import type { SourceItem } from '#contract/live-sources.ts';
import type { JobKey } from '#contract/run-keys.ts';
import { add, spentOnJob } from '#domain/billing/usage.ts';
import { isGone } from '#domain/runs/find-run.ts';
import { wrongParam } from '#domain/runs/wrong-param.ts';
import { wake } from '#orchestration/executions.ts';
import { cut } from '#platform/cut.ts';
import { fitForeign } from '#platform/foreign-words.ts';
import { describe, log } from '#platform/log.ts';
import { retryStale } from '#platform/retry-stale.ts';
import { addPage, lastPageWrite } from '#store/runs/job-pages.ts';
import type { JobRecord } from '#store/runs/jobs.ts';
import * as jobs from '#store/runs/jobs.ts';
import type { RunRecord } from '#store/runs/run-record.ts';
import * as runs from '#store/runs/runs.ts';
import { ConditionFailed } from '#store/table/table.ts';
import { nextAttempt, retryDelayMs, statusAt, waitingFor } from './attempts.ts';
import { checkAnswer } from './wrong-answer.ts';

interface Found {
  job: JobRecord;
  run: RunRecord;
}

/** A job and its run, as last written. Throws job_not_found. */
export async function findJob(key: JobKey | undefined): Promise<Found> {
  const [run, job] = key ? await Promise.all([runs.get(key.workspace_id, key.run_id), jobs.get(key)]) : [];
  if (!run || !job || isGone(run)) throw fail('job_not_found');
  return { job, run };
}

/** Reads and checks what was sent. Throws invalid_json, schema_validation_failed. */
type Read<Message> = () => Promise<Message>;

/** Throws job_over, unless the job may still be answered. */
export function checkOpen({ job, run }: Found, now: number): void {
  const status = statusAt(job, run, now);
  if (status !== 'open') throw fail('job_over', { details: { status } });
}

/** Decides again when the run, or the job alone, has changed since it was read. */
const decided = <T>(decide: () => Promise<T>): Promise<T> =>
  retryStale(ConditionFailed, () => runs.retryIfStale(decide));

/**
 * A heartbeat, and at most once a second an event of the run, which repeats the numbers that the message leaves out.
 * Throws job_not_found, job_over, and what `read` throws.
 */
export async function progressJob(key: JobKey | undefined, read: Read<ProgressJob>): Promise<void> {
  await decided(async () => {
    const { job, run } = await findJob(key);
    const now = Date.now();
    checkOpen({ job, run }, now);
    const progress = await read();
    const { message, ...counts } = progress;
    const { items_done = job.items_done ?? 0, items_total = job.items_total ?? 0 } = counts;
    const step = run.steps[job.position];
    const isDue = now - (job.progress_at ?? 0) >= limits.progress_interval_ms;
    const isEmpty = Object.values(progress).every((value) => value === undefined);
    if (isEmpty || !isDue || !step) return beat(job, now, counts);
    const said = message === undefined ? {} : { message: fitted(message) };
    const data = { step_index: step.index, kind: step.kind, ...said, items_done, items_total };
    await runs.commit(run, {
      change: {},
      events: [{ event_type: 'step.progress', data }],
      effects: [jobs.progressWrite(job, now, counts)],
    });
  });
}

/** Throws ConditionFailed if the job is over by now. */
async function beat(job: JobRecord, now: number, counts?: jobs.Counts): Promise<void> {
  if (!(await jobs.beat(job, now, counts))) throw new ConditionFailed(0);
}

/**
 * A page of items; one that was sent before is the first one's. Throws job_not_found, job_over, what `read` throws, and
 * 422.
 */
export async function addJobItems(key: JobKey | undefined, read: Read<AddJobItems>): Promise<void> {
  await decided(async () => {
    const { job, run } = await findJob(key);
    const now = Date.now();
    checkOpen({ job, run }, now);
    const { page, items } = await read();
    if (job.kind === 'person') throw noItems();
    const outcome = await addPage(job, page, items, now);
    if (outcome === 'repeated') await beat(job, now);
    if (outcome === 'full') throw tooMany(job.received + items.length);
    if (outcome === 'over') throw new ConditionFailed(0);
  });
}

/**
 * Completes a job; the first one holds, another is not accepted. Throws job_not_found, job_over, what `read` throws,
 * and 422 for items or an answer that do not hold.
 */
export function completeJob(
  key: JobKey | undefined,
  read: Read<CompleteJob>,
): Promise<{ accepted: boolean }> {
  return decided(async () => {
    const { job, run } = await findJob(key);
    if (job.status === 'completed') return { accepted: false };
    const completed_at = Date.now();
    checkOpen({ job, run }, completed_at);
    const sent = await read();
    const items = await itemsIn(job, sent);
    const count = job.received + items.length;
    if (count > limits.step_items_max) throw tooMany(count);
    const { change, cost, cost_pico_usd } = counted(run, sent.usage);
    const end = { status: 'completed', completed_at, items: count, cost_pico_usd } as const;
    await runs.commit(run, {
      change: { ...change, waiting: undefined },
      cost,
      effects: [
        jobs.overWrite(job, end, 'received'),
        ...(items.length > 0 ? [await lastPageWrite(job, items)] : []),
      ],
    });
    await wakeRun(run);
    return { accepted: true };
  });
}

/**
 * Fails a job: with `retry` its next attempt is sent after a delay, in the same commit. Throws job_not_found, job_over,
 * and what `read` throws.
 */
export function failJob(key: JobKey | undefined, read: Read<FailJob>): Promise<{ accepted: boolean }> {
  return decided(async () => {
    const { job, run } = await findJob(key);
    if (job.status === 'failed') return { accepted: false };
    const now = Date.now();
    checkOpen({ job, run }, now);
    const sent = await read();
    const next = sent.retry ? nextAttempt(job, now, now + retryDelayMs(job)) : undefined;
    const { change, cost, cost_pico_usd } = counted(run, sent.usage);
    const end = {
      status: 'failed',
      completed_at: now,
      message: fitted(sent.message),
      cost_pico_usd,
    } as const;
    const since = run.waiting?.since ?? now;
    await runs.commit(run, {
      change: { ...change, waiting: next && waitingFor(next, since, next.tell_at) },
      cost,
      effects: [jobs.overWrite(job, end, 'received'), ...(next ? [jobs.newJobWrite(next)] : [])],
    });
    await wakeRun(run);
    return { accepted: true };
  });
}

const fitted = (message: string) =>
  fitForeign(message, { secrets: [], most: limits.job_message_max_characters }) || 'it did not say why';

/** What usage changes on the run, counted when it comes in, once a job (rules.md: jobs 8). */
function counted(
  run: RunRecord,
  usage: JobUsage | undefined,
): { change: Partial<Pick<RunRecord, 'spent' | 'sim'>>; cost: bigint; cost_pico_usd?: string } {
  if (!usage) return { change: {}, cost: 0n };
  const brought = spentOnJob(usage);
  const { cost_pico_usd } = brought;
  const cost = BigInt(cost_pico_usd);
  // Its cost is real, whatever model the run has.
  const change = { spent: add(run.spent, brought), ...(cost > 0n && { sim: undefined }) };
  return { change, cost, cost_pico_usd };
}

async function itemsIn(job: JobRecord, { items, answer }: CompleteJob): Promise<SourceItem[]> {
  if (job.kind === 'job') {
    if (answer) throw unexpected('answer', 'A worker completes with items');
    return items ?? [];
  }
  if (items) throw noItems();
  const { title, schema = {} } = await jobs.openAsked(job);
  checkAnswer(schema, answer);
  return [{ name: cut(title, limits.source_item_name_max_characters), fields: answer, ...absent }];
}

/** What an answer lacks that an item may have. */
const absent = { id: undefined, type: undefined, external_uri: undefined };

const unexpected = (param: string, message: string) => wrongParam(param, message, param, message);
const noItems = () => unexpected('items', 'A question takes an answer');

const tooMany = (count: number) =>
  wrongParam(
    'items',
    `at most ${limits.step_items_max} items in all`,
    String(count),
    `The job would have ${count} items; at most ${limits.step_items_max} are taken.`,
  );

/** Wakes the execution of a run whose wait is over. It may not be parked yet; then it does not park. */
async function wakeRun({ workspace_id, id: run_id, task_token }: RunRecord): Promise<void> {
  if (task_token === undefined) return;
  await wake(task_token, { workspace_id, run_id }).catch((error: unknown) =>
    log.warn('a run is not woken, the sweep will', { run_id, error: describe(error) }),
  );
}
