// What must be true of the jobs of a run, by what its workers were answered (rules.md: jobs).

import { jobIdOf } from '#contract/run-keys.ts';
import { parseStepOutput } from '#domain/execution/step-output.ts';
import { usdToPico } from '#models/pricing.ts';
import { readCheckpoints } from '#store/runs/checkpoints.ts';
import { itemsOf } from '#store/runs/job-pages.ts';
import type { JobRecord } from '#store/runs/jobs.ts';
import * as jobs from '#store/runs/jobs.ts';
import type { RunRecord } from '#store/runs/run-record.ts';
import { arePages, type Message, marksOf, newWorkedJob, type WorkedJob } from '../workers/worked-job.ts';
import type { Workers } from './workers.ts';

type Claim = [what: string, holds: boolean];
const same = (left: string[], right: string[]) => left.join() === right.join();

/** The message that ended a job, and the items that came in all. */
interface Result {
  job: JobRecord;
  known: WorkedJob;
  message: Message | undefined;
  items: string[];
}

async function resultOf(job: JobRecord, { jobs: worked }: Workers): Promise<Result> {
  const known = worked.get(jobIdOf(job)) ?? newWorkedJob();
  const items = job.status === 'completed' ? marksOf(await itemsOf(job)) : [];
  const message =
    job.status === 'completed'
      ? known.completes.find(({ marks }) => same(items.slice(-marks.length), marks))
      : known.fails.find(({ marks }) => job.status === 'failed' && marks.join() === job.message);
  return { job, known, message, items };
}

function claimsOnEnd({ job, known, message, items }: Result): Claim[] {
  const { status, completed_at, deadline_at, attempt, attempts, cost_pico_usd } = job;
  const isAnswered = status === 'completed' || status === 'failed';
  const accepted = [...known.completes, ...known.fails].filter(({ answer }) => answer === 'accepted');
  const ofPages = items.slice(0, items.length - (message?.marks.length ?? 0));
  const cost = message?.usage && usdToPico(message.usage.cost_usd ?? 0).toString();
  return [
    ['a job ended by a message that none has sent', !isAnswered || message !== undefined],
    [
      'a job ended by a message that was not taken',
      !message || message.answer === 'accepted' || message.is_doubted,
    ],
    ['a message is taken that is not the result', accepted.every((one) => one === message)],
    ['two messages end one job', accepted.length <= 1],
    ['a message is taken past the deadline', !isAnswered || (completed_at ?? Infinity) < deadline_at],
    ['the cost of a job is not that of its message', cost_pico_usd === cost],
    ['there are more attempts than allowed', attempt <= attempts],
    [
      'a job is canceled that its run has not closed',
      !known.is_canceled || ['canceled', 'timed_out', 'replaced'].includes(status),
    ],
    ['the number of items of a job is wrong', status !== 'completed' || job.items === items.length],
    ['the pages of a job are not as they were sent', arePages(ofPages, known.pages)],
    [
      'a page that was taken is not in the result',
      status !== 'completed' ||
        known.pages
          .filter(({ answer }) => answer === 'accepted')
          .every(({ page }) =>
            known.pages.some((one) => one.page === page && items.includes(one.marks[0] ?? '')),
          ),
    ],
  ];
}

/** Whether the step of a completed job has its items, and no others. */
async function isTaken(run: RunRecord, { job, items }: Result): Promise<boolean> {
  if (run.steps[job.position]?.status !== 'completed') return true;
  const step = { workspace_id: run.workspace_id, run_id: run.id, position: job.position };
  const [output] = await readCheckpoints([step], parseStepOutput);
  const found = marksOf(output?.items ?? []);
  return same(found.sort(), [...items].sort());
}

/** Whether what the run says that jobs brought is what their messages brought, each once. */
function isCountedOnce({ spent }: RunRecord, results: Result[]): boolean {
  const brought = results.flatMap(({ message }) => message?.usage ?? []);
  const { count, input_tokens, output_tokens, cost_pico_usd } = spent.jobs ?? {
    ...{ count: 0, input_tokens: 0, output_tokens: 0, cost_pico_usd: '0' },
  };
  const sum = (numbers: (number | undefined)[]) => numbers.reduce<number>((all, one = 0) => all + one, 0);
  const cost = brought.reduce((all, one) => all + usdToPico(one.cost_usd ?? 0), 0n);
  return (
    count === brought.length &&
    input_tokens === sum(brought.map((one) => one.input_tokens)) &&
    output_tokens === sum(brought.map((one) => one.output_tokens)) &&
    cost_pico_usd === cost.toString()
  );
}

/** Whether what came with a job came with the attempt before it, as far as both were told. */
function isAskedAlike({ jobs: worked }: Workers, job: JobRecord): boolean {
  const asked = worked.get(jobIdOf(job))?.asked;
  const before = worked.get(jobIdOf({ ...job, attempt: job.attempt - 1 }))?.asked;
  return asked === undefined || before === undefined || asked === before;
}

/** What must be true of the jobs of a run, whether it has ended or not. */
export async function jobClaims(workers: Workers, run: RunRecord): Promise<Claim[]> {
  const found = await jobs.list({ workspace_id: run.workspace_id, run_id: run.id });
  const results = await Promise.all(found.map((job) => resultOf(job, workers)));
  const ids = new Set(found.map(jobIdOf));
  const completed = results.filter(({ job }) => job.status === 'completed');
  const taken = await Promise.all(completed.map((result) => isTaken(run, result)));
  const mayRepeat = (job: JobRecord) =>
    job.attempt === 1 ||
    found.some(
      ({ position, resume, attempt, status }) =>
        [position, resume, attempt + 1].join() === [job.position, job.resume, job.attempt].join() &&
        ['failed', 'replaced'].includes(status),
    );
  return [
    ...results.flatMap(claimsOnEnd),
    ['a job is lost', [...workers.jobs.keys()].every((id) => !id.startsWith(run.id) || ids.has(id))],
    ['a step has two results', new Set(completed.map(({ job }) => job.position)).size === completed.length],
    ['a step has other items than its job brought', taken.every(Boolean)],
    ['an attempt follows one that did not fail', found.every(mayRepeat)],
    ['what jobs brought is not counted once', isCountedOnce(run, results)],
    ['the attempts of a job are asked with other items', found.every((job) => isAskedAlike(workers, job))],
  ];
}
