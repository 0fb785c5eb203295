// The workers of a simulated history: what they do with a job that they are sent, and what they were answered.
import { ApiError } from '#contract/errors.ts';
import type { JobUsage } from '#contract/jobs.ts';
import type { SourceItem } from '#contract/live-sources.ts';
import type { JobKey } from '#contract/run-keys.ts';
import { addJobItems, completeJob, failJob, progressJob } from '#domain/jobs/messages.ts';
import { jobOfToken } from '#domain/jobs/token.ts';
import type { Outcome, Send } from '#outbound/request.ts';
import * as liveSources from '#store/workspaces/sources.ts';
import { isDead } from '../../support/faults.ts';
import { type Cloud, invoke, note, SEALED_HEADERS } from './cloud.ts';

/** No reply, or none that a client can use: it may have been taken. */
type Answer = 'accepted' | 'not accepted' | 'over' | 'none';

interface Message {
  /** Its items, by their names, or what it says: no other message has the same. */
  marks: string[];
  usage: JobUsage | undefined;
  answer: Answer;
  /** A try had no answer, so an answer that says no may be to its repetition. */
  is_doubted: boolean;
}

/** What a worker knows of a job. */
export interface WorkedJob {
  completes: Message[];
  fails: Message[];
  /** The pages that were sent, by their numbers. */
  pages: (Message & { page: number })[];
  /** The run has closed it. */
  is_canceled: boolean;
}

export interface Workers {
  jobs: Map<string, WorkedJob>;
  /** Their work, as far as it has begun. */
  begun: Promise<void>[];
  messages: number;
}

type World = Cloud & { workspace_id: string; endless: boolean; workers: Workers };

/** What the sources have that ask them; seconds. The first one has no heartbeat and one attempt. */
const settings = [
  { timeout_seconds: 60, attempts: 1 },
  { timeout_seconds: 90, attempts: 2, heartbeat_seconds: 15 },
  { timeout_seconds: 120, attempts: 3, heartbeat_seconds: 30 },
  { timeout_seconds: 120, attempts: 3 },
];
/** The longest that a fetch waits for its jobs, and as late as a missed heartbeat is noticed. */
export const JOB_MS = 120_000 + 60_000;
export const workerSources = settings.map((_, i) => `workers-${i}`);

/** Writes the sources that ask workers. */
export async function createWorkerSources(workspaceId: string): Promise<void> {
  for (const [i, setting] of settings.entries())
    await liveSources.create({
      ...{ workspace_id: workspaceId, kind: 'job', name: `workers-${i}`, url: 'https://93.184.216.34/jobs' },
      ...{ description: 'Workers', entity_type: 'thing', fields: [], created_at: Date.now(), ...setting },
      sealed_secret: Buffer.from(`sealed ${workspaceId}`).toString('base64'),
      sealed_headers: Buffer.from(SEALED_HEADERS).toString('base64'),
    });
}

/**
 * Where jobs are sent. Some do not arrive, of some the reply is lost, and what comes twice may be done twice. Calm
 * workers complete what they get.
 */
export function workerWire(world: World, calm: boolean): Send {
  const mannersNow = calm ? ['completes it'] : Object.keys(manners);
  const { scheduler, chance, workers } = world;
  const failed = (): Outcome => ({ kind: 'failed', error: 'ECONNRESET', duration_ms: 1 });
  const answered = (status: number): Outcome => ({
    ...{ kind: 'response', status, headers: {}, body: Buffer.alloc(0), duration_ms: 1 },
  });
  return async ({ body = '' }) => {
    await scheduler.sleep(chance.below(3000));
    if (isDead() || chance.oneIn(10)) return failed();
    if (chance.oneIn(12)) return answered(chance.pick([400, 429, 500, 503]));
    const { event, job_id, token } = JSON.parse(String(body));
    const known = workers.jobs.get(job_id);
    const job = known ?? { completes: [], fails: [], pages: [], is_canceled: false };
    workers.jobs.set(job_id, job);
    if (event === 'job.canceled') job.is_canceled = true;
    else if (!known || chance.oneIn(2))
      workers.begun.push(works(world, job, { job_id, token }, chance.pick(mannersNow)));
    return chance.oneIn(10) ? failed() : answered(202);
  };
}

/** What one worker can do with a job. */
interface Acts {
  world: World;
  sleep(ms: number): Promise<void>;
  complete(): Promise<void>;
  fail(retry: boolean): Promise<void>;
  page(page: number): Promise<void>;
  progress(): Promise<void>;
}

const manners: Record<string, (acts: Acts) => Promise<unknown>> = {
  'completes it': ({ complete }) => complete(),
  'sends pages in any order': async ({ page, complete, world: { chance } }) => {
    for (let i = 0; i < 3; i += 1) await page(chance.below(3));
    await complete();
  },
  'sends all at once': ({ page, progress, complete }) =>
    Promise.all([page(1), page(0), page(1), progress(), complete()]),
  'completes it twice': ({ complete }) => Promise.all([complete(), complete()]),
  'completes it again later': async ({ complete, sleep }) => {
    await complete();
    await sleep(5000);
    await complete();
  },
  'completes and fails it': ({ complete, fail, world: { chance } }) =>
    Promise.all([complete(), fail(chance.oneIn(2))]),
  'fails it': ({ fail }) => fail(false),
  'asks for another attempt': ({ fail }) => fail(true),
  'asks for another attempt and is late': async ({ fail, sleep, complete }) => {
    await fail(true);
    await sleep(3000);
    await complete();
  },
  'works for long': async ({ progress, page, complete, sleep, world: { chance } }) => {
    for (let i = 0; i < 6; i += 1) {
      await sleep(chance.below(16_000));
      await (chance.oneIn(3) ? page(i) : progress());
    }
    await complete();
  },
  'is late': async ({ sleep, complete, world: { chance } }) => {
    await sleep(10_000 + chance.below(150_000));
    await complete();
  },
  'dies at once': async () => undefined,
  'dies at work': ({ page, progress }) => Promise.all([page(0), progress()]),
};

async function works(
  world: World,
  job: WorkedJob,
  told: { job_id: string; token: string },
  manner: string,
): Promise<void> {
  const { scheduler, chance, workers } = world;
  await scheduler.sleep(chance.below(8000));
  note(world, `a worker ${manner}`);
  const newMessage = (): Message => {
    workers.messages += 1;
    const marks = Array.from(
      { length: 1 + (workers.messages % 2) },
      (_, i) => `message ${workers.messages}.${i}`,
    );
    const usage = chance.oneIn(2)
      ? { cost_usd: (1 + chance.below(9)) / 1000, input_tokens: chance.below(9), output_tokens: 1 }
      : undefined;
    return { marks, usage, answer: 'none', is_doubted: true };
  };
  const says = (message: Message, work: (key: JobKey) => Promise<unknown>) =>
    sends(world, message, async () => work(await jobOfToken(told.token, told.job_id)));
  await manners[manner]?.({
    world,
    sleep: scheduler.sleep,
    complete() {
      const message = newMessage();
      job.completes.push(message);
      const { usage } = message;
      return says(message, (key) =>
        completeJob(key, async () => ({ items: itemsOf(message), answer: undefined, usage })),
      );
    },
    fail(retry) {
      const message = newMessage();
      job.fails.push(message);
      const { usage } = message;
      return says(message, (key) =>
        failJob(key, async () => ({ message: message.marks.join(), retry, usage })),
      );
    },
    page(page) {
      const message = { ...newMessage(), usage: undefined, page };
      job.pages.push(message);
      return says(message, (key) => addJobItems(key, async () => ({ page, items: itemsOf(message) })));
    },
    progress: () =>
      says(newMessage(), (key) => progressJob(key, async () => ({ items_done: 1, items_total: 2 }))),
  });
}

const itemsOf = ({ marks }: Message): SourceItem[] =>
  marks.map((name) => ({ name, fields: {}, ...{ id: undefined, type: undefined, external_uri: undefined } }));

/** A worker gives up after this long. */
const PATIENCE_MS = 20 * 60_000;

/** Sends a message again until it is answered, as a worker does, and notes the answer. */
async function sends(world: World, message: Message, work: () => Promise<unknown>): Promise<void> {
  let trouble: unknown;
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; ) {
    try {
      const reply = await invoke(world, world.workspace_id, work);
      const isFirst = Object(reply).accepted !== false;
      note(world, isFirst ? 'a message of a worker is taken' : 'a message of a worker comes second');
      Object.assign(message, {
        answer: isFirst ? 'accepted' : 'not accepted',
        is_doubted: trouble !== undefined,
      });
      return;
    } catch (error) {
      if (error instanceof ApiError && ['job_over', 'job_not_found'].includes(error.code)) {
        note(world, `a worker is answered ${error.code}`);
        Object.assign(message, { answer: 'over', is_doubted: trouble !== undefined });
        return;
      }
      trouble = error;
      await world.scheduler.sleep(100 + world.chance.below(900));
    }
  }
  const never = `a worker is never answered: ${trouble instanceof Error ? trouble.stack : trouble}`;
  if (!world.endless) world.seen.push(never);
}
