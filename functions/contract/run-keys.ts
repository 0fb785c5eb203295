// Keys that identify a run, its executions, steps and deliveries.
import * as z from 'zod';

export const RunKey = z.object({ workspace_id: z.string(), run_id: z.string() });
export type RunKey = z.infer<typeof RunKey>;

/** A run and the execution that works on it; without a name, its newest one. */
export const ExecutionKey = RunKey.extend({ execution: z.string().optional() });
export type ExecutionKey = z.infer<typeof ExecutionKey>;

export interface StepKey extends RunKey {
  /** The step's position in its plan, from 0. */
  position: number;
}

/** A delivery is identified by its event. */
export const DeliveryKey = RunKey.extend({ event_id: z.string() });
export type DeliveryKey = z.infer<typeof DeliveryKey>;
