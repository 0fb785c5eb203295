// rules.md: models 19, models 20. The state of an endpoint in the table: of callers that race, one makes the change.
import { expect, test } from 'vitest';
import { afterTries, claimed, succeeded } from '#store/models/endpoint-state.ts';
import { changeState, readStates } from '#store/models/endpoints.ts';
import { useTable } from '../../support/table.ts';

useTable();

const callers = Array.from({ length: 20 }, (_, i) => `caller ${i}`);

test('of twenty calls that fail at once, one makes it go away; of twenty that come then, one probes', async () => {
  const now = Date.now();
  const failure = { now, awayMs: () => 1000 };
  const failed = await Promise.all(
    callers.map(() => changeState('a', (state) => afterTries(state, now - 1, failure))),
  );
  expect(failed.filter(({ changed }) => changed)).toHaveLength(1);
  expect(failed.map(({ state }) => state?.times)).toEqual(callers.map(() => 1));
  const later = now + 1000;
  const claims = await Promise.all(
    callers.map((id) => changeState('a', (state) => claimed(state, id, later))),
  );
  expect(claims.filter(({ changed }) => changed)).toHaveLength(1);
  const winner = (await readStates(['a'])).get('a')?.probe?.id ?? '';
  expect(callers).toContain(winner);
  const ends = await Promise.all(callers.map((id) => changeState('a', (state) => succeeded(state, id))));
  expect(ends.filter(({ changed }) => changed)).toHaveLength(1);
  expect((await readStates(['a', 'b'])).get('a')).toEqual({
    times: 0,
    since: now,
    went_at: now,
    until: later,
  });
});
