// The check of logs: the sweep visits a sample of the runs that have ended (rules.md: states 4).
import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { executeSlice } from '#domain/execution/execute-slice.ts';
import { sweepRuns } from '#domain/recovery/sweep-runs.ts';
import { count } from '#platform/count-metrics.ts';
import { log } from '#platform/log.ts';
import { logSample } from '#store/runs/run-expiry.ts';
import type { RunChange, RunRecord } from '#store/runs/run-record.ts';
import * as runs from '#store/runs/runs.ts';
import { table, tableName } from '#store/table/table.ts';
import { keys } from '#store/table/table-keys.ts';
import { handler as sweep } from '../../../functions/jobs/sweep.ts';
import { replaceStateMachine } from '../../support/fakes.ts';
import { caller, givenRun } from '../../support/runs.ts';
import { sliceSetting } from '../../support/slice-setting.ts';
import { sweepTime } from '../../support/sweep-time.ts';
import { useTable } from '../../support/table.ts';

vi.mock('#platform/count-metrics.ts', () => ({ count: vi.fn() }));
const { one_in } = logSample;
useTable();
beforeEach(() => {
  replaceStateMachine();
  logSample.one_in = 1;
});
afterEach(() => {
  logSample.one_in = one_in;
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const later = () => sweepTime(Date.now() + 2 * 60_000);
const present = (run: RunRecord) => runs.get(run.workspace_id, run.id);

/** A run that has succeeded. */
async function succeededRun(change?: RunChange): Promise<RunRecord> {
  const run = await givenRun(await caller(1000), change && { change });
  await executeSlice({ workspace_id: run.workspace_id, run_id: run.id }, sliceSetting());
  const ended = await present(run);
  if (ended?.status !== 'succeeded') throw new Error(`the run is ${ended?.status}`);
  return ended;
}

/** Changes one attribute of a stored run, as no commit would. */
async function spoil(run: RunRecord, name: string, value: unknown): Promise<void> {
  await table.send(
    new UpdateCommand({
      TableName: tableName(),
      Key: keys.run(run.workspace_id, run.id),
      UpdateExpression: 'SET #name = :value',
      ExpressionAttributeNames: { '#name': name },
      ExpressionAttributeValues: { ':value': value },
    }),
  );
}

async function loses(key: { pk: string; sk: string }): Promise<void> {
  await table.send(new DeleteCommand({ TableName: tableName(), Key: key }));
}

test('the log of an ended run is checked a minute later, once, and the run is not due any more', async () => {
  const run = await succeededRun();
  expect(await sweepRuns(sweepTime(Date.now()))).toMatchObject({ logs_checked: 0 });
  expect(await sweepRuns(later())).toMatchObject({ logs_checked: 1, logs_illegal: 0, repairs_failed: 0 });
  expect((await present(run))?.due_pk).toBeUndefined();
  expect(await sweepRuns(later())).toMatchObject({ logs_checked: 0 });
});

test('a run outside the sample is not due when it has ended: it costs nothing', async () => {
  logSample.one_in = Number.POSITIVE_INFINITY;
  expect((await succeededRun()).due_pk).toBeUndefined();
  expect(await sweepRuns(later())).toMatchObject({ logs_checked: 0 });
});

test('a run that has to be deleted later is due for its deletion after the check', async () => {
  const run = await succeededRun({ config: { retain_seconds: 3600 } });
  expect(await sweepRuns(later())).toMatchObject({ logs_checked: 1, runs_forgotten: 0 });
  expect((await present(run))?.due_at).toBe(run.retained_until);
});

test('a look that another commit has undone is repeated: the run is checked again', async () => {
  const run = await succeededRun();
  await sweepRuns(later());
  await runs.commit(run, { change: { spent: run.spent } });
  expect(await sweepRuns(later())).toMatchObject({ logs_checked: 1, logs_illegal: 0 });
});

test.each<[reason: string, spoiled: (run: RunRecord) => Promise<void>]>([
  ['the status differs', (run) => spoil(run, 'status', 'canceled')],
  [
    'the steps differ',
    (run) =>
      spoil(
        run,
        'steps',
        run.steps.map((step) => ({ ...step, attempt: 2 })),
      ),
  ],
  ['the position differs', (run) => spoil(run, 'position', 0)],
  ['the resumes differ', (run) => spoil(run, 'resume_count', 1)],
  [
    'the artifacts differ',
    (run) => spoil(run, 'artifacts', [{ id: run.id, kind: 'text', title: 'Another' }]),
  ],
  ['the time of the end differs', (run) => spoil(run, 'completed_at', run.created_at + 3_600_000)],
  ['the credits differ', (run) => spoil(run, 'credits_used', 999)],
  ['the end has no delivery', (run) => spoil(run, 'config', { callback_url: 'https://example.com' })],
  [
    'the log has a gap',
    ({ workspace_id, id, last_sequence }) =>
      loses({ ...keys.run(workspace_id, id), sk: keys.events(last_sequence) }),
  ],
  [
    'an event may not follow',
    ({ workspace_id, id }) =>
      table
        .send(
          new UpdateCommand({
            TableName: tableName(),
            Key: { ...keys.run(workspace_id, id), sk: keys.events(1) },
            UpdateExpression: 'SET events[0].event_type = :other',
            ExpressionAttributeValues: { ':other': 'run.started' },
          }),
        )
        .then(() => undefined),
  ],
])(
  '%s: the run is counted, and the line about it names run and reason, nothing else',
  async (reason, spoiled) => {
    const run = await succeededRun();
    await spoiled(run);
    const error = vi.spyOn(log, 'error').mockReturnValue();
    expect(await sweepRuns(later())).toMatchObject({ logs_checked: 1, logs_illegal: 1, repairs_failed: 0 });
    const { workspace_id, id: run_id } = run;
    expect(error.mock.calls).toEqual([['log illegal', { workspace_id, run_id, reason }]]);
  },
);

test('an illegal log is counted as the metric of its alarm', async () => {
  const run = await succeededRun();
  await spoil(run, 'position', 0);
  vi.spyOn(log, 'error').mockReturnValue();
  vi.useFakeTimers({ toFake: ['Date'], now: later().now });
  await sweep(undefined, { getRemainingTimeInMillis: () => 60_000 });
  expect(count).toHaveBeenCalledWith('log_illegal', { times: 1 });
});
