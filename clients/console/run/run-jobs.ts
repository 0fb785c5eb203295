// The jobs of a run, for its timeline: read again whenever what the run waits for, or a step, has changed.
import { useEffect, useRef } from 'preact/hooks';
import type { ListedJob } from '../../sdk/index.ts';
import { useResource } from '../resource.ts';
import type { Session } from '../session.ts';
import { jobWaitOf, mayHaveJobs } from '../view-models/job-text.ts';
import type { LiveRun } from './live-run.ts';

/** More than a run has steps that one looks at. */
const MOST_JOBS = 100;
const NONE: readonly ListedJob[] = [];

/** Newest first; none while they are unknown. */
export function useRunJobs({ client }: Session, live: LiveRun): readonly ListedJob[] {
  const run = live.run.value;
  const isAsked = mayHaveJobs(run, live.planned.value.plan);
  const jobs = useResource(run.id, async (signal): Promise<readonly ListedJob[]> => {
    if (!isAsked) return NONE;
    return (await client.jobs.list({ run_id: run.id, limit: MOST_JOBS }, { signal })).data;
  });
  const mark = [
    isAsked,
    jobWaitOf(run.waiting)?.jobId,
    run.status,
    ...run.steps.map(({ status }) => status),
  ].join();
  const read = useRef(mark);
  useEffect(() => {
    if (read.current !== mark) void jobs.reload();
    read.current = mark;
  }, [mark]);
  const loaded = jobs.loaded.value;
  return loaded.state === 'ready' ? loaded.value : NONE;
}
