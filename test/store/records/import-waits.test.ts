// Imports into a table that throttles for minutes: they wait for it while their function has time, then say how far they
// came (rules.md: admin 7).
import { ProvisionedThroughputExceededException } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { importEntities } from '#domain/records/import-entities.ts';
import { importRelationships } from '#domain/records/import-relationships.ts';
import { importRequest } from '#domain/records/import-request.ts';
import { createWorkspace } from '#domain/workspaces/settings.ts';
import { isServiceTrouble } from '#platform/service-trouble.ts';
import * as workspaces from '#store/workspaces/workspaces.ts';
import { permissions } from '../../../lib/permissions.ts';
import { aroundTable } from '../../support/around-table.ts';
import { canceled } from '../../support/memory-table/memory-table.ts';
import { allEntities } from '../../support/records-in-table.ts';
import { useTable } from '../../support/table.ts';

vi.hoisted(() => {
  process.env.POWERTOOLS_LOG_LEVEL = 'SILENT';
});
/** To wait is to move the clock. */
vi.mock('#platform/pause.ts', async (original) => ({
  ...(await original<typeof import('#platform/pause.ts')>()),
  pause: async (ms: number) => void vi.setSystemTime(Date.now() + ms),
}));
useTable();

let workspace = '';
let restore = () => {};
beforeEach(async () => {
  workspace = (await createWorkspace({ name: 'Imports' })).workspace_id;
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  restore();
  vi.useRealTimers();
});

interface Call {
  name: string;
  input: object;
}
/** What the table replies, or throws, instead of performing a call; undefined: it performs it. */
type Refusal = (call: Call) => object | undefined;

/** The table refuses calls while `isBusy`. */
function whileBusy(isBusy: () => boolean, refusal: Refusal): void {
  restore = aroundTable(async (call, carryOut) => {
    const refused = isBusy() ? refusal(call) : undefined;
    if (refused instanceof Error) throw refused;
    return refused ?? carryOut();
  });
}

const reply = { message: 'Rate exceeded', $metadata: { httpStatusCode: 400 } };
const exceeded = new ProvisionedThroughputExceededException(reply);
const throttled = Object.assign(new Error(), reply, { name: 'ThrottlingException' });
const transactions =
  (error: Error): Refusal =>
  ({ name }) =>
    name === 'TransactWriteCommand' ? error : undefined;
const unprocessed: Refusal = ({ name, input }) =>
  name === 'BatchGetCommand' && 'RequestItems' in input
    ? { Responses: {}, UnprocessedKeys: input.RequestItems }
    : undefined;

const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const lines = Array.from({ length: 200 }, (_, n) => ({
  ...{ id: idOf(n), type: 'company', name: `Company ${n}`, fields: {} },
}));
const links = [1, 2, 3].map((n) => ({
  from: { id: idOf(0) },
  to: { id: idOf(n) },
  type: 'owns',
  metadata: {},
}));

test.each([
  ['actions of transactions', transactions(canceled(['None', 'ThrottlingError']))],
  ['transactions for their key range', transactions(exceeded)],
  ['transactions for their rate', transactions(throttled)],
  ['reads', unprocessed],
])('a table that throttles %s for three minutes delays an import and does not end it', async (_, refusal) => {
  const busyUntil = Date.now() + 180_000;
  whileBusy(() => Date.now() < busyUntil, refusal);
  await importEntities(workspace, lines);
  expect(await allEntities(workspace)).toHaveLength(200);
  expect(await importRelationships(workspace, links)).toMatchObject({ imported: 3 });
});

/** Refuses all transactions but the first. */
function afterTheFirst(): Refusal {
  let isFirst = true;
  return (call) => {
    const refused = isFirst ? undefined : transactions(exceeded)(call);
    if (call.name === 'TransactWriteCommand') isFirst = false;
    return refused;
  };
}

test.each([
  ['writes', afterTheFirst(), 98],
  ['reads', unprocessed, 0],
])(
  'an import whose %s stay throttled says what it wrote before its function is out of time, and can be repeated',
  async (_, refusal, written) => {
    const startedAt = Date.now();
    whileBusy(() => true, refusal);
    await expect(importEntities(workspace, lines)).rejects.toMatchObject({
      code: 'import_interrupted',
      message: `Of these 200 records ${written} were written, then the table refused.`,
    });
    expect(Date.now() - startedAt).toBeLessThan((permissions.Admin.timeout_seconds ?? 0) * 1000);
    restore();
    await importEntities(workspace, lines);
    expect(await allEntities(workspace)).toHaveLength(200);
  },
);

test.each([
  ['writes', transactions(exceeded)],
  ['reads', unprocessed],
])(
  'the import of a request whose %s stay throttled ends within its time, and can be repeated',
  async (_, refusal) => {
    const startedAt = Date.now();
    const home = (await workspaces.get(workspace)) ?? expect.fail();
    const imports = () => importRequest(home, lines, {}, { actor: 'key_1', request_id: 'r' });
    whileBusy(() => true, refusal);
    await expect(imports()).rejects.toSatisfy(isServiceTrouble);
    expect(Date.now() - startedAt).toBeLessThan((permissions.Entities.timeout_seconds ?? 0) * 1000);
    restore();
    expect(await imports()).toMatchObject({ imported: 200, created: 200 });
  },
);
