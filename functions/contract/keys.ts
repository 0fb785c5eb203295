// What names a run, one of its steps and one of its deliveries, wherever they are passed on.
import * as z from 'zod';

export const RunKey = z.object({ workspace_id: z.string(), run_id: z.string() });
export type RunKey = z.infer<typeof RunKey>;

export interface StepKey extends RunKey {
  /** Place of the step in its plan, from 0. */
  position: number;
}

/** A delivery is named by the event that it carries. */
export const DeliveryKey = RunKey.extend({ event_id: z.string() });
export type DeliveryKey = z.infer<typeof DeliveryKey>;
