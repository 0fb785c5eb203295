// The admin CLI as a process: one JSON object on stdout or on stderr, and the exit code (rules.md: admin 1).
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type FakeService, type Received, startFakeService } from './fake-service.ts';

const ID = '6f1d2c3b-0a4e-4b5c-8d6e-7f8091a2b3c4';
let service: FakeService | undefined;
afterEach(async () => {
  await service?.close();
  service = undefined;
});

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

function admin(...args: string[]): Promise<Ended> {
  const { promise, resolve } = Promise.withResolvers<Ended>();
  const child = execFile(process.execPath, ['bin/admin.ts', ...args], (_, stdout, stderr) =>
    resolve({ code: child.exitCode ?? -1, stdout, stderr }),
  );
  return promise;
}

const errorOf = ({ stderr }: Ended) => JSON.parse(stderr).error;

/** Answers an import with a record per line. */
function importing({ command, ...fields }: Received): object {
  const lines = Object.values(fields).find(Array.isArray) ?? [];
  if (command === 'relationship.resolve')
    return { ends: lines.map(() => ({ from_id: ID, to_id: ID })), unresolvable: [] };
  return { imported: lines.length, [command === 'entity.import' ? 'entities' : 'relationships']: lines };
}

function lines(dataDir: string, all: object[]): string {
  const file = join(dataDir, 'lines.ndjson');
  writeFileSync(file, all.map((line) => JSON.stringify(line)).join('\n'));
  return file;
}

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

test('a large import goes in several commands and comes back as one answer', async () => {
  service = await startFakeService(importing);
  const all = Array.from({ length: 1201 }, (_, i) => ({ type: 'company', name: `Company ${i}`, fields: {} }));
  const file = lines(service.dataDir, all);
  const ended = await admin(
    'entity',
    'import',
    '--workspace',
    ID,
    '--file',
    file,
    '--data-dir',
    service.dataDir,
  );
  expect(JSON.parse(ended.stdout)).toEqual({ imported: 1201, entities: all });
  expect(service.received).toHaveLength(3);
});

test('a malformed line keeps the whole file from being sent', async () => {
  service = await startFakeService(importing);
  const file = lines(service.dataDir, [{ type: 'company', name: 'Acme' }, { type: 'company' }]);
  const ended = await admin(
    'entity',
    'import',
    '--workspace',
    ID,
    '--file',
    file,
    '--data-dir',
    service.dataDir,
  );
  expect(errorOf(ended).message).toContain('line 2: name: is missing');
  expect(service.received).toEqual([]);
});

test('two lines with one id are refused by line number', async () => {
  service = await startFakeService(importing);
  const line = { id: ID, type: 'company', name: 'Acme' };
  const file = lines(service.dataDir, [line, { ...line, id: ID.toUpperCase() }]);
  const ended = await admin(
    'entity',
    'import',
    '--workspace',
    ID,
    '--file',
    file,
    '--data-dir',
    service.dataDir,
  );
  expect(errorOf(ended).message).toContain('line 2: has the id of line 1');
});

test('a relationship whose end is unknown is reported by line number, and nothing is written', async () => {
  const ref = { external_uri: 'crm:gone' };
  service = await startFakeService(() => ({ ends: [null], unresolvable: [{ index: 0, end: 'to', ref }] }));
  const file = lines(service.dataDir, [{ from: { id: ID }, to: ref, type: 'knows' }]);
  const args = ['--workspace', ID, '--file', file, '--data-dir', service.dataDir];
  const ended = await admin('relationship', 'import', ...args);
  expect(errorOf(ended).message).toContain(
    'line 1: to matches no single record: {"external_uri":"crm:gone"}',
  );
  expect(service.received.map(({ command }) => command)).toEqual(['relationship.resolve']);
});

test('an import that fails in the middle says what is in', async () => {
  let calls = 0;
  service = await startFakeService((command) => {
    calls += 1;
    return calls === 1
      ? importing(command)
      : { error: { code: 'import_interrupted', message: 'The table refused.' } };
  });
  const all = Array.from({ length: 600 }, (_, i) => ({ type: 'company', name: `Company ${i}` }));
  const file = lines(service.dataDir, all);
  const ended = await admin(
    'entity',
    'import',
    '--workspace',
    ID,
    '--file',
    file,
    '--data-dir',
    service.dataDir,
  );
  expect(ended.code).toBe(1);
  expect(errorOf(ended)).toMatchObject({ code: 'import_interrupted' });
  expect(errorOf(ended).message).toContain('500 records were imported, then lines 501 to 600 failed');
});
