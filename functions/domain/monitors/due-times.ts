// Due times by cron and time zone (rules.md: monitors 3), for the service and for the console, which shows the next.
// The library knows the pattern, and this file the zone: no library gives a local time that comes twice once, whatever
// the pattern.
import { Cron } from 'croner';

export interface Schedule {
  cron: string;
  timezone: string;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const ELEMENT = String.raw`(\*|\d{1,2}-\d{1,2})(\/\d{1,2})?|\d{1,2}`;
const FIELD = `(${ELEMENT})(,(${ELEMENT}))*`;
/** The library also takes names, seconds, and words and signs that are not in the contract. */
const FIVE_FIELDS = new RegExp(`^${Array(5).fill(FIELD).join(' +')}$`);

/** The pattern over local times, which are read as if they were UTC. Throws RangeError for what is none. */
function patternOf(cron: string): Cron {
  const pattern = FIVE_FIELDS.test(cron) ? parsed(cron) : undefined;
  if (!pattern) throw new RangeError('no cron pattern');
  return pattern;
}

/** Whether a text is a pattern. */
export const isPattern = (cron: string): boolean => FIVE_FIELDS.test(cron) && parsed(cron) !== undefined;

function parsed(cron: string): Cron | undefined {
  try {
    return new Cron(cron, { timezone: 'UTC', mode: '5-part' });
  } catch {
    return undefined;
  }
}

/** By name in the spelling of the request: a zone has one for each way to capitalize its letters. */
const formats = new Map<string, Intl.DateTimeFormat>();
const FORMATS_MAX = 100;

/** Throws RangeError for a zone that does not exist. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' },
  });
  if (formats.size >= FORMATS_MAX) formats.clear();
  formats.set(timeZone, made);
  return made;
}

/** How far the clocks of a zone are ahead of UTC at an instant, in ms. */
function offsetAt(timeZone: string, instant: number): number {
  const minute = instant - (instant % MINUTE_MS);
  const part = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(minute)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute: minutes = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minutes) - minute;
}

/** The first instant with this local time, or the first minute after it when the clocks pass it over. */
function instantOf(timeZone: string, local: number): number {
  const before = offsetAt(timeZone, local - DAY_MS);
  const after = offsetAt(timeZone, local + DAY_MS);
  const exact = [before, after]
    .map((offset) => local - offset)
    .filter((instant) => instant + offsetAt(timeZone, instant) === local);
  if (exact.length > 0) return Math.min(...exact);
  let [low, high] = [local - after, local - before];
  while (high - low > MINUTE_MS) {
    const middle = low + Math.floor((high - low) / 2 / MINUTE_MS) * MINUTE_MS;
    if (offsetAt(timeZone, middle) === before) low = middle;
    else high = middle;
  }
  return high;
}

/** The due times after `afterMs`, in order. Throws RangeError for what is no pattern or no zone. */
export function* duesAfter({ cron, timezone }: Schedule, afterMs: number): Generator<number> {
  const pattern = patternOf(cron);
  let last = afterMs;
  let local: Date | null = new Date(afterMs + offsetAt(timezone, afterMs));
  for (;;) {
    local = pattern.nextRun(local);
    if (!local) return;
    const instant = instantOf(timezone, local.getTime());
    // Several local times may be one instant, and one that comes again has been.
    if (instant <= last) continue;
    last = instant;
    yield instant;
  }
}

/** The first due time after `afterMs`; undefined if none comes any more. */
export function nextDue(schedule: Schedule, afterMs: number): number | undefined {
  const [next] = duesAfter(schedule, afterMs);
  return next;
}

/**
 * The due times from `firstMs`, which is one, to `untilMs`: the last one, the one before it, and their number; and the
 * next one. A day on which the clocks do not change has all minutes of the pattern, so only the other days, the first
 * and the last are walked through.
 */
export function dueTimes(schedule: Schedule, firstMs: number, untilMs: number) {
  const { cron, timezone } = schedule;
  const minutes = minutesOfDay(cron);
  let [last, earlier, count] = [firstMs, undefined as number | undefined, 1];
  function take(instant: number, more = 1): void {
    if (instant <= last || instant > untilMs) return;
    [last, earlier, count] = [instant, last, count + more];
  }
  for (const day of daysFrom(cron, firstMs + offsetAt(timezone, firstMs) - DAY_MS)) {
    const start = instantOf(timezone, day);
    if (start > untilMs) break;
    const isPlain = instantOf(timezone, day + DAY_MS) - start === DAY_MS;
    const dues = isPlain
      ? minutes.map((minute) => start + minute)
      : minutes.map((minute) => instantOf(timezone, day + minute));
    const [newest = start, second] = dues.toReversed();
    if (!isPlain || start <= last || newest > untilMs) for (const due of dues) take(due);
    else {
      if (second !== undefined) take(second, dues.length - 1);
      take(newest);
    }
  }
  return { last, earlier, count, next: nextDue(schedule, last) };
}

/** The minutes at which a pattern is due on each of its days, in ms from the start of the day, in order. */
function minutesOfDay(cron: string): number[] {
  const [minute, hour] = cron.split(/ +/);
  const hours = withinDay(`0 ${hour} * * *`);
  const minutes = withinDay(`${minute} 0 * * *`);
  return hours.flatMap((at) => minutes.map((after) => at + after));
}

function withinDay(cron: string): number[] {
  const pattern = patternOf(cron);
  const found: number[] = [];
  for (let at = pattern.nextRun(new Date(-1)); at && at.getTime() < DAY_MS; at = pattern.nextRun(at))
    found.push(at.getTime());
  return found;
}

/** The days of a pattern after a local time: the local midnights at which they begin. */
function* daysFrom(cron: string, local: number): Generator<number> {
  const [, , ...days] = cron.split(/ +/);
  const pattern = patternOf(`0 0 ${days.join(' ')}`);
  for (let day = pattern.nextRun(new Date(local - DAY_MS)); day; day = pattern.nextRun(day))
    yield day.getTime();
}

/** Whether a text is the name of a zone; an offset, which the runtime takes as well, is none. */
export function isZone(timeZone: string): boolean {
  if (!/^[A-Za-z]/.test(timeZone)) return false;
  try {
    formatOf(timeZone);
    return true;
  } catch {
    return false;
  }
}
