// The functions as deployed, in environments as on AWS: cold copies of record indexes, small disks, connections that died.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { BUNDLED_WITHIN_MS, deployedOnce } from '../support/deployed-assembly.ts';
import { bytesOn, loseConnections } from '../support/environments.ts';
import type { Home } from '../support/given.ts';
import { type OpenService, openService } from '../support/open-service.ts';
import { call, until } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

const DISK_BYTES = vi.hoisted(() => 16 * 1024 * 1024);
vi.mock(import('../../lib/local/lambda/host/worker.ts'), async (original) => {
  const { startEnvironment } = await import('../support/environments.ts');
  return { startWorker: startEnvironment((await original()).startWorker, DISK_BYTES) };
});
vi.mock(import('../../lib/local/lambda/host/function-threads.ts'), async () => {
  const { createExclusiveThreads } = await import('../support/environments.ts');
  return { createThreads: createExclusiveThreads };
});

const WITHIN_MS = 60_000;
const IMPORT_LINES = 500;
/** What most routes have: the time of two silent connections, one after the other. */
const ROUTE_MS = 10_000;
let service: OpenService;
beforeAll(async () => {
  service = await openService({ cloudAssembly: () => deployedOnce(inject('deployed')) });
}, BUNDLED_WITHIN_MS);
afterAll(() => service.stop());

async function homeWith(records: number): Promise<Home> {
  const { workspace_id } = await service.invoke('Admin', { command: 'workspace.create', name: 'Own disks' });
  const { api_key: key, key_id } = await service.invoke('Admin', {
    ...{ command: 'key.create', workspace_id, scopes: 'all' },
  });
  const home = { workspace_id, key, key_id, access: service.runtime };
  for (let from = 0; from < records; from += IMPORT_LINES)
    await imports(
      home,
      Array.from({ length: Math.min(IMPORT_LINES, records - from) }, (_, i) => company(from + i)),
    );
  return home;
}

const company = (size: number) => ({ type: 'company', name: `Company ${size}`, fields: { size } });
const imports = ({ workspace_id }: Home, entities: object[]) =>
  service.invoke('Admin', { command: 'entity.import', workspace_id, entities });

/** How many companies a run counts from this size on. */
async function countsFrom(home: Home, size: number): Promise<number> {
  const where = { field: 'size', op: '>=', value: size };
  const steps = [{ kind: 'fetch', params: { source: 'companies', where, limit: 1000 } }];
  const { id } = (await when.createsPlanRun(home, steps)).body;
  return (await then.ended(home, id, WITHIN_MS)).steps[0].items_out;
}

/** The disks of the function that reads records. */
function disks(): string[] {
  const folder = join(service.dataDir, 'environments', 'Records');
  return readdirSync(folder).map((disk) => join(folder, disk));
}

/** Those of them that have an index of this workspace. */
const copiesOf = ({ workspace_id }: Home) =>
  disks().filter((disk) => readdirSync(disk).includes(`${workspace_id}.db`));

test('questions at once read cold copies of the index next to a warm one, and all see the last change', async () => {
  const home = await homeWith(300);
  const input = { types: null, where: { field: 'size', op: '>=', value: 290 }, sort: 'name_asc', limit: 1 };
  const question = { workspace_ids: [home.workspace_id], operation: 'find', input, budget_ms: WITHIN_MS };
  const asks = async (times: number) => {
    const answers = await Promise.all(
      Array.from({ length: times }, () => service.invoke('Records', question)),
    );
    return answers.map(({ output }) => output.matched);
  };
  expect(await asks(1)).toEqual([10]);
  expect(copiesOf(home)).toHaveLength(1);
  await imports(home, [company(1000)]);
  expect(await asks(4)).toEqual([11, 11, 11, 11]);
  expect(copiesOf(home).length).toBeGreaterThan(1);
});

test(
  'a disk that takes a few indexes serves nine workspaces, one after the other and again',
  async () => {
    const homes = [];
    for (let i = 0; i < 9; i += 1) homes.push(await homeWith(2500));
    for (const home of [...homes, ...homes]) {
      expect(await countsFrom(home, 2400)).toBe(100);
      // A call that left more would fail after its run has ended.
      expect(Math.max(...disks().map(bytesOn))).toBeLessThan(DISK_BYTES);
    }
  },
  3 * WITHIN_MS,
);

test('connections that died while functions were frozen cost no request and no run', async () => {
  const home = await homeWith(10);
  expect(await countsFrom(home, 0)).toBe(10);
  for (let round = 0; round < 3; round += 1) {
    loseConnections();
    expect(await countsFrom(home, 0)).toBe(10);
    loseConnections();
    expect((await call('GET', '/runs', home)).body.data).toHaveLength(round + 2);
  }
});

test(
  'connections that fell silent while functions were frozen cost a request seconds, and no run',
  async () => {
    const home = await homeWith(10);
    expect(await countsFrom(home, 0)).toBe(10);
    loseConnections('silence');
    expect(await countsFrom(home, 0)).toBe(10);
    const [{ id }] = (await call('GET', '/runs', home)).body.data;
    // A trace is read over several connections at once, so its function has several that are idle.
    await call('GET', `/runs/${id}/trace`, home);
    for (const path of ['/runs', `/runs/${id}/trace`]) {
      loseConnections('silence');
      const begun = Date.now();
      expect(await call('GET', path, home)).toMatchObject({ status: 200 });
      expect(Date.now() - begun).toBeLessThan(ROUTE_MS);
    }
  },
  2 * WITHIN_MS,
);

test('a run that waits for a person while every connection dies goes on with the answer, or is canceled', async () => {
  const home = await homeWith(0);
  const { workspace_id } = home;
  const schema = { type: 'object', properties: { approved: { type: 'boolean' } } };
  const source = { kind: 'person', name: 'approval', title: 'Go on?', schema };
  await service.invoke('Admin', { command: 'source.create', workspace_id, source });
  const asks = async () => {
    const steps = [{ kind: 'fetch', params: { source: 'approval' } }];
    const { id } = (await when.createsPlanRun(home, steps)).body;
    const { waiting } = await until('the question', async () => {
      const run = await when.readsRun(home, id);
      return run.waiting?.reason === 'person' ? run : undefined;
    });
    return { id, job: `/jobs/${waiting.job_id}` };
  };
  const [answered, canceled] = [await asks(), await asks()];
  loseConnections();
  const answer = { approved: true };
  expect(await call('POST', `${answered.job}/complete`, { ...home, body: { answer } })).toMatchObject({
    body: { accepted: true },
  });
  await call('POST', `/runs/${canceled.id}/cancel`, home);
  expect((await then.ended(home, answered.id, WITHIN_MS)).steps[0]).toMatchObject({ items_out: 1 });
  expect((await then.ended(home, canceled.id, WITHIN_MS)).status).toBe('canceled');
  expect((await call('GET', canceled.job, home)).body).toMatchObject({ status: 'canceled' });
});
