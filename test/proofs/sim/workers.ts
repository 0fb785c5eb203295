// The workers of a history in one process: what they do with a job that they are sent, and what they were answered.
import { ApiError } from '#contract/errors.ts';
import type { JobKey } from '#contract/run-keys.ts';
import type { SentSchema } from '#contract/sent-schema.ts';
import { addJobItems, completeJob, failJob, progressJob } from '#domain/jobs/messages.ts';
import { jobOfToken } from '#domain/jobs/token.ts';
import type { Outcome, Send } from '#outbound/request.ts';
import type { JobSource } from '#store/workspaces/sources.ts';
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
/** The source of a simulation that asks a person. */
const person = 'person';
export const simulatedNames = [...namesOf(simulated), person];

export function namesOf(settings: readonly Setting[]): string[] {
  return settings.map((_, i) => `workers-${i}`);
}

/** Writes the sources that ask workers; their address ends with the workspace. */
export async function createWorkerSources(workspaceId: string, settings: readonly Setting[]): Promise<void> {
  for (const [i, setting] of settings.entries())
    await liveSources.create(sourceOf(workspaceId, `workers-${i}`, setting));
}

/** Writes a source of kind `person`, whose notifications go to the address of the workers. */
export async function createPersonSource(workspaceId: string): Promise<void> {
  await liveSources.create(sourceOf(workspaceId, person));
}

/** A source as operators write it; without a setting it asks a person. */
function sourceOf(workspaceId: string, name: string, setting?: Setting): JobSource {
  const url = `https://93.184.216.34/jobs/${workspaceId}`;
  const common = {
    ...{ workspace_id: workspaceId, name, created_at: Date.now() },
    ...{ description: 'Workers', entity_type: 'thing', fields: [] },
    sealed_secret: Buffer.from(`sealed ${workspaceId}`).toString('base64'),
    sealed_headers: Buffer.from(SEALED_HEADERS).toString('base64'),
  };
  if (setting) return { ...common, kind: 'job', url, ...setting };
  const words = { title: 'Approve', instructions: 'May it go on?', notify_url: url, timeout_seconds: 120 };
  return { ...common, kind: 'person', ...words, schema: answerSchema };
}

const answerSchema: SentSchema = {
  type: 'object',
  properties: { mark: { type: 'string' } },
  required: ['mark'],
};

/**
 * An operator replaces a source, or deletes it, or makes it again, while jobs of it may be open. Its settings are then
 * those of another.
 */
export async function changeSource(workspaceId: string, { pick, oneIn }: Random): Promise<void> {
  const name = pick(simulatedNames);
  const other = sourceOf(workspaceId, name, name === person ? undefined : pick(simulated));
  const present = await liveSources.get(workspaceId, name);
  if (!present) await liveSources.create(other);
  else if (oneIn(3)) await liveSources.remove(workspaceId, name);
  else await liveSources.replace({ ...other, created_at: present.created_at });
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
    const { event, job_id, token, answer_url, items } = JSON.parse(String(body));
    const known = workers.jobs.get(job_id);
    const job = known ?? newWorkedJob();
    workers.jobs.set(job_id, job);
    const mannersNow = isCalm() ? ['completes it'] : Object.keys(manners);
    const below = isCalm() ? () => 0 : chance.below;
    const told = { job_id, token: token ?? tokenIn(answer_url), is_person: token === undefined, below };
    if (event === 'job.canceled') job.is_canceled = true;
    else {
      job.asked = JSON.stringify(items);
      if (!known || chance.oneIn(2)) workers.begun.push(works(employed, job, told, chance.pick(mannersNow)));
    }
    return chance.oneIn(10) ? failed() : answered(202);
  };
}

const tokenIn = (answerUrl: unknown) => String(answerUrl).split('#token=')[1] ?? '';

interface Told {
  job_id: string;
  token: string;
  is_person: boolean;
  below: Random['below'];
}

async function works(
  employed: Employed,
  job: WorkedJob,
  { job_id, token, is_person, below }: Told,
  manner: string,
): Promise<void> {
  const { chance, workers, sleep, note } = employed;
  await sleep(chance.below(8000));
  note(`a worker ${manner}`);
  await worksOn(job, manner, {
    ...{ below, is_person },
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
      const reply = await request(work);
      if (chance.oneIn(15)) throw new Error('the reply is lost');
      const isFirst = Object(reply).accepted !== false;
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
