// Slots: never more than the limit, each claimed and released once, whether in the counters or in separate items.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { reserveCapacity } from '#domain/commands/reserve-capacity.ts';
import { reconcileSlots } from '#domain/runs/reconcile-slots.ts';
import { createWorkspace } from '#domain/workspaces/settings.ts';
import { newId } from '#platform/ids.ts';
import { ServiceTrouble } from '#platform/service-trouble.ts';
import { claimSlot, slotsInCounters } from '#store/money/claim-slot.ts';
import { changeCounters, forgetEmpty, readCounters, readCountersItem } from '#store/money/counters.ts';
import { listEntries } from '#store/money/ledger.ts';
import { releaseExpectedSlot, releaseSlot, setReservation } from '#store/money/slots.ts';
import { random } from '../support/random.ts';
import { caller } from '../support/runs.ts';
import { useTable } from '../support/table.ts';

const CREDITS = 10_000;
const { max } = slotsInCounters;
let id: string;
useTable();
beforeEach(async () => {
  slotsInCounters.max = 3;
  id = (await createWorkspace({ name: 'Slots', tier: 'pro', credits: CREDITS })).workspace_id;
});
afterEach(() => {
  vi.restoreAllMocks();
  slotsInCounters.max = max;
});

const claim = (run: string, limit = 10, credits = 20) => claimSlot(id, run, limit, credits);
const some = (count: number) => Array.from({ length: count }, newId);
const free = async () => (await readCounters(id)).credits_free;
const held = async () => Object.keys((await readCounters(id)).slots).toSorted();

test('of racing claims exactly the allowed number win, however few fit into the counters', async () => {
  const runs = some(40);
  const claimed = await Promise.all(runs.map((run) => claim(run)));
  expect(claimed.filter(Boolean)).toHaveLength(10);
  expect(await held()).toEqual(runs.filter((_, i) => claimed[i]).toSorted());
  const { slots, slot_items } = await readCountersItem(id);
  expect([Object.keys(slots).length, slot_items]).toEqual([3, 7]);
  expect(await free()).toBe(CREDITS - 10 * 20);
});

test('a run that has a slot gets no second one, also when the counters have room again', async () => {
  const runs = some(4);
  for (const run of runs) await claim(run);
  const [first = '', , , last = ''] = runs;
  await releaseSlot(id, first, 0);
  expect(await Promise.all([claim(last), claim(last), claim(last)])).toEqual([true, true, true]);
  expect((await held()).length).toBe(3);
  expect(await free()).toBe(CREDITS - 3 * 20);
});

test.each([3, 0])(
  'a claim that another request has taken over is not released by its maker (room for %i)',
  async (room) => {
    slotsInCounters.max = room;
    const run = newId();
    await claimSlot(id, run, 10, 20, { at: 1 });
    await claimSlot(id, run, 10, 20, { at: 2, takesOver: true });
    await releaseSlot(id, run, 0, { claimed_at: 1 });
    expect([await held(), await free()]).toEqual([[run], CREDITS - 20]);
    await releaseSlot(id, run, 0, { claimed_at: 2 });
    expect([await held(), await free()]).toEqual([[], CREDITS]);
  },
);

test('a slot is released once, however many release it at once, and its unused credits return once', async () => {
  const runs = some(6);
  for (const run of runs) await claim(run);
  const end = { reserved: 20, used: 5, until: Date.now() };
  await Promise.all([...runs, ...runs, ...runs].map((run) => releaseExpectedSlot(id, run, end)));
  expect(await held()).toEqual([]);
  expect(await free()).toBe(CREDITS - 6 * 5);
  expect((await listEntries(id, 100)).filter(({ kind }) => kind === 'settle')).toHaveLength(6);
});

test.each(['is pending', 'has an item'])(
  'a copy of a claim that comes after its run was settled is given back whole, whether the entry %s',
  async (state) => {
    const endedAt = Date.now();
    const [run = ''] = some(1);
    vi.spyOn(Date, 'now').mockReturnValue(endedAt);
    await claim(run);
    await releaseExpectedSlot(id, run, { reserved: 20, used: 5, until: endedAt });
    if (state === 'has an item') await listEntries(id, 100);
    await claim(run);
    await releaseSlot(id, run, 5, { until: endedAt });
    expect(await free()).toBe(CREDITS - 5);
  },
);

test('a claim newer than the end that is settled stays', async () => {
  const runs = some(5);
  for (const run of runs) await claim(run);
  for (const run of runs) await releaseExpectedSlot(id, run, { reserved: 20, used: 5, until: 1 });
  expect(await held()).toEqual(runs.toSorted());
});

test('a reservation changes by exactly the difference, in an item too, and not beyond the balance', async () => {
  const runs = some(5);
  for (const run of runs) await claim(run);
  for (const run of runs) expect(await setReservation(id, run, 50)).toBe(true);
  expect(await free()).toBe(CREDITS - 5 * 50);
  for (const run of runs) expect(await setReservation(id, run, 2 * CREDITS)).toBe(false);
  for (const run of runs) await releaseSlot(id, run, 50);
  expect(await free()).toBe(CREDITS - 5 * 50);
});

test('too few credits refuse a claim that would get an item', async () => {
  for (const run of some(5)) await claim(run);
  expect(await claim(newId(), 10, CREDITS)).toBe(false);
  expect((await held()).length).toBe(5);
});

test('a limit lowered below the runs in flight admits nothing until enough have ended', async () => {
  const runs = some(8);
  for (const run of runs) await claim(run);
  expect(await claim(newId(), 5)).toBe(false);
  for (const run of runs.slice(0, 4)) await releaseSlot(id, run, 0);
  expect(await claim(newId(), 5)).toBe(true);
  expect(await claim(newId(), 5)).toBe(false);
});

test('a workspace whose last slot had an item is forgotten by the sweep, not before', async () => {
  const runs = some(4);
  for (const run of runs) await claim(run);
  for (const run of runs.slice(0, 3)) await releaseSlot(id, run, 0);
  await listEntries(id, 1);
  expect(await forgetEmpty(id)).toBe(false);
  for (const run of runs) await releaseSlot(id, run, 0);
  await listEntries(id, 1);
  expect(await forgetEmpty(id)).toBe(true);
});

test('the counters do not grow with slots stored outside them', async () => {
  const free = (await createWorkspace({ name: 'Large', tier: 'pro' })).workspace_id;
  const claims = async (count: number) => {
    for (const run of some(count)) expect(await claimSlot(free, run, 10_000, undefined)).toBe(true);
    return JSON.stringify(await readCountersItem(free)).length;
  };
  const full = await claims(slotsInCounters.max);
  expect(await claims(20)).toBeLessThan(full + 10);
  expect(Object.keys((await readCounters(free)).slots)).toHaveLength(slotsInCounters.max + 20);
});

test('pending entries do not pile up in counters whose slots have items', async () => {
  await Promise.all(some(3).map((run) => claim(run)));
  for (const run of some(30)) {
    await claim(run);
    await releaseSlot(id, run, 1);
  }
  expect((await readCountersItem(id)).noted.length).toBeLessThan(30);
});

test('a request looks at the runs of some slots only; the sweep looks at all', async () => {
  slotsInCounters.max = 200;
  await Promise.all(some(5).map((run) => claim(run)));
  const later = Date.now() + 10 * 60_000;
  const { now } = Date;
  Date.now = () => later;
  try {
    expect(await reconcileSlots(id, 2)).toMatchObject({ released: 2, in_flight: 3 });
    expect(await reconcileSlots(id, Number.POSITIVE_INFINITY)).toMatchObject({ released: 3, in_flight: 0 });
  } finally {
    Date.now = now;
  }
});

test.each([1, 2, 3])(
  'any sequence of claims, changes and releases leaves the state of a simple model (seed %i)',
  async (seed) => {
    const chance = random(seed);
    const runs = some(12);
    const limit = 8;
    const model = new Map<string, number>();
    let left = CREDITS;
    const acts = {
      async claims(run: string, credits: number) {
        const had = model.has(run);
        const fits = had || model.size < limit;
        expect(await claim(run, limit, credits)).toBe(fits);
        if (had || !fits) return;
        model.set(run, credits);
        left -= credits;
      },
      async changes(run: string, credits: number) {
        expect(await setReservation(id, run, credits)).toBe(true);
        const had = model.get(run);
        if (had === undefined) return;
        model.set(run, credits);
        left += had - credits;
      },
      async releases(run: string, used: number) {
        await releaseSlot(id, run, used);
        left += (model.get(run) ?? used) - used;
        model.delete(run);
      },
    };
    for (let turn = 0; turn < 60; turn += 1)
      await chance.pick([acts.claims, acts.claims, acts.changes, acts.releases])(
        chance.pick(runs),
        chance.below(50),
      );
    const { slots, credits_free } = await readCounters(id);
    const holds = Object.entries(slots).map(([run, slot]): [string, number] => [run, slot.held]);
    expect(new Map(holds)).toEqual(model);
    expect(credits_free).toBe(left);
    expect((await listEntries(id, 1000)).at(-1)?.credits_left).toBe(left);
  },
);

test('a create ends with an error of the service when the count of slots differs from the slots', async () => {
  const by = await caller();
  await changeCounters(by.workspace.workspace_id, {
    set: ['#items = :many'],
    when: 'attribute_exists(pk)',
    names: { '#items': 'slot_items' },
    values: { ':many': 10_000 },
    entry: undefined,
  });
  const reserved = reserveCapacity(by, newId(), undefined, { at: Date.now() });
  await expect(reserved).rejects.toThrow(ServiceTrouble);
});
