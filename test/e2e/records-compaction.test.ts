// Compaction on a separate service, as deployed: snapshots in the bucket, and every right checked.
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { operations } from '../../functions/record-index/index-operations.ts';
import { openFile } from '../../functions/record-index/schema.ts';
import * as heads from '../../functions/store/records/record-heads.ts';
import { BUNDLED_WITHIN_MS, deployedOnce } from '../support/deployed-assembly.ts';
import type { Home } from '../support/given.ts';
import { type OpenService, openService } from '../support/open-service.ts';
import { call, until } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

const RECORDS = 3000;
const WITHIN_MS = 60_000;
const DAY_MS = 24 * 3600 * 1000;

let service: OpenService;
beforeAll(async () => {
  service = await openService({ cloudAssembly: () => deployedOnce(inject('deployed')) });
}, BUNDLED_WITHIN_MS);
afterAll(() => service.stop());

async function imports(workspace_id: string, lines: { id?: string; size: number }[]): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < lines.length; i += 500) {
    const entities = lines.slice(i, i + 500).map(({ id, size }) => ({
      ...(id && { id }),
      type: 'company',
      name: `Company ${size}`,
      fields: { size },
    }));
    const { entities: made } = await service.invoke('Admin', {
      command: 'entity.import',
      workspace_id,
      entities,
    });
    ids.push(...made.map((entity: { id: string }) => entity.id));
  }
  return ids;
}

/** How many companies a run finds with at least this size. */
async function findsFrom(home: Home, size: number): Promise<number> {
  const where = { field: 'size', op: '>=', value: size };
  const steps = [{ kind: 'fetch', params: { source: 'companies', where, limit: 1000 } }];
  const { id } = (await when.createsPlanRun(home, steps)).body;
  return (await then.ended(home, id, WITHIN_MS)).steps[0].items_out;
}

/** Has a sweep find the workspace due, and waits until its snapshot is of this generation and nothing is left to do. */
async function compacts(workspaceId: string, generation: number): Promise<void> {
  await heads.scheduleCompaction(workspaceId, Date.now() - 1);
  expect(await service.invoke('Sweep')).toMatchObject({ compactions_queued: 1 });
  await until(
    `snapshot ${generation}`,
    async () => {
      const head = await heads.get(workspaceId);
      const left = Object.entries(service.runtime.services.get('sqs')?.figures?.() ?? {});
      const idle = left.every(([name, messages]) => !name.startsWith('Compaction') || messages === 0);
      if (!idle || (head?.snapshot?.generation ?? 0) < generation) return undefined;
      // What is left is to make the snapshot again, days from now.
      if ((head?.due_at ?? 0) > Date.now() + 3 * DAY_MS) return true;
      // A reader that has followed an import requests a compaction, also after the one that met its need.
      await service.invoke('Sweep');
      return undefined;
    },
    WITHIN_MS,
  );
}

async function newHome(name: string): Promise<Home> {
  const { workspace_id } = await service.invoke('Admin', { command: 'workspace.create', name });
  const command = { command: 'key.create', workspace_id, scopes: 'all' };
  const { api_key: key, key_id } = await service.invoke('Admin', command);
  return { workspace_id, key, key_id, access: service.runtime };
}

test('after an import a sweep has the records compacted, runs read them correctly during it, and cold readers after it', async () => {
  const home = await newHome('Compacted');
  const { workspace_id } = home;
  const [first = ''] = await imports(
    workspace_id,
    Array.from({ length: RECORDS }, (_, size) => ({ size })),
  );
  const [found] = await Promise.all([findsFrom(home, RECORDS - 10), compacts(workspace_id, 1)]);
  expect(found).toBe(10);
  expect((await heads.get(workspace_id))?.snapshot).toMatchObject({ records: RECORDS });

  // The next compaction starts from the first snapshot and removes it.
  await imports(workspace_id, [{ id: first, size: RECORDS }]);
  await compacts(workspace_id, 2);
  await service.runtime.lambda.kill('Records');
  expect(await findsFrom(home, RECORDS - 10)).toBe(11);
});

test('a query whose records cannot be looked up in time is 504, and can be sent again', async () => {
  const home = await newHome('Behind');
  await imports(home.workspace_id, [{ size: 1 }]);
  const index = openFile(join(service.dataDir, 'records', `${home.workspace_id}.db`));
  // Another process builds the index and never finishes.
  operations.claimBuild(index, { now: Date.now(), until: Date.now() + 3_600_000 });
  const body = { input_type: 'query', query: 'How many companies are there?' };
  const create = () => call('POST', '/runs', { key: home.key, body, access: service.runtime });
  const refused = await create();
  expect(refused).toMatchObject({ status: 504, body: { error: { code: 'upstream_timeout' } } });
  expect(refused.body.error.details).toEqual({ dependency: 'records', timeout_ms: 15_000 });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  operations.claimBuild(index, { now: Date.now() + 7_200_000, until: 0 });
  index.close();
  const { id } = (await create()).body;
  expect(await then.ended(home, id, WITHIN_MS)).toMatchObject({ status: 'succeeded' });
});
