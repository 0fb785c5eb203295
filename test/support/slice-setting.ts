// How a slice of a run is executed in tests: one call at once, of the offline model unless the test gives another.
import type { SliceSetting } from '#domain/execution/execute-slice.ts';
import { sourcesOf } from '#domain/execution/run-sources.ts';
import { offlineModel } from '#models/offline/offline-model.ts';

/** The setting, with what the test is about. */
export const sliceSetting = (about: Partial<SliceSetting> = {}): SliceSetting => ({
  model: offlineModel(),
  prices: { offline: { input: 1, cached_input: 1, output: 1 } },
  max_parallel_calls: 1,
  model_wait_seconds: 0,
  slice_ms: 60_000,
  steps_per_slice: undefined,
  sourcesFor: (run, meter) => sourcesOf(run, (texts) => meter.embed(texts)),
  ...about,
});
