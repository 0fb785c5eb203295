// The jobs of a workspace, newest first, of all runs or of one (rules.md: jobs 13).
import type { JobList, JobStatus, ListedJob } from '#contract/jobs.ts';
import { limits } from '#contract/limits.ts';
import { jobIdOf, jobKeyOf } from '#contract/run-keys.ts';
import { decodeCursor, encodeCursor } from '#domain/runs/list-cursor.ts';
import { type ListedJobKey, newestFirst, page } from '#store/runs/job-list.ts';
import * as jobs from '#store/runs/jobs.ts';
import * as runs from '#store/runs/runs.ts';
import { toListedJob } from './views.ts';

export interface JobQuery {
  status?: JobStatus | undefined;
  kind?: ListedJob['kind'] | undefined;
  source?: string | undefined;
  run_id?: string | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
}

/** How many jobs one request reads at most to find those of a filter; the page may then be short. */
const LOOK_MAX = 500;
const READ_MAX = 100;

/** A page of jobs; of a run that is not there, or is gone, none. Throws schema_validation_failed (`cursor`). */
export async function listJobs(workspaceId: string, query: JobQuery): Promise<JobList> {
  const { limit = limits.jobs_page_default, cursor } = query;
  const list = { workspace_id: workspaceId, name: 'jobs' } as const;
  let start = cursor === undefined ? undefined : positionIn(workspaceId, await decodeCursor(list, cursor));
  const now = Date.now();
  const data: ListedJob[] = [];
  let more = true;
  for (let looked = 0; more && data.length < limit && looked < LOOK_MAX; looked += READ_MAX) {
    const found = await candidates(workspaceId, query, start);
    more = found.more;
    const present = await presentJobs(workspaceId, found.listed, now);
    for (const [at, key] of found.listed.entries()) {
      start = key;
      const job = present.get(jobIdOf(key));
      if (job && fits(job, query)) data.push(job);
      if (data.length < limit) continue;
      more ||= at < found.listed.length - 1;
      break;
    }
    if (found.listed.length === 0) break;
  }
  const next_cursor = more && start ? await encodeCursor(list, nameOf(start)) : null;
  return { object: 'list', data, has_more: next_cursor !== null, next_cursor };
}

/** The jobs by their ids, without those of deleted runs, which are in the index until they are erased. */
async function presentJobs(
  workspaceId: string,
  listed: ListedJobKey[],
  now: number,
): Promise<Map<string, ListedJob>> {
  const runIds = [...new Set(listed.map(({ run_id }) => run_id))];
  const [records, living] = await Promise.all([jobs.getMany(listed), runs.timesOf(workspaceId, runIds)]);
  const runsById = new Map(living.map((run) => [run.id, run]));
  const found = records.flatMap((job) => {
    const run = runsById.get(job.run_id);
    return run ? [toListedJob(job, run, now)] : [];
  });
  return new Map(found.map((job) => [job.job_id, job]));
}

/** The jobs after `start` of the narrowest lists that have all that fit, merged by time. */
async function candidates(
  workspaceId: string,
  { status, run_id }: JobQuery,
  start: ListedJobKey | undefined,
): Promise<{ listed: ListedJobKey[]; more: boolean }> {
  if (run_id !== undefined) {
    const key = { workspace_id: workspaceId, run_id: run_id.toLowerCase() };
    const all = (await jobs.list(key)).toSorted(newestFirst);
    return { listed: start ? all.filter((job) => newestFirst(start, job) < 0) : all, more: false };
  }
  // A job past its deadline is in the list of open ones until its run looks.
  const lists =
    status === 'open' ? ['open' as const] : status === undefined || status === 'timed_out' ? BOTH : OVER;
  const pages = await Promise.all(lists.map((one) => page(workspaceId, one, { start, limit: READ_MAX })));
  const listed = pages.flatMap((one) => one.listed).toSorted(newestFirst);
  return {
    listed: listed.slice(0, READ_MAX),
    more: listed.length > READ_MAX || pages.some((one) => one.more),
  };
}

const OVER = ['over'] as const;
const BOTH = ['open', 'over'] as const;

function fits(job: ListedJob, { status, kind, source }: JobQuery): boolean {
  const wanted: [unknown, unknown][] = [
    [status, job.status],
    [kind, job.kind],
    [source, job.source],
  ];
  return wanted.every(([want, has]) => want === undefined || want === has);
}

const nameOf = (job: ListedJobKey) => `${job.created_at}#${jobIdOf(job)}`;

function positionIn(workspaceId: string, name: string): ListedJobKey | undefined {
  const [at, id = ''] = name.split('#');
  const job = jobKeyOf(workspaceId, id);
  return job && { ...job, created_at: Number(at) };
}
