// Runs that ask a worker or a person, on the stack that was made: its state machine parks them and goes on.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { ApiError } from '#contract/errors.ts';
import { JobCanceled, JobRequested } from '#contract/jobs.ts';
import { SourceFile } from '#contract/live-sources.ts';
import { Plan } from '#contract/plans.ts';
import { jobIdOf } from '#contract/run-keys.ts';
import type { CallerWithCosts } from '#domain/access/authenticate.ts';
import { cancelRun } from '#domain/commands/cancel-run.ts';
import { addJobItems, completeJob, failJob, progressJob } from '#domain/jobs/messages.ts';
import { jobOfToken } from '#domain/jobs/token.ts';
import { createSource } from '#domain/sources/manage-sources.ts';
import { startExecution } from '#orchestration/executions.ts';
import * as jobs from '#store/runs/jobs.ts';
import type { RunRecord } from '#store/runs/run-record.ts';
import * as runs from '#store/runs/runs.ts';
import { verify } from '../../../../clients/sdk/index.ts';
import { actor, caller, givenRun } from '../../../support/runs.ts';

const WITHIN_MS = 60_000;
const LOOKS_EVERY_MS = 50;

async function until<T>(what: string, look: () => Promise<T | undefined> | T | undefined): Promise<T> {
  for (const end = Date.now() + WITHIN_MS; Date.now() < end; await pause(LOOKS_EVERY_MS)) {
    const found = await look();
    if (found !== undefined) return found;
  }
  throw new Error(`never came: ${what}`);
}

interface Worker {
  /** The `number`-th job that it is sent about a run, from 0. */
  job(run: RunRecord, number?: number): Promise<JobRequested>;
  /** Waits until it hears that a job is canceled. */
  canceled(job: JobRequested): Promise<JobCanceled>;
}

/** A workspace with a worker on loopback, the source `scorer`, and a person, the source `approval`. */
async function workplace(): Promise<{ by: CallerWithCosts; worker: Worker }> {
  const sent: unknown[] = [];
  const server = createServer(async (request, response) => {
    const headers = new Headers(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    sent.push(await verify(await text(request), headers, { secret }));
    response.writeHead(202).end();
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const by = await caller(100);
  const { workspace_id } = by.workspace;
  const scorer = { kind: 'job', name: 'scorer', url: `http://127.0.0.1:${port}/`, description: 'Scores' };
  const schema = { type: 'object', properties: { approved: { type: 'boolean' } } };
  const approval = { kind: 'person', name: 'approval', title: 'Go on?', schema };
  const { secret } = await createSource(workspace_id, SourceFile.parse(scorer), actor);
  await createSource(workspace_id, SourceFile.parse(approval), actor);
  const found = <T>(schema: { safeParse(value: unknown): { data?: T } }) =>
    sent.flatMap((one) => schema.safeParse(one).data ?? []);
  const worker: Worker = {
    job: (run, number = 0) =>
      until('a job', () => found(JobRequested).filter(({ run_id }) => run_id === run.id)[number]),
    canceled: (job) =>
      until('the end of a job', () => found(JobCanceled).find(({ job_id }) => job_id === job.job_id)),
  };
  return { by, worker };
}

/** A run that asks these sources, under way. */
async function asks(by: CallerWithCosts, ...sources: string[]): Promise<RunRecord> {
  const steps = sources.map((source) => ({ kind: 'fetch', title: source, params: { source } }));
  const run = await givenRun(by, { steps: Plan.parse({ title: 'P', steps }).steps });
  await startExecution({ workspace_id: run.workspace_id, run_id: run.id }, run.id);
  return run;
}

const now = async ({ workspace_id, id }: RunRecord) => (await runs.get(workspace_id, id)) ?? undefined;

/** The run, once its execution waits for this job on a token. */
const parked = (run: RunRecord, job_id: string) =>
  until('a token', async () => {
    const present = await now(run);
    return present?.waiting?.job_id === job_id && present.task_token !== undefined ? present : undefined;
  });

/** How the run ends: its status, and the items that its steps passed on. */
async function endOf(run: RunRecord): Promise<[string, unknown]> {
  const ended = await until('an end', async () => {
    const present = await now(run);
    return present?.completed_at === undefined ? undefined : present;
  });
  return [ended.status, ended.steps.map(({ items_out }) => items_out ?? null)];
}

const item = (name: string) => ({
  name,
  fields: { score: 1 },
  id: undefined,
  type: undefined,
  external_uri: undefined,
});
/** What a message says, as a route reads it. */
const sends =
  <T>(message: T) =>
  async () =>
    message;
const codeOf = (error: unknown) => (error instanceof ApiError ? error.code : String(error));

/** What must come out of calls of the service. */
export interface Trial {
  name: string;
  expected: unknown;
  act(): Promise<unknown>;
}

export const jobTrials: Trial[] = [
  {
    name: 'jobs: a job is sent, parked, reported on and completed, and its run ends',
    expected: [1, { accepted: true }, { accepted: false }, ['succeeded', [3]]],
    async act() {
      const { by, worker } = await workplace();
      const run = await asks(by, 'scorer');
      const { attempt, job_id, token } = await worker.job(run);
      await parked(run, job_id);
      const key = await jobOfToken(token, job_id);
      await progressJob(key, sends({ items_done: 1, items_total: 3 }));
      await addJobItems(key, sends({ page: 0, items: [item('a'), item('b')] }));
      const usage = { cost_usd: 0.01, input_tokens: 1 };
      const completed = await completeJob(key, sends({ items: [item('c')], usage }));
      return [attempt, completed, await completeJob(key, sends({})), await endOf(run)];
    },
  },
  {
    name: 'jobs: one that fails is sent again when its time comes, and the run waits with its token until then',
    expected: [{ accepted: true }, 2, 'job_over', ['succeeded', [1]]],
    async act() {
      const { by, worker } = await workplace();
      const run = await asks(by, 'scorer');
      const first = await worker.job(run);
      await parked(run, first.job_id);
      const failed = await failJob(
        await jobOfToken(first.token, first.job_id),
        sends({
          message: 'no',
          retry: true,
        }),
      );
      const second = await worker.job(run, 1);
      await parked(run, second.job_id);
      const late = await completeJob(await jobOfToken(first.token, first.job_id), sends({})).catch(codeOf);
      await completeJob(await jobOfToken(second.token, second.job_id), sends({ items: [item('a')] }));
      return [failed, second.attempt, late, await endOf(run)];
    },
  },
  {
    name: 'jobs: a person answers between two jobs of a worker',
    expected: ['person', { accepted: true }, ['succeeded', [0, 1, 0]]],
    async act() {
      const { by, worker } = await workplace();
      const run = await asks(by, 'scorer', 'approval', 'scorer');
      const first = await worker.job(run);
      await completeJob(await jobOfToken(first.token, first.job_id), sends({ items: [] }));
      const question = await until(
        'the question',
        async () => (await jobs.list({ workspace_id: run.workspace_id, run_id: run.id }, 1))[0],
      );
      const { waiting } = await parked(run, jobIdOf(question));
      const answered = await completeJob(question, sends({ answer: { approved: true } }));
      const last = await worker.job(run, 1);
      await completeJob(await jobOfToken(last.token, last.job_id), sends({ items: [] }));
      return [waiting?.reason, answered, await endOf(run)];
    },
  },
  {
    name: 'jobs: a cancel while a run waits closes its job, and the worker hears of it',
    expected: ['job.canceled', 'job_over', ['canceled', [null]]],
    async act() {
      const { by, worker } = await workplace();
      const run = await asks(by, 'scorer');
      const job = await worker.job(run);
      await parked(run, job.job_id);
      await cancelRun(run.workspace_id, run.id, undefined);
      const { event } = await worker.canceled(job);
      const late = await completeJob(await jobOfToken(job.token, job.job_id), sends({})).catch(codeOf);
      return [event, late, await endOf(run)];
    },
  },
];
