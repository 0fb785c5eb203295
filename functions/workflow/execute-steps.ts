// Task ExecuteSteps: one slice of a run.
import * as z from 'zod';
import { executeSlice } from '#domain/execution/execute-slice.ts';
import { sourcesOf } from '#domain/execution/run-sources.ts';
import { modelChoice } from '#models/choice.ts';
import { env, optionalEnv } from '#platform/env.ts';

const Task = z.object({ workspace_id: z.string(), run_id: z.string() });

/** Goes on with the run and says what the state machine does next. Throws what a retry of the task may mend. */
export async function handler(
  event: unknown,
): Promise<{ workspace_id: string; run_id: string; action: string }> {
  const place = Task.parse(event);
  const steps = optionalEnv('STEPS_PER_SLICE');
  const action = await executeSlice(place, {
    ...modelChoice(),
    max_parallel_calls: Number(env('MAX_PARALLEL_CALLS')),
    slice_ms: Number(env('SLICE_MS')),
    steps_per_slice: steps === undefined ? undefined : Number(steps),
    sourcesFor: (run, meter) => sourcesOf(run, (texts) => meter.embed(texts)),
  });
  return { ...place, action };
}
