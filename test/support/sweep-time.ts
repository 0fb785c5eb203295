// The time of a sweep in a test: it has all the time in the world.
import type { SweepTime } from '#domain/recovery/repair-due.ts';

/** A sweep of what was due before `now` (epoch ms). */
export const sweepTime = (now: number): SweepTime => ({ now, until: Number.POSITIVE_INFINITY });
