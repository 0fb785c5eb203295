// The tools of a deployment as a newcomer calls them: with --help, without credentials, at a wrong address.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { sharedService } from '../support/service.ts';

/** No credentials of the machine, and none of a network. */
const home = mkdtempSync(join(tmpdir(), 'tools-'));
const { PATH = '' } = process.env;
const env = { PATH, HOME: home, AWS_EC2_METADATA_DISABLED: 'true' };

async function run(args: string[], more: Record<string, string> = {}) {
  const child = spawn(process.execPath, args, { env: { ...env, ...more } });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code, out, err };
}

test.each([
  ['bin/deploy.ts', 'usage: npm run deploy'],
  ['bin/smoke.ts', 'usage: npm run --silent smoke'],
  ['bin/invoke.ts', 'usage: npm run invoke'],
])('%s has a help of its own', async (tool, usage) => {
  const { code, out, err } = await run([tool, '--help']);
  expect([code, err]).toEqual([0, '']);
  expect(out.startsWith(usage)).toBe(true);
});

test('a deployment without a region ends in one line, before anything is built', async () => {
  const { code, out, err } = await run(['bin/deploy.ts', '-c', 'model=offline']);
  expect([code, out]).toEqual([2, '']);
  expect(err).toMatch(/^No region: [^\n]*\n$/);
});

test('a deployment without credentials ends in one line', async () => {
  const { code, err } = await run(['bin/deploy.ts', '-c', 'model=offline'], { AWS_REGION: 'eu-central-1' });
  expect(code).toBe(2);
  expect(err).toMatch(/^No valid AWS credentials: [^\n]*\n$/);
});

test.each([
  [['--url', 'SITE', '--key', 'x'], 'invalid_arguments', /give --url SITE\/api\/v1$/],
  [['--url', 'SITE/docs/', '--key', 'x'], 'invalid_arguments', /give --url SITE\/api\/v1$/],
  [['--stck', 'RunService'], 'invalid_arguments', /--stck/],
  [['--stack', 'RunService'], 'region_missing', /^No region/],
  [['--stack', 'RunService', '--region', 'eu-central-1'], 'credentials_missing', /^No valid AWS credentials/],
])('the smoke test says what is wrong with %j', async (args, code, message) => {
  const { site_url } = sharedService();
  const { code: exit, err } = await run([
    'bin/smoke.ts',
    ...args.map((arg) => arg.replace('SITE', site_url)),
  ]);
  const { error } = JSON.parse(err);
  expect([exit, error.code]).toEqual([1, code]);
  expect(error.message.replace(site_url, 'SITE')).toMatch(message);
});
