// Jobs and questions in words.
import type { JobStatus, ListedJob, ListJobs, Plan, Run, Source } from '../../sdk/index.ts';
import type { Query } from './address.ts';

export const jobStatuses: readonly JobStatus[] = [
  ...(['open', 'completed', 'failed', 'canceled', 'timed_out', 'replaced'] as const),
];

type JobKind = ListedJob['kind'];
/** The kinds of jobs, as in the address and the API, and in words. */
export const jobKinds = { job: 'Work', person: 'Question' } as const;

/** A status in words; of a question, what it says of people. */
export function jobStatusText({ kind, status }: Pick<ListedJob, 'kind' | 'status'>): string {
  if (kind === 'person' && status === 'completed') return 'answered';
  if (kind === 'person' && status === 'failed') return 'declined';
  return status.replace('_', ' ');
}

/** How a question ended. */
export type Ending = Exclude<JobStatus, 'open'>;

const endings: Readonly<Record<Ending, string>> = {
  completed: 'This question has been answered, and the first answer holds.',
  failed: 'This question has been declined.',
  canceled: 'The run has ended without an answer. None is needed any more.',
  timed_out: 'The time for an answer is over.',
  replaced: 'This question was asked again. The newer one can be answered.',
};

/** How a question ended, for a reader who comes too late. */
export const endingText = (ending: Ending): string => endings[ending];

/** Whether a word is an ending. */
export const isEnding = (word: unknown): word is Ending =>
  typeof word === 'string' && Object.hasOwn(endings, word);

/** What the list calls a job: the title of a question, else its source; the list of jobs has no titles. */
export function jobName(
  { kind, source }: Pick<ListedJob, 'kind' | 'source'>,
  sources: readonly Source[],
): string {
  const title = kind === 'person' && sources.find(({ name }) => name === source)?.description;
  return title || source;
}

/** What a step that fetches from a source waits for; undefined where it waits for no work. */
export function waitNote(source: Source | undefined): string | undefined {
  if (source?.kind === 'person')
    return `A person is asked: “${source.description || source.name}”. The run waits for the answer.`;
  return source?.kind === 'job'
    ? 'A worker of yours is asked. The run waits until it has answered.'
    : undefined;
}

/** A job that a run waits for. */
export interface JobWait {
  kind: JobKind;
  source: string;
  jobId: string | undefined;
  since: number;
  until: number | undefined;
}

/** The job that a run waits for, if it waits for one. */
export function jobWaitOf(waiting: Run['waiting'] | undefined): JobWait | undefined {
  if (waiting?.reason !== 'job' && waiting?.reason !== 'person') return undefined;
  const { reason: kind, source = '', job_id: jobId, since, until } = waiting;
  return { kind, source, jobId, since, until };
}

const RECORDS = ['', 'entities', 'notes', 'relationships', 'artifacts', 'global'];

/** Whether a run may have jobs: it waits for one, was charged for some, or fetches by a name that may be a source's. */
export function mayHaveJobs(
  { waiting, usage }: Pick<Run, 'waiting' | 'usage'>,
  plan: Plan | undefined,
): boolean {
  if (jobWaitOf(waiting) || usage.jobs) return true;
  const steps = plan?.steps ?? [];
  return steps.some(({ kind, params }) => kind === 'fetch' && !RECORDS.includes(params?.source ?? ''));
}

/** How many questions are open, for the navigation: `3`, `20+`, nothing for none. */
export function countText({ data, has_more }: { data: readonly unknown[]; has_more: boolean }): string {
  if (data.length === 0) return '';
  return `${data.length}${has_more ? '+' : ''}`;
}

/** The API query of the filters in an address; what is no status or kind is left out. */
export function jobQuery({ status, kind, source, cursor }: Query): ListJobs {
  const known = jobStatuses.find((one) => one === status);
  return {
    ...(known && { status: known }),
    ...((kind === 'job' || kind === 'person') && { kind }),
    ...(source && { source }),
    ...(cursor && { cursor }),
  };
}
