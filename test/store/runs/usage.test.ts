// rules.md: usage 12. The usage of a workspace is that of its runs, whatever happens to them, on whatever day, and
// wherever the sweep that sums up their days dies.
import fc from 'fast-check';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { UsageGroup, UsageRow } from '#contract/workspace-usage.ts';
import type { Caller } from '#domain/access/authenticate.ts';
import { releaseReservation } from '#domain/billing/reservations.ts';
import { forgetRun } from '#domain/erasure/delete-run.ts';
import { isUsageTurn, sumUpUsage } from '#domain/recovery/sum-up-usage.ts';
import { isTerminal } from '#domain/runs/lifecycle.ts';
import { reportUsage } from '#domain/workspaces/usage-report.ts';
import { claimSlot } from '#store/money/claim-slot.ts';
import { utcDay } from '#store/money/costs.ts';
import { countEnded } from '#store/runs/counted-runs.ts';
import { countedAs } from '#store/runs/run-figures.ts';
import { type EndedRun, nothingSpent, type RunChange, type RunRecord } from '#store/runs/run-record.ts';
import * as runs from '#store/runs/runs.ts';
import { summedDays } from '#store/runs/usage-days.ts';
import { aroundTable } from '../../support/around-table.ts';
import { replaceStateMachine } from '../../support/fakes.ts';
import { caller, endedRun, givenRun } from '../../support/runs.ts';
import { sweepTime } from '../../support/sweep-time.ts';
import { useTable } from '../../support/table.ts';

useTable();
beforeEach(replaceStateMachine);
const DAY_MS = 24 * 3600 * 1000;
const NOON = Date.parse('2026-03-10T12:00:00Z');

let by: Caller;
let other: Caller;
beforeAll(async () => {
  by = await caller();
});
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOON });
  by = await caller();
  other = { ...by, key: { ...by.key, key_id: 'key_other' } };
});
afterEach(() => {
  vi.useRealTimers();
});

const workspaceId = () => by.workspace.workspace_id;
const laterBy = (ms: number) => vi.setSystemTime(Date.now() + ms);
const sweeps = () => sumUpUsage(workspaceId(), sweepTime(Date.now()));

/** A sweep whose process dies at its n-th call of the table, before or after its effect. */
async function sweepDies(n: number, afterEffect: boolean): Promise<void> {
  let calls = 0;
  const restore = aroundTable(async (_, carryOut) => {
    calls += 1;
    if (calls < n) return carryOut();
    if (calls === n && afterEffect) await carryOut();
    throw new Error('dead');
  });
  await sweeps().catch(() => undefined);
  restore();
}

const costing = (pico: number) => ({
  spent: { ...nothingSpent, calls: 1, cost_pico_usd: String(pico), input_tokens: pico % 7, model: 'm' },
});

const failure: RunRecord['errors'] = [
  { code: 'internal_error', type: 'internal', message: 'x', doc_url: 'x' },
];

async function ends(run: RunRecord, status: EndedRun['status'], pico: number): Promise<RunRecord> {
  const ended = { completed_at: Date.now(), log_finished: true, ...costing(pico) };
  const change: RunChange =
    status === 'failed' ? { ...ended, status, errors: failure } : { ...ended, status, errors: [] };
  const after = await runs.commit(run, { change });
  await releaseReservation(endedRun(after));
  return after;
}

async function resumes(run: RunRecord) {
  await claimSlot(workspaceId(), run.id, 1000, undefined);
  return runs.commit(run, { change: { status: 'running', completed_at: undefined, log_finished: false } });
}

/** What the runs come to by a group, from their records. */
function oracle(all: RunRecord[], by: UsageGroup) {
  const nameOf = (run: RunRecord) =>
    ({ day: utcDay(run.created_at), status: run.status, key: run.key_id, model: run.spent.model ?? null })[
      by as string
    ];
  return new Map(
    [...Map.groupBy(all, nameOf)].map(([name, some]) => [
      name,
      {
        runs: some.length,
        pico: some.reduce((sum, { spent }) => sum + Number(spent.cost_pico_usd), 0),
        input: some.reduce((sum, { spent }) => sum + spent.input_tokens, 0),
        ended: some.flatMap((run) => (run.completed_at ? [run.completed_at - run.created_at] : [])),
      },
    ]),
  );
}

const fieldOf = { day: 'day', status: 'status', key: 'key_id', model: 'model' } as const;

async function expectUsage(all: RunRecord[]): Promise<void> {
  const from = utcDay(NOON - DAY_MS);
  for (const group of ['day', 'status', 'key', 'model'] as const) {
    const { data } = await reportUsage(workspaceId(), { from, by: [group] }, Date.now());
    const rows: Map<unknown, UsageRow> = new Map(data.map((row) => [row[fieldOf[group]], row]));
    const wanted = oracle(all, group);
    expect(new Set(rows.keys())).toEqual(new Set(wanted.keys()));
    for (const [name, { runs: count, pico, input, ended }] of wanted) {
      const row = rows.get(name);
      expect([row?.runs, Math.round((row?.cost_usd ?? 0) * 1e12), row?.input_tokens]).toEqual([
        count,
        pico,
        input,
      ]);
      const sorted = ended.toSorted((a, b) => a - b);
      expect(row?.p50_ms).toBe(sorted[Math.ceil(sorted.length / 2) - 1] ?? null);
      expect(row?.p95_ms).toBe(sorted[Math.ceil(sorted.length * 0.95) - 1] ?? null);
    }
  }
}

const pico = fc.integer({ min: 0, max: 1_000_000 });
const which = fc.nat(20);
const happenings = fc.array(
  fc.oneof(
    fc.record({ what: fc.constantFrom('create', 'resume', 'delete', 'sweep', 'sleep'), which, pico }),
    fc.record({
      what: fc.constantFrom('end', 'charge', 'die', 'end', 'sleep'),
      which,
      pico,
    }),
  ),
  { minLength: 5, maxLength: 25 },
);

test('rule 12: the usage is that of the runs, whatever they do on whatever day', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(happenings, async (all) => {
      vi.setSystemTime(NOON);
      by = await caller();
      other = { ...by, key: { ...by.key, key_id: 'key_other' } };
      const made: RunRecord[] = [];
      const gone: RunRecord[] = [];
      for (const { what, which: n, pico: cost } of all) {
        const i = n % Math.max(1, made.length);
        const run = made[i];
        laterBy(1 + (cost % 1000));
        if (what === 'create') made.push(await givenRun(n % 2 === 0 ? by : other));
        else if (what === 'sleep') laterBy((n % 4) * DAY_MS);
        else if (what === 'sweep') await sweeps();
        else if (what === 'die') await sweepDies(n + 1, cost % 2 === 0);
        else if (!run) continue;
        else if (what === 'end' && !isTerminal(run))
          made[i] = await ends(run, (['succeeded', 'failed', 'canceled'] as const)[n % 3] ?? 'failed', cost);
        else if (what === 'resume' && run.status === 'failed') made[i] = await resumes(run);
        else if (what === 'charge' && run.spent.calls > 0)
          made[i] = await runs.commit(run, { change: costing(cost) });
        else if (what === 'delete' && isTerminal(run)) {
          await forgetRun(run);
          gone.push(...made.splice(i, 1));
        }
      }
      await expectUsage([...made, ...gone]);
      await sweeps();
      await expectUsage([...made, ...gone]);
    }),
    { numRuns: 40 },
  );
});

test('rule 12: days that have settled are read as sums; one that changes is read run by run until the next sweep', async () => {
  const run = await ends(await givenRun(by), 'failed', 5);
  const day = utcDay(NOON);
  laterBy(3 * DAY_MS);
  await sweeps();
  expect([...(await summedDays(workspaceId(), day, day)).keys()]).toEqual([day]);
  const again = await resumes(run);
  expect(await summedDays(workspaceId(), day, day)).toEqual(new Map());
  const done = await ends(again, 'succeeded', 9);
  await expectUsage([done]);
  await sweeps();
  expect((await summedDays(workspaceId(), day, day)).get(day)).toMatchObject([
    { status: 'succeeded', runs: 1, pico_usd: '9' },
  ]);
});

test('rule 12: a day that takes longer than a sweep has is left to be read run by run', async () => {
  const run = await ends(await givenRun(by), 'succeeded', 5);
  const day = utcDay(NOON);
  laterBy(3 * DAY_MS);
  const restore = aroundTable(async ({ input }, carryOut) => {
    if (JSON.stringify(input).includes('#STATUS#')) laterBy(60_000);
    return carryOut();
  });
  await sumUpUsage(workspaceId(), { now: Date.now(), until: Date.now() + 50_000 });
  restore();
  expect(await summedDays(workspaceId(), day, day)).toEqual(new Map());
  await expectUsage([run]);
});

test('every workspace has its turn once an hour, at any time of a few minutes', () => {
  const turns = Array.from({ length: 12 }, (_, i) => isUsageTurn(workspaceId(), NOON + i * 300_000));
  expect(turns.filter(Boolean)).toHaveLength(1);
});

test('rule 12: runs that ended in an earlier release count by their records', async () => {
  const run = await ends(await givenRun(by), 'succeeded', 5);
  const counted: unknown[] = [];
  // Its entry has no figures.
  const restore = aroundTable(async (_, carryOut) => {
    const reply = Object(await carryOut());
    for (const item of reply.Items ?? []) Reflect.deleteProperty(item, 'figures');
    return reply;
  });
  await countEnded(workspaceId(), utcDay(NOON), utcDay(NOON), (one) => counted.push(one));
  restore();
  expect(counted).toMatchObject([
    { counted_as: countedAs(run.id), status: 'succeeded', pico_usd: '5', duration_ms: 0 },
  ]);
});
