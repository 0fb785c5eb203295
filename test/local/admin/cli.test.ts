// The admin CLI as a process: one JSON object on stdout or on stderr, and the exit code (rules.md: admin 1).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { type FakeService, startFakeService } from './fake-service.ts';
import { errorOf, runAdmin } from './run-admin.ts';

const ID = '6f1d2c3b-0a4e-4b5c-8d6e-7f8091a2b3c4';
let service: FakeService | undefined;
afterEach(async () => {
  await service?.close();
  service = undefined;
});

const admin = (...args: string[]) => runAdmin(args);

test('an answer is one JSON object on stdout and exit code 0', async () => {
  service = await startFakeService(() => ({ workspace_id: ID, name: 'Acme' }));
  const ended = await admin(
    'workspace',
    'create',
    '--name',
    'Acme',
    '--credits',
    '5',
    '--data-dir',
    service.dataDir,
  );
  expect(ended).toEqual({ code: 0, stdout: `{"workspace_id":"${ID}","name":"Acme"}\n`, stderr: '' });
  expect(service.received).toEqual([{ command: 'workspace.create', name: 'Acme', credits: 5 }]);
});

test('a command whose reader closes early ends quietly', async () => {
  const keys = Array.from({ length: 20_000 }, (_, n) => ({ key_id: `key_${n}` }));
  service = await startFakeService(() => ({ keys }));
  const args = ['bin/admin.ts', 'key', 'list', '--workspace', ID, '--data-dir', service.dataDir];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.once('data', () => child.stdout.destroy());
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect({ errors, code }).toEqual({ errors: '', code: 0 });
});

test('a command tells the local service the name of the user who sends it', async () => {
  service = await startFakeService(() => ({ workspace_id: ID }));
  await admin('workspace', 'show', ID, '--data-dir', service.dataDir);
  expect(service.claims).toEqual([userInfo().username]);
});

test('a refusal of the service is its error on stderr and exit code 1', async () => {
  const error = { code: 'workspace_not_found', message: 'There is no such workspace.' };
  service = await startFakeService(() => ({ error }));
  const ended = await admin('workspace', 'show', ID, '--data-dir', service.dataDir);
  expect(ended).toEqual({ code: 1, stdout: '', stderr: `${JSON.stringify({ error })}\n` });
});

test('a crash of the function shows no stack', async () => {
  service = await startFakeService(() => {
    throw new Error('out of memory');
  });
  const ended = await admin('workspace', 'show', ID, '--data-dir', service.dataDir);
  expect(ended.code).toBe(1);
  expect(errorOf(ended).code).toBe('internal_error');
  expect(ended.stderr).not.toContain('secret.ts');
});

test('a service that is not running is reported', async () => {
  const nowhere = await admin('workspace', 'show', ID, '--data-dir', '/nowhere');
  expect(nowhere.code).toBe(1);
  expect(errorOf(nowhere).code).toBe('service_not_running');
});

test('wrong values are reported by their flag, and the service is not asked', async () => {
  service = await startFakeService(() => ({}));
  const ended = await admin(
    'key',
    'create',
    '--workspace',
    'x',
    '--scopes',
    'all',
    '--data-dir',
    service.dataDir,
  );
  expect(ended.code).toBe(1);
  expect(errorOf(ended)).toEqual({ code: 'invalid_arguments', message: '--workspace: Not a UUID' });
  expect(service.received).toEqual([]);
});

test('a wrong file is reported with its places, and a sound one is sent', async () => {
  service = await startFakeService(() => ({ name: 'crm' }));
  const file = join(service.dataDir, 'crm.json');
  const create = (source: object) => {
    writeFileSync(file, JSON.stringify(source));
    const { dataDir } = service ?? { dataDir: '' };
    return admin('source', 'create', '--workspace', ID, '--file', file, '--data-dir', dataDir);
  };
  const sound = { name: 'crm', kind: 'http', url: 'https://crm.example.com/' };
  expect(errorOf(await create({ ...sound, name: 'CRM', headers: { Host: 'x' } }))).toMatchObject({
    code: 'invalid_file',
    message: expect.stringMatching(/: name: .*; headers\.Host: /),
  });
  expect((await create(sound)).code).toBe(0);
  expect(service.received).toMatchObject([{ command: 'source.create', workspace_id: ID, source: sound }]);
});

test('an answer that names a next page is asked on, and printed as one', async () => {
  const pages = [
    { active: false, workspaces: ['a'], runs: 2, next: ID },
    { active: false, workspaces: ['b', 'c'], runs: 1 },
  ];
  service = await startFakeService(() => pages.shift() ?? {});
  const ended = await admin('maintenance', 'end', '--data-dir', service.dataDir);
  expect(JSON.parse(ended.stdout)).toEqual({ active: false, workspaces: ['a', 'b', 'c'], runs: 3 });
  expect(service.received).toEqual([
    { command: 'maintenance.end' },
    { command: 'maintenance.end', after: ID },
  ]);
});
