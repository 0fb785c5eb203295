// Announces growth of logs to readers. Here readers run elsewhere and poll; a build for shared threads replaces this
// module.
import type { EventBody } from '#contract/events.ts';
import type { GrowingLog, Growth } from './events.ts';

/** Announces the events that a commit appended to a log. Only a hint: readers must also find the events without it. */
export function announceGrowth(_log: GrowingLog, _events: EventBody[]): void {}

/** Calls `listener` for each growth announced from now on. */
export function onGrowth(_listener: (growth: Growth) => void): void {}
