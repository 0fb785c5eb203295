// Wakes the readers of logs that grow. Here readers run elsewhere and poll; a build for shared threads replaces this
// module.
import type { EventBody } from '#contract/events.ts';
import type { GrowingLog, Growth } from './events.ts';

/** The shortest pause between two polls of a log, ms. */
export const SHORTEST_PAUSE_MS = 50;

/** Announces the events that a commit appended to a log. Only a hint: readers must also find the events without it. */
export function announceGrowth(_log: GrowingLog, _events: EventBody[]): void {}

/** Calls `listener` for each growth announced from now on. */
export function onGrowth(_listener: (growth: Growth) => void): void {}
