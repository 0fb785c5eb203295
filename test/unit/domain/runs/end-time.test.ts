// rules.md: envelope 6. Clocks of two functions differ; a run that ended before it was claimed would never pay.
import { expect, test } from 'vitest';
import { runError } from '#domain/runs/run-error.ts';
import { canceled, failed, succeeded } from '#domain/runs/transitions.ts';
import { runRecord } from '../../../support/runs.ts';

process.env.SITE_URL = 'https://runs.example';
const LAST_EVENT = 1_000_000;
const run = runRecord({ last_event_at: LAST_EVENT });

test.each([
  { clock: 'a slow', now: LAST_EVENT - 60_000, end: LAST_EVENT },
  { clock: 'a right', now: LAST_EVENT + 5, end: LAST_EVENT + 5 },
])('with $clock clock a run ends no earlier than its last event', ({ now, end }) => {
  const error = runError('internal_error');
  for (const { change } of [succeeded(run, [], now), failed(run, error, now), canceled(run, null, [], now)])
    expect(change.completed_at).toBe(end);
});

test('a cancel that waited for its step keeps its time', () => {
  const waiting = runRecord({ last_event_at: LAST_EVENT, status: 'canceled', completed_at: LAST_EVENT - 5 });
  expect(canceled(waiting, 0, [], LAST_EVENT + 5).change.completed_at).toBe(LAST_EVENT - 5);
});
