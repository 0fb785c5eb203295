// rules.md: retention 3. `admin workspace purge` on its own service, with every right checked.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CommandInput } from '../../functions/admin/commands.ts';
import { findItems } from '../../functions/store/table/erase.ts';
import { table } from '../../functions/store/table/table.ts';
import { keys } from '../../functions/store/table/table-keys.ts';
import { errorOf, runAdmin } from '../local/admin/run-admin.ts';
import type { Home } from '../support/given.ts';
import { type OpenService, openService } from '../support/open-service.ts';
import { call } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

let service: OpenService;
beforeAll(async () => {
  service = await openService();
  writeFileSync(join(service.dataDir, 'aws.json'), JSON.stringify(service.runtime.operator));
});
afterAll(() => service.stop());

async function cli(...args: string[]): Promise<unknown> {
  const ended = await runAdmin([...args, '--data-dir', service.dataDir]);
  expect(ended.stderr).toBe('');
  return JSON.parse(ended.stdout);
}

const admin = (command: CommandInput) => service.invoke('Admin', command);

async function home(): Promise<Home> {
  const { workspace_id } = await admin({ command: 'workspace.create', name: 'W', tier: 'pro', credits: 900 });
  const { key_id, api_key } = await admin({ command: 'key.create', workspace_id, scopes: 'all' });
  const entities = ['Acme', 'Bolt'].map((name) => ({ type: 'company', name, fields: { city: 'Berlin' } }));
  await admin({ command: 'entity.import', workspace_id, entities });
  const { base_url, site_url } = service.runtime;
  return { workspace_id, key: api_key, key_id, access: { base_url, site_url } };
}

/** The names of a workspace's objects in the bucket and its files in the index folder. */
function namesOf(id: string): string[] {
  const index = new DatabaseSync(join(service.dataDir, 'objects', 'index.db'), { readOnly: true });
  const objects = index.prepare('SELECT key FROM objects').all();
  index.close();
  const names = [...objects.map(({ key }) => String(key)), ...readdirSync(join(service.dataDir, 'records'))];
  return names.filter((name) => name.includes(id));
}

/** A plan too long for an item, so that it is stored in the bucket. */
const long = { kind: 'inject_context', params: { text: 'x'.repeat(20_000) } };

test('a purged workspace is gone: its keys, items, objects and index; its neighbour works on', async () => {
  const [gone, other] = [await home(), await home()];
  const plan = [when.fetchCompanies, long, long, long, long, when.answer];
  const ids = [];
  for (const one of [gone, other]) {
    const { body } = await when.createsPlanRun(one, plan, {}, { 'Idempotency-Key': 'again' });
    expect((await then.ended(one, body.id)).status).toBe('succeeded');
    ids.push(body.id);
  }
  // As if the purge had been begun a minute ago, and had died then.
  const closed = { ':closed': Date.now() - 60_000 };
  const Key = keys.workspace(gone.workspace_id);
  const UpdateExpression = 'SET closed_at = :closed';
  await table.send(
    new UpdateCommand({ TableName: 'Table', Key, UpdateExpression, ExpressionAttributeValues: closed }),
  );

  expect(namesOf(gone.workspace_id).length).toBeGreaterThan(2);
  const wrong = await runAdmin([
    'workspace',
    'purge',
    '--workspace',
    gone.workspace_id,
    '--confirm',
    other.workspace_id,
    '--data-dir',
    service.dataDir,
  ]);
  expect(errorOf(wrong).code).toBe('invalid_arguments');
  expect((await call('GET', '/me', { key: gone.key, access: gone.access })).status).toBe(200);

  const slow = [{ kind: 'analyze', instructions: 'all [[delay:8000]]' }];
  const { body: living } = await when.createsPlanRun(gone, slow);
  await then.event(gone, living.id, 'step.started');
  const purge = ['workspace', 'purge', '--workspace', gone.workspace_id, '--confirm', gone.workspace_id];
  expect(await cli(...purge)).toMatchObject({
    workspace_id: gone.workspace_id,
    purged: true,
    runs_canceled: 1,
    objects_deleted: expect.any(Number),
    items_deleted: expect.any(Number),
  });
  const refused = await call('GET', `/runs/${ids[0]}`, { key: gone.key, access: gone.access });
  expect([refused.status, refused.body.error.code]).toEqual([401, 'auth_invalid']);
  expect((await findItems(gone.workspace_id, undefined)).own).toEqual([]);
  expect(namesOf(gone.workspace_id)).toEqual([]);
  expect(await cli(...purge)).toMatchObject({ purged: true, items_deleted: 0, objects_deleted: 0 });

  const again = { key: other.key, access: other.access, body: { step_index: 5 } };
  const rerun = await call('POST', `/runs/${ids[1]}/rerun-from`, again);
  expect((await then.ended(other, rerun.body.id)).status).toBe('succeeded');
});
