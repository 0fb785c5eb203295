// rules.md: states 2, events 1. The one commit, and the log that it writes.
import fc from 'fast-check';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { EventBody } from '#contract/events.ts';
import type { Caller } from '#domain/access/authenticate.ts';
import { succeeded } from '#domain/runs/transitions.ts';
import * as deliveries from '#store/runs/deliveries.ts';
import type { RunRecord } from '#store/runs/run-record.ts';
import * as runs from '#store/runs/runs.ts';
import { aroundTable } from '../../support/around-table.ts';
import { replaceStateMachine } from '../../support/fakes.ts';
import { caller, givenRun, logOf } from '../../support/runs.ts';
import { useTable } from '../../support/table.ts';

let by: Caller;
useTable();
beforeAll(async () => {
  by = await caller();
});
beforeEach(replaceStateMachine);

const progress = (items_done: number): EventBody => ({
  event_type: 'step.progress',
  data: { step_index: 0, kind: 'transform', items_done, items_total: 1000 },
});

/** Appends events like one of many writers: read, decide, commit, and again when another was faster. */
function append(run: RunRecord, events: EventBody[]): Promise<RunRecord> {
  return runs.retryIfStale(async () => {
    const now = await runs.get(run.workspace_id, run.id);
    if (!now) throw new Error('no run');
    return runs.commit(now, { change: {}, events });
  });
}

test('writers at once: every event is saved once, in one gapless order, whatever the sizes of their commits', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 4 }), { minLength: 1, maxLength: 4 }),
      async (writers) => {
        const run = await givenRun(by);
        let n = 0;
        const sent: number[] = [];
        await Promise.all(
          writers.map(async (sizes) => {
            for (const size of sizes) {
              const events = Array.from({ length: size }, () => progress(++n));
              sent.push(...events.map(({ data }) => Number(Reflect.get(data, 'items_done'))));
              await append(run, events);
            }
          }),
        );
        const log = await logOf(run, 0, 1000);
        expect(log.map(({ sequence }) => sequence)).toEqual(log.map((_, i) => i + 1));
        const found = log.slice(1).map(({ data }) => Number(data.items_done));
        expect(found.toSorted((a, b) => a - b)).toEqual(sent.toSorted((a, b) => a - b));
        expect((await runs.get(run.workspace_id, run.id))?.last_sequence).toBe(log.length);
      },
    ),
    { numRuns: 25 },
  );
});

test('a reader concurrent with writers, with pages of any size, misses nothing and sees nothing twice', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 12 }),
      async (limits) => {
        const run = await givenRun(by);
        const writing = (async () => {
          for (let i = 1; i <= 20; i += 1)
            await append(
              run,
              Array.from({ length: (i % 3) + 1 }, () => progress(i)),
            );
        })();
        const seen: number[] = [];
        let turn = 0;
        let finished = false;
        void writing.then(() => {
          finished = true;
        });
        for (;;) {
          const wasFinished = finished;
          const page = await logOf(run, seen.at(-1) ?? 0, limits[turn++ % limits.length] ?? 1);
          seen.push(...page.map(({ sequence }) => sequence));
          if (page.length === 0 && wasFinished) break;
        }
        await writing;
        const last = (await runs.get(run.workspace_id, run.id))?.last_sequence ?? 0;
        expect(seen).toEqual(Array.from({ length: last }, (_, i) => i + 1));
      },
    ),
    { numRuns: 8 },
  );
});

test('of two commits on the same state one wins, the other is stale and leaves nothing', async () => {
  const run = await givenRun(by);
  const both = await Promise.allSettled([
    runs.commit(run, { change: { message: 'a' }, events: [progress(1)] }),
    runs.commit(run, { change: { message: 'b' }, events: [progress(2)] }),
  ]);
  const lost = both.filter((one) => one.status === 'rejected');
  expect(lost).toHaveLength(1);
  expect(lost[0]?.reason).toBeInstanceOf(runs.StaleRun);
  expect(await logOf(run, 0, 10)).toHaveLength(2);
});

/** The commands of a commit; the first `lost` requests take effect without a reply, and are sent again. */
async function commandsOf(run: RunRecord, transition: runs.Transition, lost = 0): Promise<string[]> {
  const seen: string[] = [];
  const stop = aroundTable(async ({ name }, carryOut) => {
    seen.push(name);
    for (let n = 0; n < lost && seen.length === 1; n += 1) await carryOut();
    return carryOut();
  });
  await runs.commit(run, transition).finally(stop);
  return seen;
}

test('a commit of nothing but a run costs no transaction, unless it counts what must not be counted twice', async () => {
  const run = await givenRun(by);
  const alone = { change: { owner: 'a' } };
  expect(await commandsOf(run, alone)).toEqual(['PutCommand']);
  const present = await runs.get(run.workspace_id, run.id);
  if (!present) throw new Error('no run');
  const spent = { ...present.spent, input_tokens: 1 };
  expect(await commandsOf(present, { change: { spent } })).toEqual(['TransactWriteCommand']);
});

test('a put whose reply was lost is found to be the commit, and one that another overtook is stale', async () => {
  const run = await givenRun(by);
  const alone = { change: { owner: 'a' } };
  expect(await commandsOf(run, alone, 1)).toEqual(['PutCommand', 'GetCommand']);
  await expect(commandsOf(run, alone)).rejects.toThrow(runs.StaleRun);
});

test('time in the log never runs backwards, whatever the clocks of its writers', async () => {
  const run = await givenRun(by, { change: { last_event_at: Date.now() + 60_000 } });
  await append(run, [progress(1)]);
  await append(run, [progress(2)]);
  const times = (await logOf(run, 1, 10)).map(({ occurred_at }) => occurred_at);
  expect(times).toEqual([run.last_event_at, run.last_event_at]);
});

test('the last event and the webhook of a run have the time of its end, however late the commit is', async () => {
  const change = { status: 'running' as const, config: { callback_url: 'https://example.com/hook' } };
  const run = await givenRun(by, { change });
  const end = succeeded(run, [], Date.now() + 5000);
  const { workspace_id, id: run_id, completed_at } = await runs.commit(run, end);
  const last = (await logOf(run, 0, 10)).at(-1);
  if (!last) throw new Error('no event');
  const delivery = await deliveries.get({ workspace_id, run_id, event_id: last.event_id });
  const told = JSON.parse(delivery?.body ?? '').occurred_at;
  expect([last.occurred_at, told]).toEqual([completed_at, Math.floor(Number(completed_at) / 1000)]);
});
