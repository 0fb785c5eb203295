// Task ExecuteSteps: one slice of a run.
import { RunKey } from '#contract/keys.ts';
import { executeSlice } from '#domain/execution/execute-slice.ts';
import { sourcesOf } from '#domain/execution/run-sources.ts';
import { configuredModel } from '#models/configured-model.ts';
import { env, optionalEnv } from '#platform/env.ts';

/** Executes one slice and returns the next action of the state machine. Throws errors that a retry of the task may cure. */
export async function handler(event: unknown): Promise<RunKey & { action: string }> {
  const key = RunKey.parse(event);
  const steps = optionalEnv('STEPS_PER_SLICE');
  const action = await executeSlice(key, {
    ...configuredModel(),
    max_parallel_calls: Number(env('MAX_PARALLEL_CALLS')),
    slice_ms: Number(env('SLICE_MS')),
    steps_per_slice: steps === undefined ? undefined : Number(steps),
    sourcesFor: (run, calls) => sourcesOf(run, calls.embed),
  });
  return { ...key, action };
}
