// rules.md: monitors 3, console 14. Schedules in words, and their next times as the service reckons them.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextTimes } from '../../clients/console/schedule/next-times.ts';
import { choices, firstWhen, OTHER, triggerOf, withChoice } from '../../clients/console/schedule/when.ts';
import { cronText } from '../../clients/console/view-models/cron-text.ts';
import {
  causeText,
  changesText,
  outcomeText,
  squareOf,
  squareText,
  triggerText,
  withWebhook,
} from '../../clients/console/view-models/monitor-text.ts';
import type { Fire } from '../../clients/sdk/index.ts';

test.each([
  ['0 7 * * 1-5', 'Mon to Fri at 07:00'],
  ['5 7,19 * * *', 'every day at 07:05 and 19:05'],
  ['0 0 * * 7', 'Sun at 00:00'],
  ['0 7 * * 1,3,5', 'Mon, Wed and Fri at 07:00'],
  ['0 7 * * 0-6', 'every day at 07:00'],
  ['0 7 1 * *', 'on day 1 of each month at 07:00'],
  ['0 5 29 2 *', 'on 29 Feb at 05:00'],
  ['0 * * * *', 'every hour'],
  ['10 * * * *', 'every hour at minute 10'],
  ['* * * * *', 'every minute'],
  ['*/15 * * * *', 'every 15 minutes'],
  ['0 */6 * * 1-5', 'Mon to Fri, every 6 hours'],
])('%s is %s', (cron, text) => {
  expect(cronText(cron)).toBe(text);
});

test.each([
  ...['*/7 * * * *', '0 */5 * * *', '0 7 1 * 1', '0 7 * 2 *', '0-5 7 * * *', '0 7 1 13 *', '0 7 * * 8'],
  ...['', 'daily', '0 7 * *'],
])('a pattern without simple words stays as it is: %s', (cron) => {
  expect(cronText(cron)).toBe(cron);
});

test('every text has words or stays as it is', async () => {
  const field = fc.constantFrom('*', '0', '7', '59', '1-5', '1,3', '*/2', '*/7', 'x');
  await fc.assert(
    fc.property(fc.array(field, { minLength: 0, maxLength: 6 }), (fields) => {
      const cron = fields.join(' ');
      const text = cronText(cron);
      expect(text === cron || !text.includes('*')).toBe(true);
    }),
  );
});

test('the next times are those of the clocks of the zone, across a change of them', () => {
  const schedule = { cron: ' 30 2 * * * ', timezone: 'Europe/Berlin' };
  // On 29 March 2026 the clocks skip from 02:00 to 03:00, on 25 October they show 02:30 twice.
  expect(nextTimes(schedule, Date.UTC(2026, 2, 28, 0))).toEqual({
    times: [
      expect.stringMatching(/28 Mar 2026.* 02:30/),
      expect.stringMatching(/29 Mar 2026.* 03:00/),
      expect.stringMatching(/30 Mar 2026.* 02:30/),
    ],
  });
  expect(nextTimes(schedule, Date.UTC(2026, 9, 24, 12))).toEqual({
    times: [25, 26, 27].map((day) => expect.stringMatching(new RegExp(`${day} Oct 2026.* 02:30`))),
  });
});

test.each([
  ['0 25 * * *', 'UTC', 'This is no cron pattern.'],
  ['0 7 * * *', 'Mars', 'There is no such time zone.'],
  ['0 7 31 2 *', 'UTC', 'This date never comes.'],
])('%s in %s: %s', (cron, timezone, problem) => {
  expect(nextTimes({ cron, timezone }, 0)).toEqual({ problem });
});

test('each choice has words, and another pattern begins from the one that was chosen', () => {
  expect(choices.map(([, text]) => text)).toEqual([
    ...['Every hour', 'Every day at 07:00', 'Mon to Fri at 07:00', 'Mon at 07:00'],
    ...['Another pattern', 'When records change'],
  ]);
  const daily = withChoice({ ...firstWhen(), timezone: 'UTC' }, '0 7 * * *');
  expect(triggerOf(withChoice(daily, OTHER))).toEqual({ cron: '0 7 * * *', timezone: 'UTC' });
  expect(triggerOf({ ...daily, choice: 'change', types: ['a'] })).toEqual({ change: { types: ['a'] } });
});

test('a trigger is a sentence', () => {
  expect(triggerText({ cron: '0 7 * * 1-5', timezone: 'Europe/Berlin' })).toBe(
    'Mon to Fri at 07:00, Europe/Berlin',
  );
  expect(triggerText({ cron: '0 * * * *' })).toBe('every hour, UTC');
  expect(triggerText({ change: { types: ['a', 'b'] } })).toBe('on a change of a, b');
});

const fire = (fields: Partial<Fire>): Fire => ({
  ...{ id: '', due_at: 0, fired_at: 0, cause: 'schedule', outcome: 'run' },
  ...fields,
});

test.each([
  [
    fire({ run_id: 'r', changes: { added: 2, removed: 0, changed: 1 } }),
    'changed',
    'T: ran, by the clock; 2 added, 1 changed',
  ],
  [fire({ changes: { added: 0, removed: 0, changed: 0 } }), 'ran', 'T: ran, by the clock; nothing changed'],
  [
    fire({ outcome: 'queued', cause: 'change' }),
    'waits',
    'T: waits for the last run to end, a record changed',
  ],
  [
    fire({ outcome: 'skipped', reason: 'overlap', cause: 'request' }),
    'skipped',
    'T: skipped, because the last run still went on, by hand',
  ],
  [fire({ outcome: 'skipped', reason: 'missed', count: 4 }), 'skipped', 'T: missed 4 times, by the clock'],
  [fire({ outcome: 'refused', reason: 'auth_invalid' }), 'refused', 'T: refused: auth_invalid, by the clock'],
])('a due time is a square with words (%#)', (one, square, text) => {
  expect(squareOf(one)).toBe(square);
  expect(squareText(one, 'T')).toBe(text);
});

test('a due time without a comparison has no changes', () => {
  expect([changesText(fire({})), outcomeText(fire({})), causeText(fire({}))]).toEqual([
    '',
    'ran',
    'by the clock',
  ]);
});

test('the webhook of the form is that of the runs, wherever the request has its own', () => {
  const query = { input_type: 'query', query: 'q' } as const;
  expect(withWebhook({ ...query, callback_url: 'https://a' }, '')).toEqual(query);
  expect(
    withWebhook({ ...query, config: { callback_url: 'https://a', strict_mode: false } }, 'https://b'),
  ).toEqual({
    ...query,
    config: { strict_mode: false, callback_url: 'https://b' },
  });
});
