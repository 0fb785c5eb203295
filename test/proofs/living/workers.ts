// Workers on loopback that a living service asks: they take its jobs, and answer each in a manner that a seed gives.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import type { Ask } from '../ask.ts';
import { random } from '../random.ts';
import { manners } from '../workers/manners.ts';
import { type Message, newWorkedJob, type Sent, type WorkedJob, worksOn } from '../workers/worked-job.ts';
import { wasRefused } from './checkers/recorder.ts';

/** A job that a worker has heard of, and where its messages are recorded. */
export interface LivingJob extends WorkedJob {
  run_id: string;
  step_index: number;
  attempt: number;
  send: Ask;
}

export interface Workers {
  /** The sources that ask them, to be set up. */
  sources: SourceFile[];
  jobs: Map<string, LivingJob>;
  /** Waits until all have done what they had begun. */
  rest(): Promise<void>;
  close(): void;
}

interface SourceFile {
  kind: 'job';
  name: string;
  url: string;
  description: string;
  entity_type: string;
  headers: Record<string, string>;
  fields: [];
  timeout_seconds: number;
  attempts: number;
  heartbeat_seconds?: number;
}

/** What the sources have that ask them; a heartbeat is missed as soon as it may be. */
const settings = [
  { timeout_seconds: 60, attempts: 5, heartbeat_seconds: 10 },
  { timeout_seconds: 10, attempts: 1 },
  { timeout_seconds: 60, attempts: 3 },
];
export const workerSources = settings.map((_, i) => `workers-${i}`);

/** Manners are of minutes; here they take a tenth of that. */
const FASTER = 10;
const BEGINS_WITHIN_MS = 300;
/** One job in this many is not taken, or its worker is busy, or the reply is lost. */
const TROUBLED = 8;
/** A worker gives up after this long. */
const PATIENCE_MS = 3 * 60_000;
const PAUSE_MS = 100;

/** Listens until it is closed. `sendNow` sends requests for a job that is heard of now. */
export async function employWorkers(seed: number, sendNow: () => Ask): Promise<Workers> {
  const jobs = new Map<string, LivingJob>();
  const begun: Promise<void>[] = [];
  const chance = random(seed, -1);
  let messages = 0;
  const server = createServer(async (request, response) => {
    const told = JSON.parse(await text(request).catch(() => '{}'));
    const { event, job_id, run_id, step_index, attempt, token } = told;
    const trouble = chance.below(TROUBLED);
    if (trouble === 0) return void response.writeHead(503).end();
    const known = jobs.get(job_id);
    if (event === 'job.canceled') {
      if (known) known.is_canceled = true;
      return void response.writeHead(204).end();
    }
    const job = known ?? { ...newWorkedJob(), run_id, step_index, attempt, send: sendNow() };
    jobs.set(job_id, job);
    // What comes twice may be done twice.
    if (!known || chance.chance(0.5)) begun.push(works(job, job_id, token));
    if (trouble === 1) request.socket.destroy();
    else response.writeHead(202).end();
  });
  function works(job: LivingJob, jobId: string, token: string): Promise<void> {
    const manner = chance.pick(Object.keys(manners));
    const working = {
      below: chance.below,
      sleep: (ms: number) => wait(ms / FASTER),
      newMark() {
        messages += 1;
        return `message ${messages}`;
      },
      say: (message: Message, sent: Sent) => says(job.send, { jobId, token }, message, sent),
    };
    return wait(chance.below(BEGINS_WITHIN_MS)).then(() => worksOn(job, manner, working));
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the workers have no port');
  const url = `http://127.0.0.1:${address.port}/jobs`;
  return {
    sources: settings.map((setting, i) => ({
      ...{ kind: 'job', name: `workers-${i}`, url, description: 'Workers', entity_type: 'thing' },
      ...{ headers: {}, fields: [], ...setting },
    })),
    jobs,
    rest: async () => void (await Promise.all(begun)),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** What a status says of a message; a worker sends it again after any other. */
function answerIn(status: number, body: { accepted?: boolean }): Message['answer'] | undefined {
  if (status === 200) return body.accepted === false ? 'not accepted' : 'accepted';
  if (status === 409 || status === 404) return 'over';
  return status === 422 ? 'refused' : undefined;
}

/** Sends a message again until it is answered, as a worker does, and writes its answer down. */
async function says(
  send: Ask,
  { jobId, token }: { jobId: string; token: string },
  message: Message,
  { verb, body }: Sent,
): Promise<void> {
  let isDoubted = false;
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await wait(PAUSE_MS)) {
    try {
      const reply = await send({ method: 'POST', path: `/jobs/${jobId}/${verb}`, body, token });
      const answer = answerIn(reply.status, reply.body);
      if (answer) return void Object.assign(message, { answer, is_doubted: isDoubted });
      isDoubted = true;
    } catch (error) {
      isDoubted ||= !wasRefused(error);
    }
  }
}
