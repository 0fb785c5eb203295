// On a shared thread, lists of runs yield to the event loop.
import { expect, onTestFinished, test, vi } from 'vitest';
import { listRuns } from '#domain/runs/list-runs.ts';
import { giveServiceSecret } from '../../support/fakes.ts';
import { useMemoryTable } from '../../support/memory-table/use-memory-table.ts';
import { caller, givenRun } from '../../support/runs.ts';
import { turnsDuring } from '../../support/turns.ts';

vi.mock('#platform/turns.ts', () => import('../../../lib/local/shared-thread/turns.ts'));

const RUNS = 20;

test('when each run of a list takes long to read, each takes a separate turn', async () => {
  useMemoryTable();
  giveServiceSecret();
  const by = await caller();
  for (let i = 0; i < RUNS; i += 1) await givenRun(by);
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 20;
    return now;
  });
  onTestFinished(() => void vi.restoreAllMocks());
  const turns = await turnsDuring(() => listRuns(by.workspace, { limit: RUNS }));
  // Its report is opened, its record checked and its entry made.
  expect(turns).toBeGreaterThanOrEqual(3 * RUNS);
});
