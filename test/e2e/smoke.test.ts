// The smoke test of a deployment, on the local service: it passes here, and reports what it misses.
import { expect, test } from 'vitest';
import { smoke } from '../../bin/smoke/checks.ts';
import { SmokeFailed } from '../../bin/smoke/requests.ts';
import * as given from '../support/given.ts';
import { admin, sharedService } from '../support/service.ts';

test('a service that does what it must passes every check', async () => {
  const { key } = await given.workspace();
  const { run_id, checks } = await smoke({ baseUrl: sharedService().base_url, apiKey: key });
  expect(run_id).toMatch(/^[0-9a-f-]{36}$/);
  expect(checks).toContain('the console is there with its assets');
  expect(checks).toContain('an agent waits for it by the door');
});

test('with an admin it also asks for a record that changes, and names the SQLite (rules.md: admin 10)', async () => {
  const { key, workspace_id } = await given.workspace();
  const service = { baseUrl: sharedService().base_url, apiKey: key };
  const { checks, engine } = await smoke(service, { workspace_id, send: admin });
  expect(checks).toContain('a changed record is found by its new words alone');
  expect(engine).toMatchObject({
    sqlite_version: expect.stringMatching(/^3\.\d+\.\d+$/),
    compile_options: expect.arrayContaining(['ENABLE_FTS5']),
  });
});

test.each([
  ['older than 3.43', { sqlite_version: '3.42.0', compile_options: ['ENABLE_FTS5'] }],
  ['without full text', { sqlite_version: '3.53.4', compile_options: [] }],
])('an SQLite %s fails the check of records', async (_, engine) => {
  const { key, workspace_id } = await given.workspace();
  const service = { baseUrl: sharedService().base_url, apiKey: key };
  const failing = smoke(service, { workspace_id, send: async () => engine });
  await expect(failing).rejects.toThrow(/its SQLite has what record indexes need: .*sqlite_version/);
});

test('the first check that fails is named, with what was found', async () => {
  const failing = smoke({ baseUrl: sharedService().base_url, apiKey: 'no-key-of-this-service' });
  await expect(failing).rejects.toThrow(SmokeFailed);
  await expect(failing).rejects.toThrow(/a run is accepted: .*auth_invalid/);
});
