// rules.md: deletion. Deleting a run that has more than a transaction takes, that dies on the way, or that others use.
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { resumeRun } from '#domain/commands/resume-run.ts';
import { deleteRun } from '#domain/erasure/delete-run.ts';
import { eventPage } from '#domain/events/event-page.ts';
import { openStream } from '#domain/events/event-stream.ts';
import { sweepRuns } from '#domain/recovery/sweep-runs.ts';
import { deliverAttempt } from '#domain/webhooks/deliver.ts';
import { listDeliveries } from '#domain/webhooks/list-deliveries.ts';
import { newTimeOrderedId } from '#platform/ids.ts';
import { spentToday } from '#store/money/costs.ts';
import { readCounters } from '#store/money/counters.ts';
import * as artifacts from '#store/runs/artifacts.ts';
import * as deliveries from '#store/runs/deliveries.ts';
import { recordCall } from '#store/runs/journal.ts';
import { nothingSpent, type RunRecord } from '#store/runs/run-record.ts';
import * as runs from '#store/runs/runs.ts';
import { putObject } from '#store/table/object-store.ts';
import { queryAll, transact } from '#store/table/table.ts';
import { keys } from '#store/table/table-keys.ts';
import { aroundTable } from '../../support/around-table.ts';
import { replaceStateMachine } from '../../support/fakes.ts';
import { keepObjects } from '../../support/objects.ts';
import { actor, caller, givenRun } from '../../support/runs.ts';
import { sweepTime } from '../../support/sweep-time.ts';
import { useTable } from '../../support/table.ts';
import { messageOf, newDelivery, receiver, replaceNeighbours, status } from '../webhooks/deliveries.ts';

useTable();
let objects: ReturnType<typeof keepObjects>;
beforeEach(() => {
  replaceStateMachine();
  replaceNeighbours();
  objects = keepObjects();
});
afterEach(() => void vi.unstubAllGlobals());

const later = () => sweepTime(Date.now() + 10 * 60_000);
const itemsOf = (run: RunRecord) => queryAll(keys.runPartition(run.workspace_id, run.id));
const failure = { code: 'internal_error', type: 'internal', message: 'm', doc_url: 'd' } as const;

/** A failed run of a workspace, with as many text artifacts. */
async function failedRun(by: Awaited<ReturnType<typeof caller>>, count = 0) {
  const run = await givenRun(by);
  const texts = Array.from({ length: count }, (_, i) => ({
    id: newTimeOrderedId(run.created_at + i),
    object: 'artifact' as const,
    kind: 'text' as const,
    title: 't',
    content: 'c',
    entity_refs: [],
    run_id: run.id,
    created_at: run.created_at,
  }));
  for (const text of texts) await transact([await artifacts.artifactWrite(run, text)]);
  return runs.commit(run, {
    change: {
      status: 'failed',
      completed_at: Date.now(),
      log_finished: true,
      errors: [failure],
      artifacts: texts.map(({ id, kind, title }) => ({ id, kind, title })),
    },
  });
}

const artifactsLeft = async (run: RunRecord) => (await queryAll(keys.artifacts(run.workspace_id))).length;

test('a run with more artifacts than a transaction takes is gone with all of them', async () => {
  const run = await failedRun(await caller(), 130);
  await deleteRun(run.workspace_id, run.id, actor);
  expect(await artifactsLeft(run)).toBe(0);
  await sweepRuns(later());
  expect(await itemsOf(run)).toEqual([]);
});

test('a delete that dies after its transaction is finished by the sweep, objects of all versions included', async () => {
  const run = await failedRun(await caller(), 130);
  const prefix = `${run.workspace_id}/runs/${run.id}/`;
  for (const key of [`${prefix}a.json`, `${prefix}a.json`, `calls/${prefix}b.json`, 'other/runs/c.json'])
    await putObject(key, Buffer.from('{}'));
  const stop = aroundTable(async ({ name }, carryOut) => {
    if (name === 'BatchWriteCommand') throw new Error('dead');
    return carryOut();
  });
  await expect(deleteRun(run.workspace_id, run.id, actor)).rejects.toThrow('dead');
  stop();
  expect(await runs.get(run.workspace_id, run.id)).toBeUndefined();
  expect(await artifactsLeft(run)).toBeGreaterThan(0);

  await sweepRuns(sweepTime(Date.now() + 1));
  expect([await artifactsLeft(run), objects.map(({ key }) => key)]).toEqual([0, ['other/runs/c.json']]);
  // A task that had lost the run may still write for a minute.
  await putObject(`${prefix}late.json`, Buffer.from('{}'));
  await sweepRuns(later());
  expect([await itemsOf(run), objects.length]).toEqual([[], 1]);
});

test('a delete whose reply was lost has deleted, once', async () => {
  const run = await failedRun(await caller());
  onTestFinished(
    aroundTable(async ({ name }, carryOut) => {
      const reply = await carryOut();
      // The SDK sends the transaction again, and its condition fails.
      return name === 'TransactWriteCommand' ? carryOut() : reply;
    }),
  );
  await deleteRun(run.workspace_id, run.id, actor);
  const audit = (await queryAll(keys.audit(run.workspace_id))).filter(({ target }) => target === run.id);
  expect(audit).toMatchObject([{ action: 'run.delete' }]);
});

test('of two deletes at once one deletes, the other finds no run', async () => {
  const run = await failedRun(await caller());
  const remove = () => deleteRun(run.workspace_id, run.id, actor);
  // The first one comes in between the read and the write of the second.
  let due = true;
  onTestFinished(
    aroundTable(async ({ name }, carryOut) => {
      if (due && name === 'TransactWriteCommand') {
        due = false;
        await remove();
      }
      return carryOut();
    }),
  );
  await expect(remove()).rejects.toMatchObject({ code: 'run_not_found' });
});

test('of a delete and a resume one wins: no slot stays taken, and nothing is half', async () => {
  for (const first of ['delete', 'resume'] as const) {
    const by = await caller(1000);
    const run = await failedRun(by);
    const others = {
      delete: () => deleteRun(run.workspace_id, run.id, actor),
      resume: () => resumeRun(by, run.id, {}, actor),
    };
    const second = first === 'delete' ? 'resume' : 'delete';
    // The first one comes in between the read and the write of the second.
    let due = true;
    const stop = aroundTable(async ({ name, input }, carryOut) => {
      if (due && name === 'TransactWriteCommand' && JSON.stringify(input).includes('"META"')) {
        due = false;
        await others[first]();
      }
      return carryOut();
    });
    const code = first === 'delete' ? 'run_not_found' : 'run_not_terminal';
    await expect(others[second]()).rejects.toMatchObject({ code });
    stop();
    const { slots } = await readCounters(run.workspace_id);
    expect(Object.keys(slots)).toEqual(first === 'delete' ? [] : [run.id]);
  }
});

test('a delivery in its attempt ends, one that is due is dropped', async () => {
  const due = await newDelivery();
  const remove = () => deleteRun(due.workspace_id, due.run_id, actor);
  const posting = receiver(status(500));
  const post = async (request: Parameters<typeof posting>[0]) => {
    await remove();
    return posting(request);
  };
  expect(await deliverAttempt(messageOf(due, 1), post)).toBe('done');
  expect(posting.posts).toHaveLength(1);
  expect(await deliverAttempt(messageOf(due, 2), posting)).toBe('done');
  expect(posting.posts).toHaveLength(1);
  expect(await deliveries.list(due.workspace_id, due.run_id)).toEqual([]);
});

test('a list of deliveries that a delete overtakes finds no run, not one without deliveries', async () => {
  const { workspace_id, run_id } = await newDelivery();
  let due = true;
  const stop = aroundTable(async (_call, carryOut) => {
    const reply = await carryOut();
    if (due) {
      due = false;
      await deleteRun(workspace_id, run_id, actor);
    }
    return reply;
  });
  await expect(listDeliveries(workspace_id, run_id)).rejects.toMatchObject({ code: 'run_not_found' });
  stop();
});

test('a page of events that a delete and the sweep overtake finds no run, not one without events', async () => {
  const run = await failedRun(await caller());
  await deleteRun(run.workspace_id, run.id, actor);
  await sweepRuns(later());
  await expect(eventPage(run, {})).rejects.toMatchObject({ code: 'run_not_found' });
});

test('a stream that has not read its log ends', async () => {
  const run = await failedRun(await caller());
  const open = await runs.commit(run, { change: { last_sequence: 50 } });
  const stream = await openStream(run.workspace_id, run.id, undefined);
  const pieces = stream?.[Symbol.asyncIterator]();
  await pieces?.next();
  await deleteRun(open.workspace_id, open.id, actor);
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  let ended = false;
  void (async () => {
    while (!(await pieces?.next())?.done);
    ended = true;
  })();
  await vi.waitFor(async () => {
    await vi.advanceTimersByTimeAsync(1000);
    expect(ended).toBe(true);
  });
});

test.each(['as it should', 'without a reply'])(
  'calls that a task which lost the run journals before and after the delete count once on the day, when that is saved %s',
  async (how) => {
    const spent = { ...nothingSpent, calls: 1, cost_pico_usd: '1000000000000' };
    const failed = await failedRun(await caller());
    const { workspace_id, id: run_id, position } = failed;
    const journals = (call: number) =>
      recordCall({ workspace_id, run_id, position }, { call, step_attempt: 1, spent, output: 'o' }, failed);
    await journals(0);
    const run = await runs.commit(failed, { change: { spent, journal_spent: spent } });
    const counted = await spentToday(workspace_id, Date.now());
    await journals(1);
    await deleteRun(workspace_id, run.id, actor);
    await sweepRuns(sweepTime(Date.now()));
    await journals(2);
    const stop = aroundTable(async ({ name, input }, carryOut) => {
      const reply = await carryOut();
      if (name !== 'TransactWriteCommand' || !JSON.stringify(input, noBigInts).includes('journal.counted'))
        return reply;
      stop();
      if (how === 'without a reply') throw Object.assign(new Error('no reply'), { name: 'TimeoutError' });
      return reply;
    });
    onTestFinished(stop);
    await sweepRuns(later());
    // What failed is put off.
    await sweepRuns(sweepTime(Date.now() + 60 * 60_000));
    expect((await spentToday(workspace_id, Date.now())) - counted).toBe(2_000_000_000_000n);
    expect(await itemsOf(run)).toEqual([]);
  },
);

const noBigInts = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
