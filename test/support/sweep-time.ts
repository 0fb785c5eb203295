// The time budget of a sweep in tests: unlimited.
import type { SweepTime } from '#domain/recovery/repair-due.ts';

/** A sweep of everything due before `now` (epoch ms). */
export const sweepTime = (now: number): SweepTime => ({ now, until: Number.POSITIVE_INFINITY });
