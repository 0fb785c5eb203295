// `runs work`: takes the open jobs of a source, one after another, and reports what a program makes of them.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { ApiError, type Job, type RunService } from '../../sdk/index.ts';
import type { ExitName } from '../exit-codes.ts';
import { counted } from '../output/amounts.ts';
import { messageOf, misuse, Problem } from '../problem.ts';
import type { Context } from '../surroundings.ts';
import { jobResult } from './job-result.ts';
import { runProgram } from './run-program.ts';

interface Work {
  service: Pick<RunService, 'jobs' | 'sources'>;
  source: string;
  program: readonly string[];
  /** Where the service may send the jobs; none is read from there. */
  port: number | undefined;
  /** Ends with the first job. */
  once: boolean;
  say(line: string): void;
}

const POLL_MS = 1000;
/** The shortest heartbeat of a source is 10 s. */
const HEARTBEAT_MS = 4000;
const MESSAGE_MAX_CHARACTERS = 500;
/** The largest page: the oldest job of it comes first. */
const LISTED_MAX = 100;

/** Takes jobs until Ctrl-C. One that is at work then stays open, to be taken again. */
export async function takeJobs(context: Context, work: Work): Promise<ExitName> {
  await checkSource(context, work);
  const receiver = work.port === undefined ? undefined : await receiverOn(work.port);
  try {
    return await taking(context, work);
  } finally {
    receiver?.close();
  }
}

/** Throws Problem for a source that has no jobs: one would wait for them in vain. */
async function checkSource({ interrupted }: Context, { service, source }: Work): Promise<void> {
  const all = await service.sources.list({ signal: interrupted });
  const names = all.filter(({ kind }) => kind === 'job').map(({ name }) => name);
  if (names.includes(source)) return;
  const known = names.length === 0 ? 'there is none' : `there is ${names.join(', ')}`;
  throw new Problem('not_found', `--source ${source} is no source of kind job; ${known}`);
}

/** Takes what the service sends to the source, which goes on only when that has been taken. */
async function receiverOn(port: number) {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(202).end());
  });
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    throw misuse(`--port ${port}: ${messageOf(error)}`);
  }
  return server;
}

async function taking(context: Context, work: Work): Promise<ExitName> {
  const signal = context.interrupted;
  const { service, source, say } = work;
  /** Jobs whose report was refused: they are not taken again. */
  const left = new Set<string>();
  say(`taking jobs of ${source}; Ctrl-C stops`);
  for (;;) {
    const { data } = await service.jobs.list(
      { status: 'open', kind: 'job', source, limit: LISTED_MAX },
      { signal },
    );
    const next = data.findLast(({ job_id }) => !left.has(job_id));
    if (!next) {
      await pause(POLL_MS, undefined, { signal });
      continue;
    }
    left.add(next.job_id);
    say(`${next.job_id}: ${await outcomeOf(context, work, next.job_id)}`);
    if (work.once) return 'ok';
  }
}

/** Does a job and reports it. */
async function outcomeOf(context: Context, work: Work, id: string): Promise<string> {
  try {
    return await done(context, work, await work.service.jobs.get(id, { signal: context.interrupted }));
  } catch (error) {
    // It ended while it was at work, or its run is gone.
    if (error instanceof ApiError && [404, 409].includes(error.status)) return error.message;
    throw error;
  }
}

async function done(context: Context, { service: { jobs }, program, say }: Work, job: Job): Promise<string> {
  const { interrupted } = context;
  say(`${job.job_id}: ${job.title}, ${counted(job.items_in.length, 'item')}`);
  const over = new AbortController();
  const beat = setInterval(() => {
    jobs.progress(job.job_id, {}, { maxRetries: 0 }).catch((error) => {
      if (error instanceof ApiError && [404, 409].includes(error.status)) over.abort(error);
    });
  }, HEARTBEAT_MS);
  try {
    const ended = await runProgram(program, job, context, AbortSignal.any([over.signal, interrupted]));
    return await reported(jobs, job.job_id, ended);
  } catch (error) {
    if (interrupted.aborted) say(`${job.job_id} stays open`);
    throw error;
  } finally {
    clearInterval(beat);
  }
}

async function reported(
  jobs: RunService['jobs'],
  id: string,
  { out, failure }: { out: string; failure?: string },
): Promise<string> {
  try {
    if (failure === undefined) {
      const result = jobResult(out);
      const { accepted } = await jobs.complete(id, result);
      const done = `completed with ${counted(result.items?.length ?? 0, 'item')}`;
      return accepted ? done : 'was completed before, and that holds';
    }
  } catch (error) {
    if (error instanceof ApiError && error.status !== 422) throw error;
    return reported(jobs, id, { out, failure: `What it printed is no result: ${messageOf(error)}` });
  }
  const message = failure.slice(0, MESSAGE_MAX_CHARACTERS).replace(/[\ud800-\udbff]$/, '');
  const { accepted } = await jobs.fail(id, { message, retry: true });
  return accepted ? `failed: ${message}` : 'had failed before';
}
