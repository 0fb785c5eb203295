// The wheel of the Python client: what it has, and that pip takes it.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { parse } from 'smol-toml';
import { afterAll, expect, test } from 'vitest';
import { packWheel } from '../../../bin/pack/wheel.ts';
import project from '../../../package.json' with { type: 'json' };
import { hasPython } from '../../support/python.ts';

const to = mkdtempSync(join(tmpdir(), 'run-service-wheel-'));
afterAll(() => rmSync(to, { recursive: true, force: true }));
const from = resolve(import.meta.dirname, '../../../clients/python');
const { version, license } = project;
const given = { from, to, version, license };

const filesOf = (wheel: string) => unzipSync(readFileSync(join(to, wheel)));

test('it has the modules and the fixtures, and each file by its hash', () => {
  const name = packWheel({ ...given, scope: undefined });
  expect(name).toBe(`run_service-${version}-py3-none-any.whl`);
  const files = filesOf(name);
  const paths = Object.keys(files);
  expect(paths).toContain('run_service/client.py');
  expect(paths).toContain('run_service/py.typed');
  expect(paths).toContain('run_service/fixture_files/events/run.failed.json');
  expect(paths.filter((path) => /test|__pycache__|\.toml/.test(path))).toEqual([]);
  const info = `run_service-${version}.dist-info`;
  const record = strFromU8(files[`${info}/RECORD`] ?? new Uint8Array())
    .trim()
    .split('\n');
  expect(record.map((line) => line.split(',')[0]).toSorted()).toEqual(paths.toSorted());
  for (const line of record.slice(0, -1)) {
    const [path = '', digest] = line.split(',');
    const hash = createHash('sha256')
      .update(files[path] ?? '')
      .digest('base64url');
    expect(digest).toBe(`sha256=${hash}`);
  }
});

test('the same sources make the same bytes', () => {
  const twice = [1, 2].map(() => readFileSync(join(to, packWheel({ ...given, scope: undefined }))));
  expect(twice[0]?.equals(twice[1] ?? Buffer.of())).toBe(true);
});

test('a scope names the distribution, not the modules', () => {
  const name = packWheel({ ...given, scope: '@acme' });
  expect(name).toBe(`acme_run_service-${version}-py3-none-any.whl`);
  const files = filesOf(name);
  expect(strFromU8(files[`acme_run_service-${version}.dist-info/METADATA`] ?? new Uint8Array())).toContain(
    '\nName: acme-run-service\n',
  );
  expect(files).toHaveProperty(['run_service/client.py']);
});

test('every package has the version of the repository', () => {
  const manifest: unknown = parse(readFileSync(join(from, 'pyproject.toml'), 'utf8'));
  expect(manifest).toMatchObject({ project: { version } });
  expect(readFileSync(join(from, 'src/run_service/_service.py'), 'utf8')).toContain(`VERSION = "${version}"`);
  const clients = resolve(from, '..');
  for (const client of ['sdk', 'cli', 'console'])
    expect(JSON.parse(readFileSync(join(clients, client, 'package.json'), 'utf8')).version).toBe(version);
});

test.runIf(hasPython)('pip installs it without a network, and it signs what it verifies', () => {
  const wheel = join(to, packWheel({ ...given, scope: undefined }));
  const site = join(to, 'site');
  const pip = ['-m', 'pip', 'install', '--quiet', '--no-index', '--no-deps', '--target', site, wheel];
  execFileSync('python3', pip, { stdio: 'pipe' });
  const program = [
    'import json, run_service',
    'body = json.dumps(run_service.fixtures["webhooks"]["run.failed"])',
    'signed = run_service.sign(body, api_key="k")',
    'print(run_service.__version__, run_service.verify(body, signed, api_key="k")["event_type"])',
  ].join('\n');
  const shown = execFileSync('python3', ['-c', program], { env: { ...process.env, PYTHONPATH: site } });
  expect(shown.toString()).toBe(`${version} run.failed\n`);
});
