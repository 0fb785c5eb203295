// The next times of a schedule, or why there are none (rules.md: console 14).
import { duesAfter, isPattern, isZone } from './due-times.ts';

const SHOWN = 3;

/** Times in the words of their zone, or what is wrong with the schedule. */
export type NextTimes = { times: string[] } | { problem: string };

/** The next three times of a schedule, as the clocks of its zone show them. */
export function nextTimes(when: { cron: string; timezone: string }, afterMs: number): NextTimes {
  const schedule = { ...when, cron: when.cron.trim() };
  if (!isPattern(schedule.cron)) return { problem: 'This is no cron pattern.' };
  if (!isZone(schedule.timezone)) return { problem: 'There is no such time zone.' };
  const times: number[] = [];
  for (const due of duesAfter(schedule, afterMs)) {
    times.push(due);
    if (times.length === SHOWN) break;
  }
  if (times.length === 0) return { problem: 'This date never comes.' };
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: schedule.timezone,
    ...{ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
    ...{ hour: '2-digit', minute: '2-digit', timeZoneName: 'short' },
  });
  return { times: times.map((at) => format.format(at)) };
}
