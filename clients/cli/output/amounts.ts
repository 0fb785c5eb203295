// Formats times and counts.
import type { Screen } from './terminal.ts';

/** `1 item`, `24 items`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Epoch ms as `2026-11-21 22:34:00Z`. */
export function timeText(ms: number): string {
  return new Date(ms)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, 'Z');
}

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;
/** Older or later than this, a date says more. */
const NEAR_S = 30 * DAY_S;

/** On a terminal as people say it, `3 min ago` or `in 2 h`; elsewhere the whole time. */
export function whenText(ms: number, { columns, now }: Pick<Screen, 'columns' | 'now'>): string {
  if (columns === undefined) return timeText(ms);
  const seconds = Math.round(Math.abs(now - ms) / 1000);
  if (seconds >= NEAR_S) return timeText(ms).slice(0, 'YYYY-MM-DD'.length);
  const [size, unit] =
    seconds < MINUTE_S
      ? [1, 's']
      : seconds < HOUR_S
        ? [MINUTE_S, 'min']
        : seconds < DAY_S
          ? [HOUR_S, 'h']
          : [DAY_S, 'd'];
  const amount = `${Math.floor(seconds / size)} ${unit}`;
  return ms > now ? `in ${amount}` : `${amount} ago`;
}
