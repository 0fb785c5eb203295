// The jobs that workers of a campaign have heard of, when all runs have ended: by what the workers were answered.
import type { HttpReply } from '../../../support/service.ts';
import type { Ask } from '../../ask.ts';
import { patiently } from '../../work.ts';
import { arePages, type Message, marksOf } from '../../workers/worked-job.ts';
import type { LivingJob } from '../workers.ts';
import type { World } from '../world.ts';

type Told = [id: string, job: LivingJob];

/** A job as the service shows it. */
interface Shown {
  job_id: string;
  step_index: number;
  status: string;
  message?: string;
  items?: number;
  cost_usd?: number;
}

/** What is judged: the jobs of these workers, and what a service shows of their runs. */
interface Worked extends Pick<World, 'workers' | 'figures'> {
  service: Pick<World['service'], 'askUnwatched'>;
}

/** Each job has one result, which is its step's and counted once; none is open, and none is lost. */
export async function jobs({ service, workers, figures }: Worked): Promise<string[]> {
  await workers.rest();
  const breaches: string[] = [];
  const counts: Record<string, number> = {};
  for (const told of Map.groupBy(workers.jobs, ([, { run_id }]) => run_id).values()) {
    const shown = await shownJobs(told);
    for (const { status } of shown.values()) counts[status] = (counts[status] ?? 0) + 1;
    breaches.push(...(await breachesOfRun(service.askUnwatched, told, shown)));
  }
  const all = [...workers.jobs].flatMap(([id, { completes, fails, pages }]) =>
    [...completes, ...fails, ...pages].map((message) => [id, message] as const),
  );
  breaches.push(
    ...all.flatMap(([id, { answer }]) => (answer === 'none' ? [`job ${id}: a message has no answer`] : [])),
  );
  const answers = Object.groupBy(all, ([, { answer }]) => answer);
  figures.jobs = { ...counts, messages: Object.fromEntries(sizes(answers)) };
  return breaches;
}

const sizes = (groups: Record<string, unknown[] | undefined>) =>
  Object.entries(groups).map(([name, all = []]) => [name, all.length]);

/** The jobs, each as it is read, which the history has as well; those of deleted runs are gone. */
async function shownJobs(told: Told[]): Promise<Map<string, Shown>> {
  const shown = new Map<string, Shown>();
  for (const [id, { send }] of told) {
    const { status, body } = await patiently(() => send({ method: 'GET', path: `/jobs/${id}` }));
    if (status === 200) shown.set(id, body);
  }
  return shown;
}

async function breachesOfRun(ask: Ask, told: Told[], shown: Map<string, Shown>): Promise<string[]> {
  const [first] = told;
  if (!first) return [];
  const { run_id } = first[1];
  // The history of a job may not have the creation of its run.
  const read = (path: string): Promise<HttpReply> =>
    patiently(() => ask({ method: 'GET', path: `/runs/${run_id}${path}` }));
  const { status, body: run } = await read('');
  if (status === 404) return shown.size === 0 ? [] : [`run ${run_id} is deleted, its jobs are not`];
  const { body: list } = await patiently(() =>
    ask({ method: 'GET', path: `/jobs?run_id=${run_id}&limit=100` }),
  );
  const listed: Shown[] = list.data;
  const names = new Set(listed.map(({ job_id }) => job_id));
  const completed = listed.filter((job) => job.status === 'completed');
  const paid = listed.flatMap(({ cost_usd }) => cost_usd ?? []);
  const { count = 0, cost_usd: cost = 0 } = run.usage.jobs ?? {};
  const isOver = ['succeeded', 'failed', 'canceled'].includes(run.status);
  const checks: [string, boolean][] = [
    ['a job is lost', told.every(([id]) => names.has(id) && shown.has(id))],
    ['a job is open though the run has ended', !isOver || listed.every((job) => job.status !== 'open')],
    ['it waits though it has ended', !isOver || run.waiting === null],
    ['a step has two results', new Set(completed.map((job) => job.step_index)).size === completed.length],
    [
      `jobs brought ${paid}, the run counts ${count} with ${cost} USD`,
      count === paid.length && isSum(cost, paid),
    ],
  ];
  for (const [id, job] of told) {
    const found = shown.get(id);
    if (!found) continue;
    const step = run.steps.find(({ index }: { index: number }) => index === found.step_index);
    const hasItems = found.status === 'completed' && step?.status === 'completed';
    const items = hasItems ? (await read(`/steps/${found.step_index}/items?limit=100`)).body.data : undefined;
    checks.push(
      ...claimsOn(job, found, items && marksOf(items)).map(([what, holds]): [string, boolean] => [
        `job ${id}: ${what}`,
        holds,
      ]),
    );
  }
  return checks.flatMap(([what, holds]) => (holds ? [] : [`run ${run_id}: ${what}`]));
}

/** `marks`: those of the items that its step has, where they are known. */
function claimsOn(job: LivingJob, found: Shown, marks: string[] | undefined): [string, boolean][] {
  const { completes, fails, pages } = job;
  const { status, message: said, cost_usd } = found;
  const accepted = [...completes, ...fails].filter(({ answer }) => answer === 'accepted');
  const ends = (message: Message) =>
    status === 'completed'
      ? completes.includes(message) &&
        (marks === undefined || marks.slice(-message.marks.length).join() === message.marks.join())
      : status === 'failed' && message.marks.join() === said;
  const ending = [...completes, ...fails].find((message) => ends(message) && mayBeTaken(message));
  const isAnswered = status === 'completed' || status === 'failed';
  const ofPages = marks?.slice(0, marks.length - (ending?.marks.length ?? 0));
  return [
    ['it ended by a message that none has sent, or that was not taken', !isAnswered || ending !== undefined],
    ['two messages end it', accepted.length <= 1],
    [`a message is taken and it is ${status}`, accepted.every(ends)],
    [
      'it cost what its message did not bring',
      !ending || (status === 'completed' && !marks) || ending.usage?.cost_usd === cost_usd,
    ],
    ['the number of its items is wrong', marks === undefined || marks.length === found.items],
    ['its pages are not as they were sent', !ofPages || arePages(ofPages, pages)],
    [
      'a page that was taken is not in the result',
      marks === undefined ||
        pages
          .filter(({ answer }) => answer === 'accepted')
          .every(({ page }) => pages.some((one) => one.page === page && marks.includes(one.marks[0] ?? ''))),
    ],
  ];
}

/** Of a message that was refused after a try without an answer the first may have been taken. */
const mayBeTaken = ({ answer, is_doubted }: Message) => answer === 'accepted' || is_doubted;

const isSum = (sum: number, parts: number[]) =>
  Math.abs(sum - parts.reduce((all, one) => all + one, 0)) < 1e-9;
