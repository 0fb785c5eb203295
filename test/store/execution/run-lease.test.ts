// The lease of an invocation: its commits take turns, and none follows one of which nobody knows whether it took effect.
import { afterEach, expect, test } from 'vitest';
import { openLease } from '#domain/execution/run-lease.ts';
import * as runs from '#store/runs.ts';
import { table } from '#store/table.ts';
import { caller, givenRun } from '../../support/runs.ts';
import { useTable } from '../../support/table.ts';

useTable();
afterEach(() => void table.middlewareStack.remove('lost'));

test('after a commit whose reply was lost nothing is counted again', async () => {
  const lease = openLease(await givenRun(await caller(100), { change: { status: 'running', owner: 'us' } }));
  const counts = (run: runs.RunRecord) => ({
    change: { spent: { ...run.spent, calls: run.spent.calls + 1 } },
  });
  table.middlewareStack.add(
    (next) => async (args) => {
      await next(args);
      table.middlewareStack.remove('lost');
      throw new Error('no reply');
    },
    { name: 'lost' },
  );
  const both = await Promise.allSettled([lease.commit(counts), lease.commit(counts)]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const { workspace_id, id } = lease.run;
  expect((await runs.get(workspace_id, id))?.spent.calls).toBe(1);
});
