// Random histories of writes, reads and compactions with deaths at any call and clocks that differ: every answer is the
// table, whether readers share what they read or not.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, expect, test, vi } from 'vitest';
import { compactRecords } from '#domain/records/compact-index.ts';
import { removeIndex } from '#record-index/record-index.ts';
import { useTable } from '../../support/table.ts';

import { objects } from './bucket.ts';
import {
  failAtCall,
  folder,
  inTable,
  link,
  newWorkspace,
  put,
  putAlong,
  readAs,
  remove,
  seenBy,
  workspace,
} from './readers.ts';

useTable();

vi.mock('#store/table/object-store.ts', async (original) => ({
  ...(await original<object>()),
  ...(await import('./bucket.ts')).bucket,
}));
const home = vi.hoisted(() => ({ sharedMinIds: 0 }));
vi.mock('#domain/records/index-home.ts', async (original) => ({
  ...(await original<object>()),
  get SHARED_MIN_IDS() {
    return home.sharedMinIds;
  },
}));

/** How far the clock of the process that acts is from that of this machine. */
let ahead_ms = 0;
const now = Date.now;
vi.spyOn(Date, 'now').mockImplementation(() => now() + ahead_ms);

beforeEach(() => {
  newWorkspace();
  objects.clear();
});

const n = fc.integer({ min: 0, max: 7 });
const readers = fc.constantFrom('a', 'b', 'c');
const act = fc.oneof(
  {
    arbitrary: fc.record({
      kind: fc.constant('put' as const),
      n,
      name: fc.constantFrom('Acme', 'Beta', 'Gamma'),
    }),
    weight: 5,
  },
  { arbitrary: fc.record({ kind: fc.constant('remove' as const), n }), weight: 2 },
  { arbitrary: fc.record({ kind: fc.constant('link' as const), n, from: n, to: n }), weight: 2 },
  {
    arbitrary: fc.record({
      kind: fc.constant('import' as const),
      n,
      reader: readers,
      meanwhile: fc.constantFrom('nothing', 'put', 'remove', 'forget'),
    }),
    weight: 4,
  },
  { arbitrary: fc.record({ kind: fc.constant('read' as const), reader: readers }), weight: 5 },
  { arbitrary: fc.record({ kind: fc.constant('compact' as const), reader: readers }), weight: 1 },
  { arbitrary: fc.record({ kind: fc.constant('forget' as const), reader: readers }), weight: 1 },
);
const death = fc.option(
  fc.record({
    call: fc.integer({ min: 1, max: 8 }),
    when: fc.constantFrom('before' as const, 'after' as const),
  }),
  { freq: 4, nil: undefined },
);

/** What passes before a step, and how the clock of its process differs. */
const time = fc.record({
  passes_ms: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 20_000 })),
  differs_ms: fc.integer({ min: -2400, max: 2400 }),
});

/** Histories in the suite; the long form takes the number as an option. */
const HISTORIES = Number(process.env.FOLLOW_HISTORIES ?? 3);

test('over random histories of writes, reads and compactions with deaths at any call, every answer is the table', async () => {
  let round = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(1, Number.POSITIVE_INFINITY),
      fc.array(fc.record({ act, death, time }), { minLength: 10, maxLength: 30 }),
      async (sharedMinIds, history) => {
        newWorkspace();
        round += 1;
        home.sharedMinIds = sharedMinIds;
        let passed_ms = 0;
        const reader = (name: string) => `${name}-${round}`;
        for (const { act: step, death: fate, time: own } of history) {
          passed_ms += own.passes_ms;
          ahead_ms = passed_ms + own.differs_ms;
          const revive = fate && failAtCall(fate.call, fate.when);
          try {
            await play(step, reader);
          } catch (error) {
            // Only a crash may interrupt: its successors handle what it leaves.
            if (!fate) throw error;
          } finally {
            revive?.();
          }
        }
        ahead_ms = passed_ms;
        for (const name of ['a', 'b', 'c', 'cold'])
          expect(await seenBy(reader(name))).toEqual(await inTable());
      },
    ),
    { numRuns: HISTORIES },
  );
});

async function play(
  step: typeof act extends fc.Arbitrary<infer T> ? T : never,
  reader: (name: string) => string,
): Promise<void> {
  switch (step.kind) {
    case 'put':
      await put(step.n, step.name);
      return;
    case 'import':
      return putAlong(reader(step.reader), [step.n, 'Imported'], async () => {
        if (step.meanwhile === 'put') await put(step.n, 'Meanwhile');
        if (step.meanwhile === 'remove') await remove(step.n);
        if (step.meanwhile === 'forget')
          await removeIndex(join(folder, reader(step.reader), `${workspace}.db`));
        if (step.meanwhile !== 'nothing') await readAs(reader(step.reader), async () => undefined);
      });
    case 'remove':
      return remove(step.n);
    case 'link':
      return link(step.n, step.from, step.to);
    case 'read':
      return expect(await seenBy(reader(step.reader))).toEqual(await inTable());
    case 'compact':
      process.env.RECORD_INDEX_DIR = join(folder, reader(step.reader));
      await compactRecords(workspace, Date.now());
      return;
    case 'forget':
      return rmSync(join(folder, reader(step.reader)), { recursive: true, force: true });
  }
}
