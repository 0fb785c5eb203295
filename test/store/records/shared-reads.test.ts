// Readers of the same records share what they read: each change of an import is read from the table once, and no reader
// takes an older state for a newer one.
import { beforeEach, expect, test, vi } from 'vitest';
import { transactRecords } from '#store/records/changes.ts';
import * as entities from '#store/records/entity-items.ts';
import { table } from '#store/table/table.ts';
import { useTable } from '../../support/table.ts';

import { bucket, objects } from './bucket.ts';
import { entityOf, inTable, link, newWorkspace, put, remove, seenBy, workspace } from './readers.ts';

useTable();
vi.mock('#store/table/object-store.ts', async (original) => ({
  ...(await original<object>()),
  ...(await import('./bucket.ts')).bucket,
}));
const shared = vi.hoisted(() => ({ SHARED_MIN_IDS: 3 }));
vi.mock('#domain/records/index-home.ts', async (original) => ({ ...(await original<object>()), ...shared }));

/** The middle of a second that is near. */
const start = (Math.floor(Date.now() / 1000) + 10) * 1000 + 500;
let nowMs = start;

beforeEach(() => {
  newWorkspace();
  objects.clear();
  vi.restoreAllMocks();
  nowMs = start;
  vi.spyOn(Date, 'now').mockImplementation(() => nowMs);
});

/** After this time the clocks of two readers agree about which of two readings came first. */
const CLEARLY_LATER_MS = 6000;

const segments = () => [...objects.keys()].filter((key) => key.startsWith('record-segments/'));

/** Writes records in one transaction. */
async function putAll(ns: number[], name: string): Promise<void> {
  const all = ns.map((n) => entityOf(n, name));
  const before = new Map(
    (
      await entities.getMany(
        workspace,
        all.map(({ id }) => id),
      )
    ).map((one) => [one.id, one]),
  );
  const writes = all.flatMap((one) => entities.entityWrites(one, { vector: [1, 1] }, before.get(one.id)));
  await transactRecords(workspace, { records: all.map(({ id }) => id) }, writes);
}

/** How many records the table gave to readers while `work` ran. */
async function recordsRead(work: () => Promise<unknown>): Promise<number> {
  const send = table.send.bind(table);
  let read = 0;
  const spy = vi.spyOn(table, 'send').mockImplementation(async (...args: Parameters<typeof send>) => {
    for (const { Keys = [] } of Object.values<{ Keys?: { pk: string }[] }>(
      Object(args[0].input).RequestItems ?? {},
    ))
      read += Keys.filter(({ pk }) => pk.endsWith('#ENTITIES')).length;
    return send(...args);
  });
  await work();
  spy.mockRestore();
  return read;
}

/** Readers take the seconds of a page in the order of their stamps, or against it. */
const inOrder = (order: 'forward' | 'backward') => {
  let at = 0.5;
  vi.spyOn(Math, 'random').mockImplementation(() => {
    at += order === 'forward' ? 1e-6 : -1e-6;
    return at;
  });
};

test('the second reader of many changes reads none of their records from the table', async () => {
  await putAll([1, 2, 3, 4], 'Acme');
  await seenBy('b');
  nowMs += CLEARLY_LATER_MS;
  await putAll([1, 2, 3], 'Beta');
  await remove(4);
  expect(await recordsRead(() => seenBy('a'))).toBe(4);
  expect(segments()).toContainEqual(
    expect.stringMatching(`^record-segments/${workspace}/[^/]+/${Math.floor(nowMs / 1000)}[.]zst$`),
  );
  expect(await recordsRead(async () => expect(await seenBy('b')).toEqual(await inTable()))).toBe(0);
});

test('what comes into a second after others have read it is read, and shared too', async () => {
  await putAll([1, 2, 3], 'Acme');
  await seenBy('a');
  await putAll([4, 5, 6], 'Beta');
  expect(await recordsRead(() => seenBy('b'))).toBe(3);
  expect(await recordsRead(async () => expect(await seenBy('c')).toEqual(await inTable()))).toBe(0);
});

test('few changes are read from the table by each reader', async () => {
  await seenBy('a');
  await put(1, 'Acme');
  await put(2, 'Beta');
  expect(await recordsRead(() => seenBy('a'))).toBe(2);
  expect(segments()).toEqual([]);
});

const orders = ['forward', 'backward'] as const;
const sharers = [undefined, 'c'];

for (const order of orders)
  for (const sharer of sharers)
    test.for([2000, 9000])(
      `a state that was read %d ms before a newer one does not replace it (${order}, the newer one ${sharer ? 'shared' : 'read'})`,
      async (later_ms) => {
        await seenBy('b');
        await putAll([1, 2, 3], 'Old');
        await seenBy('a');
        nowMs += later_ms;
        await putAll([1, 2, 3, 4], 'New');
        await remove(2);
        if (sharer) await seenBy(sharer);
        inOrder(order);
        expect(await seenBy('b')).toEqual(await inTable());
      },
    );

test.for(orders)('a reader whose clock is ahead keeps no other from newer states (%s)', async (order) => {
  await seenBy('b');
  await putAll([1, 2, 3], 'Old');
  nowMs += 4000;
  await seenBy('a');
  nowMs -= 3000;
  await putAll([1, 2, 3], 'New');
  await seenBy('c');
  inOrder(order);
  expect(await seenBy('b')).toEqual(await inTable());
});

test('a bucket that does not answer, or has something else, costs only reads of the table', async () => {
  await seenBy('b');
  await putAll([1, 2, 3], 'Acme');
  await seenBy('a');
  for (const key of segments()) objects.set(key, Buffer.from('something else'));
  expect(await recordsRead(async () => expect(await seenBy('b')).toEqual(await inTable()))).toBe(3);
  await putAll([1, 2, 3], 'Beta');
  const away = async () => Promise.reject(new Error('the bucket is away'));
  vi.spyOn(bucket, 'findBytes').mockImplementation(away);
  vi.spyOn(bucket, 'putBytes').mockImplementation(away);
  expect(await seenBy('c')).toEqual(await inTable());
});

test('vectors and relationships are shared as records are', async () => {
  await putAll([1, 2, 3], 'Acme');
  await seenBy('b');
  nowMs += CLEARLY_LATER_MS;
  await putAll([1, 2, 3], 'Beta');
  for (const n of [1, 2, 3]) await link(n, n, 1);
  await seenBy('a');
  const calls = vi.spyOn(table, 'send');
  expect(await seenBy('b')).toEqual(await inTable());
  expect(calls.mock.calls.map(([command]) => command.constructor.name)).not.toContain('BatchGetCommand');
});
