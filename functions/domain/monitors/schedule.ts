// The schedule of a monitor: its default zone, and what is wrong with one (rules.md: monitors 1).
import type * as z from 'zod';
import type { ScheduleTrigger } from '#contract/monitors.ts';
import { wrongParam } from '#domain/runs/wrong-param.ts';
import { isPattern, isZone, nextDue, type Schedule } from './due-times.ts';

/** The schedule of a trigger, with its default zone. */
export const scheduleOf = ({ cron, timezone = 'UTC' }: z.infer<typeof ScheduleTrigger>): Schedule => ({
  cron,
  timezone,
});

/** Checks a schedule. Throws schema_validation_failed with `on.cron` or `on.timezone`. */
export function checkSchedule(schedule: Schedule, nowMs: number): void {
  const { cron, timezone } = schedule;
  if (!isZone(timezone))
    throw wrongParam('on.timezone', 'the name of an IANA time zone', timezone, 'There is no such time zone');
  if (!isPattern(cron))
    throw wrongParam(
      'on.cron',
      'five fields of *, numbers, lists, ranges and steps',
      cron,
      'This is no cron pattern',
    );
  if (nextDue(schedule, nowMs) === undefined)
    throw wrongParam('on.cron', 'a date that comes', cron, 'This date never comes');
}
