// `jobs …` and `work`: what runs wait for, and how it is answered.
import type { Job } from '../../sdk/index.ts';
import { wholeFrom } from '../argument-parsers.ts';
import { counted, whenText } from '../output/amounts.ts';
import { rowsText } from '../output/columns.ts';
import { plainLines } from '../output/plain.ts';
import type { Screen } from '../output/terminal.ts';
import { messageOf, misuse } from '../problem.ts';
import { jobResult } from '../work/job-result.ts';
import { takeJobs } from '../work/take-jobs.ts';
import {
  answer,
  asking,
  commonFlags,
  oneId,
  say,
  serviceOf,
  switchFlag,
  text,
  textFlag,
  valueFlag,
} from './command.ts';
import { command } from './define.ts';
import { readText } from './json-input.ts';

const jobArgument = oneId('JOB', 'id of a job');
const statuses = ['open', 'completed', 'failed', 'canceled', 'timed_out', 'replaced'] as const;

const list = command(
  {
    brief: 'jobs for workers and questions to people, newest first',
    flags: {
      status: { kind: 'enum', values: statuses, optional: true, brief: 'in this state' },
      kind: { kind: 'enum', values: ['job', 'person'], optional: true, brief: 'for workers, or for people' },
      source: textFlag('NAME', 'of this source'),
      run: textFlag('RUN', 'of this run'),
      limit: valueFlag(wholeFrom(1), 'N', 'maximum number (20)'),
      ...commonFlags,
    },
  },
  asking(
    ({ jobs }, options, { status, kind, source, run, limit }) =>
      jobs.list(
        {
          ...(status && { status }),
          ...(kind && { kind }),
          ...(source && { source }),
          ...(run && { run_id: run }),
          ...(limit && { limit }),
        },
        options,
      ),
    ({ data }, screen) =>
      rowsText(
        data.map((one) => [
          one.job_id,
          one.source,
          one.status,
          whenText(one.created_at, screen),
          one.message ?? (one.items === undefined ? '' : counted(one.items, 'item')),
        ]),
        ['ID', 'SOURCE', 'STATUS', 'CREATED', 'RESULT'],
        screen,
      ),
    ({ data }) => (data.length === 0 ? 'no jobs' : undefined),
  ),
);

const get = command(
  { brief: 'a job, with what is asked', positional: jobArgument },
  asking(({ jobs }, options, _, id) => jobs.get(id, options), jobText),
);

function jobText(job: Job, screen: Screen): string {
  const { job_id, run_id, step_index, source, status, message, deadline_at, items_in } = job;
  return plainLines([
    `${job_id}  ${status}  ${source}`,
    ...[job.title, job.instructions, job.query].filter((line) => line !== ''),
    ...(message === undefined ? [] : [message]),
    `step ${step_index + 1} of run ${run_id}, until ${whenText(deadline_at, screen)}`,
    ...(job.schema === undefined ? [] : [`answer by ${JSON.stringify(job.schema)}`]),
    ...(items_in.length === 0 ? [] : [`with ${items_in.map(({ name }) => name).join(', ')}`]),
  ]);
}

/** Whether a report came first. */
const acceptedText = ({ accepted }: { accepted: boolean }) => (accepted ? undefined : 'it was over before');

const complete = command(
  {
    brief: 'answer a job with items, or a question with an answer',
    positional: jobArgument,
    flags: {
      file: textFlag(
        'FILE',
        'items as a JSON array or lines, or an object with items, answer, usage; - is standard input',
      ),
      ...commonFlags,
    },
    aliases: { f: 'file' },
  },
  async (context, flags, id) => {
    const body =
      flags.file === undefined
        ? { items: [] }
        : resultIn(flags.file, await readText(context, flags.file, '--file'));
    const done = await serviceOf(context, flags).jobs.complete(id, body, { signal: context.interrupted });
    answer(context, flags, done, () => plainLines([id]));
    const note = acceptedText(done);
    if (note !== undefined && !flags.json) say(context, note);
    return 'ok';
  },
);

function resultIn(file: string, content: string) {
  try {
    return jobResult(content);
  } catch (error) {
    throw misuse(`--file ${file}: ${messageOf(error)}`);
  }
}

const fail = command(
  {
    brief: 'say that a job cannot be done, or decline a question',
    positional: jobArgument,
    flags: {
      message: { kind: 'parsed', parse: text, placeholder: 'TEXT', brief: 'why, in at most 500 characters' },
      retry: switchFlag('make the next attempt, if there is one'),
      ...commonFlags,
    },
    aliases: { m: 'message' },
  },
  asking(
    ({ jobs }, options, { message, retry }, id) => jobs.fail(id, { message, retry: retry === true }, options),
    (_, __) => '',
    acceptedText,
  ),
);

export const jobCommands = { list, get, complete, fail };

export const work = command(
  {
    brief: 'do the open jobs of a source with a program, while you develop a worker',
    fullDescription: `Takes the open jobs of a source, one after another, and runs the program for each. The job is JSON on its standard input,
as of \`runs jobs get --json\`; what it prints is the result: a JSON array of items, a line of JSON for each item, or an
object with items and usage. A program that fails fails the attempt, with its last line on stderr.

  runs work --source scores --local -- python3 score.py`,
    positional: {
      kind: 'array',
      minimum: 1,
      parameter: { parse: text, placeholder: 'CMD', brief: 'the program and its arguments, after --' },
    },
    flags: {
      source: { kind: 'parsed', parse: text, placeholder: 'NAME', brief: 'the source whose jobs it does' },
      port: valueFlag(
        wholeFrom(1),
        'N',
        'also take what the service sends to http://127.0.0.1:N, the url of the source',
      ),
      once: switchFlag('end after one job'),
      ...commonFlags,
    },
  },
  (context, flags, ...program) =>
    takeJobs(context, {
      service: serviceOf(context, flags),
      source: flags.source,
      program,
      port: flags.port,
      once: flags.once === true,
      say: (line) => say(context, line),
    }),
);
