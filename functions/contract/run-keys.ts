// Keys that identify a run, its executions, steps and deliveries.
import * as z from 'zod';

export const RunKey = z.object({ workspace_id: z.string(), run_id: z.string() });
export type RunKey = z.infer<typeof RunKey>;

/** A run and the execution that works on it; without a name, its newest one. */
export const ExecutionKey = RunKey.extend({ execution: z.string().optional() });
export type ExecutionKey = z.infer<typeof ExecutionKey>;

/** `position`: the step's position in its plan, from 0. */
const StepKey = RunKey.extend({ position: z.number() });
export type StepKey = z.infer<typeof StepKey>;

/** A job follows from its run and step, from the resume of the run, and from its own attempt, from 1. */
export const JobKey = StepKey.extend({ resume: z.number(), attempt: z.number() });
export type JobKey = z.infer<typeof JobKey>;

/** The id of a job, by which clients name it. */
export const jobIdOf = ({ run_id, position, resume, attempt }: Omit<JobKey, 'workspace_id'>): string =>
  `${run_id}-${position}-${resume}-${attempt}`;

const JOB_ID = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-(\d{1,3})-(\d{1,6})-(\d)$/;

/** The inverse of `jobIdOf`; undefined if the text is no id of a job. */
export function jobKeyOf(workspace_id: string, jobId: string): JobKey | undefined {
  const [, run_id, position, resume, attempt] = JOB_ID.exec(jobId.toLowerCase()) ?? [];
  if (run_id === undefined) return undefined;
  return {
    workspace_id,
    run_id,
    position: Number(position),
    resume: Number(resume),
    attempt: Number(attempt),
  };
}

/** A delivery is identified by its event. */
export const DeliveryKey = RunKey.extend({ event_id: z.string() });
export type DeliveryKey = z.infer<typeof DeliveryKey>;
