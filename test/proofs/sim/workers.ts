// The workers of a history in one process: what they do with a job that they are sent, and what they were answered.
import { ApiError } from '#contract/errors.ts';
import type { JobKey } from '#contract/run-keys.ts';
import { addJobItems, completeJob, failJob, progressJob } from '#domain/jobs/messages.ts';
import { jobOfToken } from '#domain/jobs/token.ts';
import type { Outcome, Send } from '#outbound/request.ts';
import * as liveSources from '#store/workspaces/sources.ts';
import { isDead } from '../../support/faults.ts';
import type { Random } from '../../support/random.ts';
import { manners } from '../workers/manners.ts';
import { type Message, newWorkedJob, type Sent, type WorkedJob, worksOn } from '../workers/worked-job.ts';
import { SEALED_HEADERS } from './seals.ts';

/** The workers of a history. */
export interface Workers {
  jobs: Map<string, WorkedJob>;
  /** Their work, as far as it has begun. */
  begun: Promise<void>[];
  messages: number;
}

/** Workers who have heard of nothing. */
export const newWorkers = (): Workers => ({ jobs: new Map(), begun: [], messages: 0 });

/** A history as its workers see it. */
export interface Employed {
  workspace_id: string;
  chance: Random;
  workers: Workers;
  sleep(ms: number): Promise<void>;
  /** Carries out a request. Throws what it throws, and when its process dies. */
  request<T>(work: () => Promise<T>): Promise<T>;
  note(what: string): void;
  /** A worker is never answered. */
  gaveUp(what: string): void;
}

/** What the sources have that ask them; seconds. */
export interface Setting {
  timeout_seconds: number;
  attempts: number;
  heartbeat_seconds?: number;
}

/** Those of a simulation. The first one has no heartbeat and one attempt. */
export const simulated: readonly Setting[] = [
  { timeout_seconds: 60, attempts: 1 },
  { timeout_seconds: 90, attempts: 2, heartbeat_seconds: 15 },
  { timeout_seconds: 120, attempts: 3, heartbeat_seconds: 30 },
  { timeout_seconds: 120, attempts: 3 },
];
/** The longest that a fetch waits for its jobs, and as late as a missed heartbeat is noticed. */
export const JOB_MS = 120_000 + 60_000;
export const namesOf = (settings: readonly Setting[]) => settings.map((_, i) => `workers-${i}`);

/** Writes the sources that ask workers; their address ends with the workspace. */
export async function createWorkerSources(workspaceId: string, settings: readonly Setting[]): Promise<void> {
  const url = `https://93.184.216.34/jobs/${workspaceId}`;
  for (const [i, setting] of settings.entries())
    await liveSources.create({
      ...{ workspace_id: workspaceId, kind: 'job', name: `workers-${i}`, url, created_at: Date.now() },
      ...{ description: 'Workers', entity_type: 'thing', fields: [], ...setting },
      sealed_secret: Buffer.from(`sealed ${workspaceId}`).toString('base64'),
      sealed_headers: Buffer.from(SEALED_HEADERS).toString('base64'),
    });
}

/**
 * Where jobs are sent. Some do not arrive, of some the reply is lost, and what comes twice may be done twice. Calm
 * workers complete what they get, always with as much: a fault before must not change what comes of it.
 */
export function workerWire(employed: Employed, isCalm: () => boolean): Send {
  const { chance, workers } = employed;
  const failed = (): Outcome => ({ kind: 'failed', error: 'ECONNRESET', duration_ms: 1 });
  const answered = (status: number): Outcome => ({
    ...{ kind: 'response', status, headers: {}, body: Buffer.alloc(0), duration_ms: 1 },
  });
  return async ({ body = '' }) => {
    await employed.sleep(chance.below(3000));
    if (isDead() || chance.oneIn(10)) return failed();
    if (chance.oneIn(12)) return answered(chance.pick([400, 429, 500, 503]));
    const { event, job_id, token } = JSON.parse(String(body));
    const known = workers.jobs.get(job_id);
    const job = known ?? newWorkedJob();
    workers.jobs.set(job_id, job);
    const mannersNow = isCalm() ? ['completes it'] : Object.keys(manners);
    const below = isCalm() ? () => 0 : chance.below;
    if (event === 'job.canceled') job.is_canceled = true;
    else if (!known || chance.oneIn(2))
      workers.begun.push(works(employed, job, { job_id, token, below }, chance.pick(mannersNow)));
    return chance.oneIn(10) ? failed() : answered(202);
  };
}

async function works(
  employed: Employed,
  job: WorkedJob,
  { job_id, token, below }: { job_id: string; token: string; below: Random['below'] },
  manner: string,
): Promise<void> {
  const { chance, workers, sleep, note } = employed;
  await sleep(chance.below(8000));
  note(`a worker ${manner}`);
  await worksOn(job, manner, {
    below,
    sleep,
    newMark() {
      workers.messages += 1;
      return `message ${workers.messages}`;
    },
    say: (message, sent) => says(employed, message, async () => act(await jobOfToken(token, job_id), sent)),
  });
}

function act(key: JobKey, { verb, body }: Sent): Promise<unknown> {
  switch (verb) {
    case 'complete':
      return completeJob(key, async () => body);
    case 'fail':
      return failJob(key, async () => body);
    case 'items':
      return addJobItems(key, async () => body);
    case 'progress':
      return progressJob(key, async () => body);
  }
}

/** A worker gives up after this long. */
const PATIENCE_MS = 20 * 60_000;
const refusals: Readonly<Record<string, Message['answer']>> = {
  job_over: 'over',
  job_not_found: 'over',
  schema_validation_failed: 'refused',
};

/** Sends a message again until it is answered, as a worker does, and notes the answer. */
async function says(employed: Employed, message: Message, work: () => Promise<unknown>): Promise<void> {
  const { chance, sleep, request, note, gaveUp } = employed;
  let trouble: unknown;
  const answered = (answer: Message['answer'], what: string) => {
    note(what);
    Object.assign(message, { answer, is_doubted: trouble !== undefined });
  };
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; ) {
    try {
      const isFirst = Object(await request(work)).accepted !== false;
      return isFirst
        ? answered('accepted', 'a message of a worker is taken')
        : answered('not accepted', 'a message of a worker comes second');
    } catch (error) {
      const refusal = error instanceof ApiError ? refusals[error.code] : undefined;
      if (error instanceof ApiError && refusal)
        return answered(refusal, `a worker is answered ${error.code}`);
      trouble = error;
      await sleep(100 + chance.below(900));
    }
  }
  gaveUp(`a worker is never answered: ${trouble instanceof Error ? trouble.stack : trouble}`);
}
