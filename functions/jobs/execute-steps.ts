// Task ExecuteSteps: one slice of a run.
import { ExecutionKey } from '#contract/run-keys.ts';
import { executeSlice } from '#domain/execution/execute-slice.ts';
import { sourcesOf } from '#domain/execution/run-sources.ts';
import { configuredModel } from '#models/configured-model.ts';
import { count } from '#platform/count-metrics.ts';
import { env, optionalEnv } from '#platform/env.ts';
import { HandedOn } from './handed-on.ts';
import { task } from './task.ts';

/**
 * Executes one slice; returns if the run has ended. Throws HandedOn if it has not, and errors that a retry of the task
 * may fix.
 */
export const handler = task(ExecutionKey, async (key) => {
  const startedAt = Date.now();
  const steps = optionalEnv('STEPS_PER_SLICE');
  const setting = configuredModel();
  const { embeddingModel: embedding_model } = setting.model;
  const action = await executeSlice(key, {
    ...setting,
    max_parallel_calls: Number(env('MAX_PARALLEL_CALLS')),
    slice_ms: Number(env('SLICE_MS')),
    model_wait_seconds: Number(env('MODEL_WAIT_SECONDS')),
    steps_per_slice: steps === undefined ? undefined : Number(steps),
    sourcesFor: (run, calls, found) =>
      sourcesOf(run, (texts) => calls.embed(texts), { ...found, embedding_model }),
  });
  if (action === 'end') return;
  // Lambda counts it as an error, dated at the start of the invocation; the alarm on errors subtracts it.
  count('slice_handed_on', { at: startedAt });
  throw new HandedOn(action, Date.now());
});
