// rules.md: monitors 8, monitors 12. Changes of records mark monitors, on a virtual clock.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { EntityLine } from '#contract/entities.ts';
import type { RecordChange } from '#contract/monitors.ts';
import { cancelRun } from '#domain/commands/cancel-run.ts';
import { endImport, startImport } from '#domain/records/file-import.ts';
import { importEntities } from '#domain/records/import-entities.ts';
import { claimNotices } from '#domain/recovery/enqueue-fires.ts';
import type { MonitorKey } from '#store/monitors/monitors.ts';
import * as workspaces from '#store/workspaces/workspaces.ts';
import { aroundTable } from '../../support/around-table.ts';
import { bridgedWorkspace, push, remove, secretHex, sync } from '../../support/bridges.ts';
import { onEnqueue, openSecrets, replaceQueue, replaceStateMachine } from '../../support/fakes.ts';
import { sweepTime } from '../../support/sweep-time.ts';
import { useTable } from '../../support/table.ts';
import {
  by as actor,
  keyIn,
  listed,
  newMonitor,
  passes,
  stored,
  swept,
  tenant,
  updates,
  works,
} from './scene.ts';

const NINE = Date.UTC(2026, 10, 23, 9);
const inBerlin = { field: 'city', op: '=', value: 'Berlin' } as const;

useTable();
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NINE });
  replaceStateMachine();
  replaceQueue();
  openSecrets(secretHex);
});
afterEach(() => {
  vi.useRealTimers();
});

const onChange = (change: Partial<RecordChange> = {}) => ({
  change: { types: ['company'], settle_seconds: 60, ...change },
});
let writes = 0;
/** Another record each time, unless the line has an id. */
async function imports(key: MonitorKey, line: Partial<EntityLine> = {}): Promise<string> {
  writes += 1;
  const { entities } = await importEntities(key.workspace_id, [
    { type: 'company', name: `Company ${writes}`, fields: { city: 'Berlin' }, ...line },
  ]);
  return entities[0]?.id ?? '';
}
const marked = async (key: MonitorKey) => (await stored(key)).marked !== undefined;

test('a monitor fires when its change has settled, and a further change puts it off', async () => {
  const key = await newMonitor(await tenant(), onChange());
  await imports(key);
  passes(59_000);
  await works(key);
  await imports(key);
  passes(59_999);
  await works(key);
  expect(await listed(key)).toEqual([]);
  passes(1);
  await works(key);
  const due_at = NINE + 119_000;
  expect(await listed(key)).toMatchObject([{ due_at, cause: 'change', outcome: 'run' }]);
  expect(await marked(key)).toBe(false);
});

test('the queue looks when the change has settled; the sweep finds what the queue lost', async () => {
  const key = await newMonitor(await tenant(), onChange());
  const delays: unknown[] = [];
  onEnqueue(async ({ delay }) => void delays.push(delay));
  await imports(key);
  expect(delays).toEqual([60]);
  expect(await swept(key)).toEqual([60]);
});

test('changes without an end fire after ten times `settle_seconds`', async () => {
  const key = await newMonitor(await tenant(), onChange());
  for (let minute = 0; minute < 11; minute += 1) {
    await imports(key);
    passes(59_999);
    await works(key);
  }
  expect(await listed(key)).toMatchObject([{ due_at: NINE + 600_000 }]);
});

test('what changes nothing, and what the monitor does not watch, does not mark', async () => {
  const by = await tenant();
  const key = await newMonitor(by, onChange({ where: inBerlin }));
  const id = await imports(key, { name: 'Acme', fields: { city: 'Oslo' } });
  await imports(key, { type: 'person' });
  await imports(key, { id, name: 'Acme', fields: { city: 'Oslo' } });
  expect(await marked(key)).toBe(false);
  await imports(key, { id, name: 'Acme', fields: { city: 'Berlin' } });
  expect(await marked(key)).toBe(true);
  passes(60_000);
  await works(key);
  await imports(key, { id, name: 'Acme', fields: { city: 'Berlin' } });
  expect(await marked(key)).toBe(false);
  // It met the condition before.
  await imports(key, { id, name: 'Acme', fields: { city: 'Rome' } });
  expect(await marked(key)).toBe(true);
});

test('the import of a file marks when it ends', async () => {
  const key = await newMonitor(await tenant(), onChange());
  const { import_id } = await startImport(key.workspace_id, 'a'.repeat(64));
  const line = { type: 'company', name: 'Acme', fields: {} };
  await importEntities(key.workspace_id, [line], { import_id, offset: 0 });
  await importEntities(key.workspace_id, [line], { import_id, offset: 1 });
  expect(await marked(key)).toBe(false);
  passes(5000);
  await endImport(key.workspace_id, 'a'.repeat(64));
  expect((await stored(key)).marked).toEqual({ since: NINE + 5000, last: NINE + 5000 });
});

test('an import that never ends marks an hour later', async () => {
  const key = await newMonitor(await tenant(), onChange());
  const { import_id } = await startImport(key.workspace_id, 'b'.repeat(64));
  const line = { type: 'company', name: 'Acme', fields: {} };
  await importEntities(key.workspace_id, [line], { import_id, offset: 0 });
  passes(3_601_000);
  await claimNotices(sweepTime(Date.now()));
  expect(await marked(key)).toBe(true);
});

test('a synced record marks when it comes, changes and goes; a message that comes again does not', async () => {
  const { workspace, bridge } = await bridgedWorkspace();
  const key = await newMonitor(await keyIn(workspace), onChange({ where: inBerlin }), { overlap: 'replace' });
  const fired = async () => {
    const was = await marked(key);
    passes(60_000);
    await works(key);
    return was;
  };
  const berlin = push('company', '1', { name: 'Acme', hq: 'Berlin' });
  await sync(bridge, berlin);
  expect(await fired()).toBe(true);
  await sync(bridge, berlin);
  expect(await fired()).toBe(false);
  await sync(bridge, remove('company', '1'));
  expect(await fired()).toBe(true);
  await sync(bridge, remove('company', '1'));
  expect(await fired()).toBe(false);
});

test('a writer that dies before it marks leaves that to the sweep', async () => {
  const { workspace, bridge } = await bridgedWorkspace();
  const key = await newMonitor(await keyIn(workspace), onChange());
  let written = false;
  const restore = aroundTable(async (call, carryOut) => {
    const touches = JSON.stringify(call.input).includes(`#MONITORS`) && written;
    if (touches) throw new Error('died');
    const reply = await carryOut();
    written ||= JSON.stringify(call.input).includes('#MARKS');
    return reply;
  });
  await sync(bridge, push('company', '1', { name: 'Acme' }));
  restore();
  expect(await marked(key)).toBe(false);
  passes(61_000);
  await claimNotices(sweepTime(Date.now()));
  expect(await marked(key)).toBe(true);
});

test('a skipped change is listed once, stays marked, and fires when the run has ended', async () => {
  const key = await newMonitor(await tenant(), onChange());
  await imports(key);
  passes(60_000);
  await works(key);
  const first = (await stored(key)).last_run_id ?? '';
  await imports(key);
  passes(60_000);
  await works(key);
  await works(key);
  const skipped = { cause: 'change', outcome: 'skipped', reason: 'overlap' };
  expect(await listed(key)).toMatchObject([skipped, { run_id: first }]);
  passes(60_000);
  expect(await swept(key)).toEqual([0]);
  await works(key);
  await cancelRun(key.workspace_id, first, actor);
  await works(key);
  expect(await listed(key)).toMatchObject([{ cause: 'change', outcome: 'run' }, skipped, { run_id: first }]);
  expect(await marked(key)).toBe(false);
  expect(await swept(key)).toEqual([]);
});

test('changes while paused are not caught up, nor those of another trigger', async () => {
  const key = await newMonitor(await tenant(), onChange());
  const patch = (wish: Parameters<typeof updates>[1]) => updates(key, wish);
  await imports(key);
  await patch({ status: 'paused' });
  await imports(key);
  await patch({ status: 'active' });
  expect(await marked(key)).toBe(false);
  await imports(key);
  await patch({ on: onChange({ types: ['person'] }) });
  expect(await marked(key)).toBe(false);
});

test('a workspace without a monitor on a change pays nothing for its writes', async () => {
  const by = await tenant();
  const calls: string[] = [];
  const counting = async (act: () => Promise<unknown>) => {
    calls.length = 0;
    const restore = aroundTable((call, carryOut) => {
      calls.push(`${call.name} ${JSON.stringify(call.input).match(/#(MONITORS|MARKS)/g) ?? ''}`);
      return carryOut();
    });
    await act();
    restore();
    return [...calls];
  };
  const key = { workspace_id: by.workspace_id, monitor_id: '' };
  const before = await counting(() => imports(key));
  await newMonitor(by, { cron: '0 * * * *' });
  expect(await counting(() => imports(key))).toEqual(before);
  const watching = await newMonitor(by, onChange());
  expect(await counting(() => imports(key))).not.toEqual(before);
  expect(await workspaces.get(by.workspace_id)).toMatchObject({ monitors: 2, change_monitors: 1 });
  await updates(watching, { on: { cron: '0 * * * *', timezone: 'UTC' } });
  expect(await counting(() => imports(key))).toEqual(before);
});
