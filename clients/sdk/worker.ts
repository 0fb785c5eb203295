// A worker of jobs: takes them as the service sends them, runs a handler and reports what it returns.
import { linked, pause } from './abort.ts';
import { isApiError } from './errors.ts';
import { sender } from './http.ts';
import { Jobs } from './job-calls.ts';
import type { CompleteJob, JobRequested, JobUsage, ProgressJob, SourceItem } from './types.ts';
import { verify, WebhookError } from './verify-webhook.ts';
import { textOf } from './webhook-keys.ts';

export interface JobContext {
  /** Says how far the work is, and that it goes on. Throws when the job is over, and for what is no progress. */
  progress(body?: ProgressJob): Promise<void>;
  /** Fires when the job is over: nothing that is returned then counts. */
  signal: AbortSignal;
}

/** What a handler returns: items, or items with what the work has used. */
export type JobResult = readonly SourceItem[] | { items?: readonly SourceItem[]; usage?: JobUsage };

export type JobHandler = (job: JobRequested, context: JobContext) => Promise<JobResult> | JobResult;

export interface WorkerOptions {
  /** When the request is answered at the latest, while the work goes on; Infinity waits for its end. Default: 8,000. */
  answerAfterMs?: number;
  /** Called with what a handler throws, and with reports that the service did not take. Default: console.error. */
  onError?: (error: unknown, job: JobRequested) => void;
  /** Sends the reports. */
  fetch?: typeof fetch;
}

/** The service waits 10 s for an answer. */
const ANSWER_AFTER_MS = 8000;
/** Work that is done is worth a minute of retries. */
const REPORT_RETRIES = 10;
const PROGRESS_RETRIES = 1;
const MESSAGE_MAX_CHARACTERS = 500;

interface Running {
  abort(reason: unknown): void;
  /** Whether the service has the report, or wants none. */
  work: Promise<boolean>;
}

/**
 * A handler of web requests that does the jobs of one source. `secret` is the source's; of several, one must have
 * signed. The same job sent twice runs once while the first is at work. Throws TypeError for a secret that is not set.
 */
export function worker(
  secret: string | undefined | readonly (string | undefined)[],
  handler: JobHandler,
  options: WorkerOptions = {},
): (request: Request) => Promise<Response> {
  const secrets = [secret].flat().map(textOf);
  if (secrets.length === 0) textOf(undefined);
  const keys = secrets.map((one) => ({ secret: one }));
  const running = new Map<string, Running>();
  return async (request) => {
    let sent: unknown;
    try {
      sent = await verify(new Uint8Array(await request.arrayBuffer()), request.headers, keys);
    } catch (error) {
      return new Response(String(error), { status: error instanceof WebhookError ? 401 : 400 });
    }
    const { event, job_id: id } = Object(sent);
    if (event === 'job.canceled') {
      running.get(id)?.abort(new Error('The job is over.'));
      return new Response();
    }
    if (!isJob(sent)) return new Response('No job of a worker', { status: 400 });
    const job = running.get(id) ?? start(sent, handler, options);
    if (!running.has(id)) {
      running.set(id, job);
      void job.work.then(() => running.delete(id));
    }
    return answer(job.work, options.answerAfterMs ?? ANSWER_AFTER_MS);
  };
}

function isJob(sent: unknown): sent is JobRequested {
  const { event, job_id, job_url, token } = Object(sent);
  const names = [job_id, job_url, token];
  return event === 'job.requested' && names.every((one) => typeof one === 'string') && URL.canParse(job_url);
}

/** The answer of a request: at the end of the work, or before it. */
async function answer(work: Promise<boolean>, atMostMs: number): Promise<Response> {
  const { signal, abort } = linked();
  const late = atMostMs === Number.POSITIVE_INFINITY ? work : pause(atMostMs, signal).catch(() => undefined);
  const reported = await Promise.race([work, late]);
  abort(undefined);
  // A job whose report is lost is sent again.
  return new Response(null, { status: reported === false ? 503 : 202 });
}

/** Starts the work of a job. It never rejects. */
function start(job: JobRequested, handler: JobHandler, options: WorkerOptions): Running {
  const { signal, abort } = linked();
  const baseUrl = job.job_url.replace(/\/jobs\/[^/]*$/, '');
  const service = { apiKey: job.token, baseUrl, maxRetries: REPORT_RETRIES };
  const jobs = new Jobs(sender(options.fetch ? { ...service, fetch: options.fetch } : service));
  const onError = options.onError ?? console.error;
  /** Reports; false when that failed. What comes for a job that is over is not wanted. */
  const report = async (send: () => Promise<unknown>): Promise<boolean> => {
    try {
      if (!signal.aborted) await send();
    } catch (error) {
      if (!isApiError(error, 'job_over')) throw error;
      abort(error);
    }
    return true;
  };
  const progress = async (body: ProgressJob = {}) => {
    signal.throwIfAborted();
    await report(() => jobs.progress(job.job_id, body, { maxRetries: PROGRESS_RETRIES })).catch((error) => {
      // The work is worth more than one heartbeat; what is refused is a mistake of the handler.
      if (isApiError(error) && error.status < 429) throw error;
    });
    signal.throwIfAborted();
  };
  const work = async () => {
    try {
      const body = resultIn(await handler(job, { progress, signal }));
      return await report(() => jobs.complete(job.job_id, body));
    } catch (error) {
      if (signal.aborted) return true;
      onError(error, job);
      return report(() => jobs.fail(job.job_id, { message: messageOf(error), retry: true }));
    }
  };
  const safely = work().catch((error) => {
    onError(error, job);
    return false;
  });
  return { abort, work: safely };
}

/** What a handler has returned; nothing is no items. Throws TypeError for what is no result. */
function resultIn(returned: unknown): CompleteJob {
  const given = returned ?? {};
  const whole = Symbol.iterator in Object(given) ? { items: given } : Object(given);
  const isResult = 'items' in whole || 'usage' in whole || Object.keys(whole).length === 0;
  if (typeof given !== 'object' || !isResult)
    throw new TypeError('The handler returned neither a list of items nor an object with items or usage.');
  const { items = [], usage } = whole;
  return { items: [...items], ...(usage && { usage }) };
}

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  // Half of a pair is no character.
  const cut = message.slice(0, MESSAGE_MAX_CHARACTERS).replace(/[\ud800-\udbff]$/, '');
  return cut || 'The worker failed.';
}
