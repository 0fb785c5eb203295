// rules.md: usage 8. A commit that gets no reply may have counted its calls: they are counted once all the same.
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { createUsageCounter } from '#domain/execution/model-calls/usage-counter.ts';
import { acquiredLease } from '#domain/execution/run-lease.ts';
import { commitWithUsage } from '#domain/execution/run-step.ts';
import { settleCalls } from '#domain/execution/settle-calls.ts';
import { ServiceTrouble } from '#platform/service-trouble.ts';
import { spentToday } from '#store/money/costs.ts';
import { nothingSpent, type RunRecord } from '#store/runs/run-record.ts';
import * as runs from '#store/runs/runs.ts';
import { table, tableName } from '#store/table/table.ts';
import { keys } from '#store/table/table-keys.ts';
import { aroundTable } from '../../support/around-table.ts';
import { caller, givenRun } from '../../support/runs.ts';
import { useTable } from '../../support/table.ts';

useTable();
let run: RunRecord;
beforeEach(async () => {
  run = await givenRun(await caller(100), { change: { status: 'running', owner: 'us' } });
});

const reply = { ...nothingSpent, calls: 1, cost_pico_usd: '1000000000000' };

/** An invocation that owns the run, with the calls of its step. */
function givenCalls() {
  const lease = acquiredLease(run, run);
  const usage = createUsageCounter({}, new Map(), lease.run);
  const untraced = { position: 0, attempt: 1, tries: [] };
  const calls = {
    ...{ usage, untraced, position: 0 },
    markTraced: () => undefined,
    journalWaiting: async () => undefined,
  };
  return { lease, usage, calls };
}

/** The next commit gets no reply, after it took effect or instead. */
function loseReply({ applied }: { applied: boolean }): void {
  const restore = aroundTable(async (_, carryOut) => {
    restore();
    if (applied) await carryOut();
    throw new Error('no reply');
  });
  onTestFinished(restore);
}

/** Another invocation takes the run over and counts calls. */
async function takenOver(times: number): Promise<void> {
  for (let owner = 1; owner <= times; owner += 1)
    await runs.retryIfStale(async () => {
      const now = await runs.get(run.workspace_id, run.id);
      if (!now) throw new Error('no run');
      const others = createUsageCounter({}, new Map(), { ...now, owner: `owner ${owner}` });
      others.countDirect(reply);
      const { change, cost } = others.uncounted(now);
      await runs.commit(now, { change: { ...change, owner: `owner ${owner}` }, cost });
    });
}

test.each([
  ['took effect', true, 0],
  ['did not', false, 0],
  ['took effect before others took over', true, 3],
  ['did not, and others took over', false, 3],
])('a lost commit that %s leaves each call counted once, also one under way', async (_, applied, owners) => {
  const { lease, usage, calls } = givenCalls();
  usage.countDirect(reply);
  loseReply({ applied });
  await expect(commitWithUsage(lease, calls, () => ({ change: {} }))).rejects.toThrow('no reply');
  usage.countDirect(reply);
  await takenOver(owners);
  await settleCalls(lease, calls, () => false);
  expect((await runs.get(run.workspace_id, run.id))?.spent.calls).toBe(2 + owners);
  expect(await spentToday(run.workspace_id, Date.now())).toBe(BigInt(2 + owners) * 1_000_000_000_000n);
});

test('what a deleted run still costs is counted once on its day, though the reply is lost', async () => {
  const { lease, usage, calls } = givenCalls();
  usage.countDirect(reply);
  await table.send(new DeleteCommand({ TableName: tableName(), Key: keys.run(run.workspace_id, run.id) }));
  const restore = aroundTable(async ({ name }, carryOut) => {
    const reply = await carryOut();
    if (name !== 'TransactWriteCommand') return reply;
    restore();
    throw new ServiceTrouble('no reply');
  });
  await settleCalls(lease, calls, () => false);
  expect(await spentToday(run.workspace_id, Date.now())).toBe(1_000_000_000_000n);
});

test('a commit that is still under way when its step fails is waited for', async () => {
  const { lease, usage, calls } = givenCalls();
  usage.countDirect(reply);
  const committing = commitWithUsage(lease, calls, () => ({ change: {} }));
  await settleCalls(lease, calls, () => false);
  await committing;
  expect((await runs.get(run.workspace_id, run.id))?.spent.calls).toBe(1);
});
