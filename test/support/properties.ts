// Loaded before the tests of every file. A file leaves the next one of its process no clock, global or spy.
// Properties draw from one seed, so a run of the suite repeats the last one; the campaign `properties` takes others.
import fc from 'fast-check';
import { afterAll, vi } from 'vitest';

fc.configureGlobal({ seed: Number(process.env.PROPERTIES_SEED ?? 1) });

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});
