// A fetch of a worker or a person: makes its job, sends it, and ends the slice until the job is over (rules.md:
// jobs).
import { jobIdOf } from '#contract/run-keys.ts';
import { nextAttempt, waitingFor } from '#domain/jobs/attempts.ts';
import { tellClosed } from '#domain/jobs/closed-jobs.ts';
import { addressOf, jobRequested, tell } from '#domain/jobs/tell.ts';
import { leftMs } from '#domain/runs/deadlines.ts';
import { isTerminal } from '#domain/runs/lifecycle.ts';
import { liveItems } from '#domain/sources/live-items.ts';
import { type LiveRead, SourceFailed } from '#domain/sources/read-source.ts';
import { SourceFailure } from '#domain/sources/source-failure.ts';
import { type Retry, withRetry } from '#models/retry.ts';
import { log } from '#platform/log.ts';
import { ReadingStopped } from '#record-index/reading-limits.ts';
import type { LiveQuery } from '#sources/source-port.ts';
import { itemsOf } from '#store/runs/job-pages.ts';
import type { JobEnd, JobRecord, NewJob } from '#store/runs/jobs.ts';
import * as jobs from '#store/runs/jobs.ts';
import type { RunRecord } from '#store/runs/run-record.ts';
import type { Transition } from '#store/runs/runs.ts';
import { takesEffect } from '#store/table/table.ts';
import type { JobSource } from '#store/workspaces/sources.ts';
import type { RunLease } from './run-lease.ts';

/** The run waits for the job that it names: the slice is over. */
export class JobWaits extends Error {}

/** The job ended, or its time did, while it was being sent. */
class JobOver extends Error {}

/** The step that asks. */
export interface Asking {
  lease: Pick<RunLease, 'run'>;
  position: number;
  step_index: number;
  /** An earlier slice has begun the step. */
  begun: boolean;
  /** Commits with the cost of the calls so far. `decide` must be pure. Throws LeaseLost. */
  commit(decide: (run: RunRecord) => Transition): Promise<RunRecord>;
  /** Throws LimitReached past a cap or the deadline of the run. */
  checkLimits(): Promise<void>;
  onRetry(retry: Retry): Promise<void>;
}

/** A worker that has sent heartbeats is looked after no more often than this, which is how late it is noticed. */
const BEAT_CHECK_MS = 55_000;

/**
 * What came of the job of a step. `source` is absent once it is deleted: a job that is open goes on, and no other is
 * sent. Undefined: the step has no job and there is no source. Throws JobWaits, SourceFailed, LimitReached,
 * ReadingStopped.
 */
export async function askJob(
  name: string,
  source: JobSource | undefined,
  query: LiveQuery,
  asking: Asking,
  signal: AbortSignal,
): Promise<LiveRead | undefined> {
  const { workspace_id, id: run_id, resume_count } = asking.lease.run;
  for (;;) {
    const all = await jobs.list({ workspace_id, run_id }, asking.position);
    const completed = all.find(({ status }) => status === 'completed');
    if (completed) return readItems(completed);
    const job = all.findLast(({ resume }) => resume === resume_count);
    if (!job) {
      if (!source) return undefined;
      await begin(source, query, asking);
    } else if (job.status !== 'open') throw new SourceFailed(name, whyOver(job));
    else await wait(job, source, asking, signal);
  }
}

/** The items belong to the source, even if it is deleted by now (rules.md: sources 6). */
async function readItems(job: JobRecord): Promise<LiveRead> {
  const { workspace_id, source: name, entity_type } = job;
  return { items: liveItems({ workspace_id, name, entity_type }, await itemsOf(job)), ended: true };
}

function whyOver({ status, message }: JobRecord): SourceFailure {
  if (status === 'failed') return new SourceFailure('job', message ?? 'it did not say why');
  return new SourceFailure('timeout', 'its job did not end in time');
}

/** Makes the first job, for which the run waits from then on. */
async function begin(source: JobSource, { query, where, limit, work }: LiveQuery, asking: Asking) {
  const {
    lease: { run },
    position,
    step_index,
  } = asking;
  // A run that has been canceled asks for nothing.
  if (isTerminal(run)) throw new ReadingStopped();
  await asking.checkLimits();
  const isPerson = source.kind === 'person';
  const asked = await jobs.packAsked(
    { workspace_id: run.workspace_id, run_id: run.id },
    {
      title: isPerson ? source.title : work.title,
      instructions: isPerson ? source.instructions : work.instructions,
      ...{ query, where, limit, items: work.items },
      ...(isPerson && { schema: source.schema }),
    },
  );
  const now = Date.now();
  const job: NewJob = {
    ...{ workspace_id: run.workspace_id, run_id: run.id, position, resume: run.resume_count, attempt: 1 },
    ...{ kind: source.kind, source: source.name, entity_type: source.entity_type, step_index },
    ...{ created_at: now, tell_at: now, deadline_at: now + source.timeout_seconds * 1000, asked },
    attempts: isPerson ? 1 : source.attempts,
    ...(!isPerson &&
      source.heartbeat_seconds !== undefined && { heartbeat_seconds: source.heartbeat_seconds }),
  };
  await asking.commit((present) =>
    isTerminal(present) || present.waiting
      ? { change: {} }
      : {
          change: { waiting: waitingFor(job, now, lookAt(job, present, now)) },
          effects: [jobs.newJobWrite(job)],
        },
  );
}

/** Brings an open job forward: sent, ended by the clock, or waited for. Returns when it may be over. */
async function wait(
  job: JobRecord,
  source: JobSource | undefined,
  asking: Asking,
  signal: AbortSignal,
): Promise<void> {
  if (isTerminal(asking.lease.run)) throw new ReadingStopped();
  const now = Date.now();
  if (now >= job.deadline_at) return end(job, asking, { status: 'timed_out', completed_at: now });
  if (now >= (beatDue(job) ?? Number.POSITIVE_INFINITY)) return replace(job, asking, now);
  if (job.sent_at === undefined && now >= job.tell_at && !(await sendJob(job, source, asking, signal)))
    return;
  await waitUntil(job, asking);
}

/** When a heartbeat is missed; undefined: none is expected, or not before the worker took the job. */
function beatDue({ heartbeat_seconds, sent_at, beat_at }: Partial<JobRecord>): number | undefined {
  if (heartbeat_seconds === undefined || sent_at === undefined) return undefined;
  return Math.max(sent_at, beat_at ?? 0) + heartbeat_seconds * 1000;
}

/** When the run looks at an open job again: its next attempt is due, a heartbeat is missed, or a deadline is over. */
function lookAt(job: NewJob & Partial<JobRecord>, run: RunRecord, now: number): number {
  if (job.tell_at > now) return job.tell_at;
  const due = beatDue({ ...job, sent_at: job.sent_at ?? now });
  const missed = due !== undefined && job.beat_at !== undefined ? Math.max(due, now + BEAT_CHECK_MS) : due;
  return Math.ceil(
    Math.min(job.deadline_at, missed ?? job.deadline_at, now + (leftMs(run, now) ?? Infinity)),
  );
}

/** Commits until when the run waits, unless that is known. Throws JobWaits; returns if the job is over. */
async function waitUntil(job: JobRecord, asking: Asking): Promise<void> {
  const now = Date.now();
  const job_id = jobIdOf(job);
  const { waiting } = asking.lease.run;
  if (waiting?.job_id === job_id && waiting.until !== undefined && waiting.until > now) throw new JobWaits();
  const run = await asking.commit((present) => {
    if (present.waiting?.job_id !== job_id) return { change: {} };
    return { change: { waiting: { ...present.waiting, until: lookAt(job, present, now) } } };
  });
  if (run.waiting?.job_id === job_id) throw new JobWaits();
}

/** A heartbeat was missed: the next attempt takes the place of this one, after the last one the time is up. */
async function replace(job: JobRecord, asking: Asking, now: number): Promise<void> {
  const next = nextAttempt(job, now, now);
  const how = { status: next ? 'replaced' : 'timed_out', completed_at: now } as const;
  await end(job, asking, how, { next, unchanged: 'beat_at' });
}

/**
 * Ends a job whose time is up. A message that came first holds: it was a commit of the run, or a heartbeat, which
 * `unchanged` names.
 */
async function end(
  job: JobRecord,
  asking: Asking,
  how: JobEnd,
  { next, unchanged }: { next?: NewJob | undefined; unchanged?: jobs.ByMessages } = {},
): Promise<void> {
  const job_id = jobIdOf(job);
  const hasEnded = await takesEffect(
    asking.commit((run) => {
      if (run.waiting?.job_id !== job_id) return { change: {} };
      const { since } = run.waiting;
      const until = next && lookAt(next, run, how.completed_at);
      return {
        change: { waiting: next && until !== undefined ? waitingFor(next, since, until) : undefined },
        effects: [jobs.overWrite(job, how, unchanged), ...(next ? [jobs.newJobWrite(next)] : [])],
      };
    }),
  );
  if (hasEnded) await tellClosed(job);
}

/**
 * Sends the job with the tries of a page, while it is open; after a crash it is sent again, with the same id and token.
 * A question is in the list even if its notification fails. False: the job is over. Throws SourceFailed, LimitReached.
 */
async function sendJob(
  job: JobRecord,
  source: JobSource | undefined,
  asking: Asking,
  signal: AbortSignal,
): Promise<boolean> {
  if (source?.kind !== job.kind)
    throw new SourceFailed(job.source, new SourceFailure('address', 'the source is no longer there'));
  const url = addressOf(source);
  if (url === undefined) return jobs.markSent(job, Date.now());
  const message = await jobRequested(job, await jobs.openAsked(job), asking.lease.run);
  const { onRetry } = asking;
  const sending = AbortSignal.any([signal, AbortSignal.timeout(timeFor(job, asking.lease.run))]);
  async function send(to: JobSource, url: string, attempt: number) {
    // A try whose answer was lost may have reached the worker, which may be done by now.
    if (attempt > 1 && (await isOver(job))) throw new JobOver();
    await asking.checkLimits();
    log.info('job sent', { source: job.source, job_id: message.job_id, attempt });
    await tell(to, url, message, sending);
  }
  try {
    await withRetry((attempt) => send(source, url, attempt), { signal: sending, onRetry });
  } catch (error) {
    if (signal.aborted) throw new ReadingStopped();
    if (sending.aborted) await asking.checkLimits();
    if (error instanceof JobOver) return false;
    if (!(error instanceof SourceFailure)) throw error;
    if (await isOver(job)) return false;
    if (source.kind === 'job') throw new SourceFailed(job.source, error);
    log.warn('a question is not notified', { source: job.source, reason: error.reason });
  }
  return jobs.markSent(job, Date.now());
}

/** A timer may fire a little before its time; the deadline must have passed when it does. */
const TIMER_MS = 2;

/** How long a job may be sent: until its deadline, or that of its run. */
function timeFor({ deadline_at }: JobRecord, run: RunRecord): number {
  const now = Date.now();
  return Math.max(0, Math.min(deadline_at - now, leftMs(run, now) ?? Number.POSITIVE_INFINITY)) + TIMER_MS;
}

async function isOver(job: JobRecord): Promise<boolean> {
  const present = await jobs.get(job);
  return present?.status !== 'open' || Date.now() >= present.deadline_at;
}
