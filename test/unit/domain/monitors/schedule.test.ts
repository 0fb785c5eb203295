// rules.md: monitors 3, monitors 17. Due times against a walk over every minute of the local clocks.
import { Cron } from 'croner';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ApiError } from '#contract/errors.ts';
import { duesAfter, dueTimes } from '#domain/monitors/due-times.ts';
import { checkSchedule } from '#domain/monitors/schedule.ts';
import { type Random, random } from '../../../support/random.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Days around a change of the clocks, or none. */
const spans: [timezone: string, from: string][] = [
  ['Europe/Berlin', '2026-03-27'],
  ['Europe/Berlin', '2026-10-23'],
  ['America/New_York', '2027-03-12'],
  ['America/New_York', '2026-10-30'],
  ['Australia/Lord_Howe', '2026-04-02'],
  ['Australia/Lord_Howe', '2026-10-01'],
  ['Pacific/Chatham', '2027-04-01'],
  ['Pacific/Chatham', '2026-09-24'],
  ['Africa/Cairo', '2026-04-22'],
  ['UTC', '2028-02-27'],
];
const DAYS = 5;

/** Every minute of a span, by its local time as if that were UTC. */
function walk(timeZone: string, from: number): { instant: number; local: number }[] {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    dateStyle: 'short',
    timeStyle: 'short',
  });
  return Array.from({ length: DAYS * 24 * 60 }, (_, i) => {
    const instant = from + i * MINUTE_MS;
    const [, date, time] = /^(\S+), (\S+)$/.exec(format.format(instant)) ?? [];
    return { instant, local: Date.parse(`${date}T${time}:00Z`) };
  });
}

const bounds = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
] as const;

/** The numbers of a field, spelled out. */
function numbersOf(field: string, [least, most]: readonly [number, number]): Set<number> {
  const parts = field.split(',').flatMap((part) => {
    const [range = '', step = '1'] = part.split('/');
    const [first, last] = range === '*' ? [least, most] : range.split('-').map(Number);
    const [low = 0, high = low] = [first, last ?? first];
    return Array.from({ length: high - low + 1 }, (_, i) => low + i).filter(
      (n) => (n - low) % Number(step) === 0,
    );
  });
  return new Set(parts);
}

/** Whether a pattern has a local minute. */
function matcher(cron: string): (local: number) => boolean {
  const fields = cron.split(' ');
  const [minutes, hours, days, months, weekdays] = fields.map((field, i) =>
    numbersOf(field, bounds[i] ?? [0, 0]),
  );
  const [anyDay, anyWeekday] = [fields[2] === '*', fields[4] === '*'];
  return (local) => {
    const date = new Date(local);
    if (!minutes?.has(date.getUTCMinutes()) || !hours?.has(date.getUTCHours())) return false;
    if (!months?.has(date.getUTCMonth() + 1)) return false;
    const day = days?.has(date.getUTCDate()) === true;
    const weekday = weekdays?.has(date.getUTCDay()) || (date.getUTCDay() === 0 && weekdays?.has(7)) || false;
    if (anyDay || anyWeekday) return (anyDay || day) && (anyWeekday || weekday);
    return day || weekday;
  };
}

/** The due times of a span: each local minute at its first instant, and one that is passed over right after the gap. */
function walked(
  minutes: { instant: number; local: number }[],
  matches: (local: number) => boolean,
): number[] {
  const due = new Set<number>();
  let reached = (minutes[0]?.local ?? 0) - MINUTE_MS;
  for (const { instant, local } of minutes) {
    for (let passed = reached + MINUTE_MS; passed <= local; passed += MINUTE_MS)
      if (matches(passed)) due.add(instant);
    reached = Math.max(reached, local);
  }
  return [...due];
}

function asked(cron: string, timezone: string, from: number): number[] {
  const times: number[] = [];
  for (const due of duesAfter({ cron, timezone }, from - 1)) {
    if (due >= from + DAYS * DAY_MS) break;
    times.push(due);
  }
  return times;
}

function pattern(chance: Random): string {
  const number = ([least, most]: readonly [number, number]) => least + chance.below(most - least + 1);
  const element = (bound: readonly [number, number]) => {
    const [a, b] = [number(bound), number(bound)].toSorted((x, y) => x - y);
    return chance.pick([
      String(a),
      `${a}-${b}`,
      `${a}-${b}/${1 + chance.below(7)}`,
      `*/${1 + chance.below(bound[1])}`,
    ]);
  };
  const field = (bound: readonly [number, number], often: number) => {
    if (chance.below(10) < often) return '*';
    return Array.from({ length: 1 + chance.below(3) }, () => element(bound)).join(',');
  };
  // Mostly some minutes of some hours, so that the days around a change of the clocks have many.
  return [
    field(bounds[0], 0),
    field(bounds[1], 6),
    field(bounds[2], 7),
    field(bounds[3], 9),
    field(bounds[4], 7),
  ].join(' ');
}

describe.each(spans)('%s from %s', (timezone, day) => {
  const from = Date.parse(`${day}T00:00:00Z`);
  const minutes = walk(timezone, from);
  const chance = random(from % 1000);

  test.each(['*/15 * * * *', '30 2 * * *', '30 0 * * *', '0 0-5 * * *', '45 1,2,3 * * 0', '15 2 13 * 7'])(
    '%s',
    (cron) => {
      expect(asked(cron, timezone, from)).toEqual(walked(minutes, matcher(cron)));
    },
  );

  test('how many there are, and the last two', () => {
    for (const cron of ['* * * * *', '30 0-4 * * *', pattern(chance), pattern(chance)]) {
      const dues = walked(minutes, matcher(cron));
      for (let i = 0; i < 20; i += 1) {
        const first = dues[chance.below(dues.length)];
        const until = from + chance.below(DAYS * 24 * 60) * MINUTE_MS;
        if (first === undefined || until < first) continue;
        const within = dues.filter((due) => due >= first && due <= until);
        const { next, ...found } = dueTimes({ cron, timezone }, first, until);
        const expected = { last: within.at(-1), earlier: within.at(-2), count: within.length };
        expect({ cron, first, until, ...found }).toEqual({ cron, first, until, ...expected });
        if (until < (dues.at(-1) ?? 0)) expect(next).toBe(dues.find((due) => due > until));
      }
    }
  });

  test('patterns at random', () => {
    for (let i = 0; i < 3; i += 1) {
      const cron = pattern(chance);
      expect({ cron, due: asked(cron, timezone, from) }).toEqual({
        cron,
        due: walked(minutes, matcher(cron)),
      });
    }
  });
});

const refused = (cron: string, timezone = 'UTC') => {
  try {
    checkSchedule({ cron, timezone }, Date.UTC(2026, 10, 23));
    return undefined;
  } catch (error) {
    return error instanceof ApiError ? `${error.code} ${error.param}` : error;
  }
};

test.each([
  '* * * *',
  '* * * * * *',
  '0 0 31 2 *',
  '0 0 30 2 *',
  '0 0 31 4,6,9,11 *',
  '60 * * * *',
  '0 24 * * *',
])('%s is no pattern, or never comes', (cron) => {
  expect(refused(cron)).toBe('schema_validation_failed on.cron');
});

test.each([
  '0 0 * JAN *',
  '0 0 * * MON',
  '@daily',
  '0 0 L * *',
  '0 0 ? * *',
  '0 0 * * 5#2',
  '5-1 * * * *',
  '*/0 * * * *',
  '0 0 0 * *',
  '0 0 * 13 *',
  '0 0 * * 8',
  '1/5 * * * *',
  '',
])('%s uses what no pattern has', (cron) => {
  expect(refused(cron)).toBe('schema_validation_failed on.cron');
});

test.each(['Mars/Olympus', '+01:00', '-05', '', 'Europe'])('%s is no time zone', (timezone) => {
  expect(refused('0 0 * * *', timezone)).toBe('schema_validation_failed on.timezone');
});

test.each(['0 0 29 2 *', '0 0 31 2 1', '*/5 0-23/2 1,15 * 1-5', '0 0 * * 5-7'])('%s comes', (cron) => {
  expect(refused(cron, 'Europe/Berlin')).toBeUndefined();
});

test('due times up to now: the last one, the one before it, and how many there are', () => {
  const first = Date.UTC(2026, 10, 23, 9);
  const schedule = { cron: '*/10 * * * *', timezone: 'UTC' };
  expect(dueTimes(schedule, first, first + 31 * MINUTE_MS)).toEqual({
    last: first + 30 * MINUTE_MS,
    earlier: first + 20 * MINUTE_MS,
    count: 4,
    next: first + 40 * MINUTE_MS,
  });
  expect(dueTimes(schedule, first, first)).toMatchObject({ last: first, earlier: undefined, count: 1 });
});

test('a year of minutes is counted by its days', () => {
  // The hour that comes twice counts once.
  const steps = vi.spyOn(Cron.prototype, 'nextRun');
  const looks = vi.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts');
  onTestFinished(() => void vi.restoreAllMocks());
  const first = Date.UTC(2026, 0, 1);
  const until = Date.UTC(2027, 0, 1);
  const { count, last, next } = dueTimes({ cron: '* * * * *', timezone: 'Europe/Berlin' }, first, until);
  expect({ count, last, next }).toEqual({
    count: 365 * 24 * 60 + 1 - 60,
    last: until,
    next: until + MINUTE_MS,
  });
  expect(steps.mock.calls.length).toBeLessThan(366 + 60 + 24 + 20);
  // Some for each day, and for each minute of the two days on which the clocks change.
  expect(looks.mock.calls.length).toBeLessThan(366 * 10 + 2 * 24 * 60 * 20);
});

test('a zone is remembered for as many spellings as there are zones, not for all', () => {
  const made = vi.spyOn(Intl, 'DateTimeFormat');
  onTestFinished(() => void vi.restoreAllMocks());
  const name = 'america/argentina/comodrivadavia';
  const spelled = (i: number) =>
    [...name].map((letter, k) => ((i >> k) & 1 ? letter.toUpperCase() : letter)).join('');
  const ask = (i: number) => checkSchedule({ cron: '0 0 * * *', timezone: spelled(i) }, 0);
  for (let i = 0; i < 300; i += 1) ask(i);
  const before = made.mock.calls.length;
  ask(299);
  expect(made.mock.calls.length).toBe(before);
  // The first spellings are forgotten.
  ask(0);
  expect(made.mock.calls.length).toBe(before + 1);
});
