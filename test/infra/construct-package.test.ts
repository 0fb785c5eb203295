// The package of the construct, in an app of CommonJS and one of modules: its functions are those for AWS, without maps.
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pack } from '../../bin/pack/pack.ts';
import { BUNDLED_WITHIN_MS } from '../support/deployed-assembly.ts';
import { synthesize } from '../support/synthesize.ts';

const MB = 1e6;
const home = mkdtempSync(join(tmpdir(), 'construct-'));
const modules = join(home, 'node_modules');
const installed = join(modules, '@acme/run-service-cdk');
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const tarball = join(home, 'packages', `acme-run-service-cdk-${version}.tgz`);

beforeAll(async () => {
  await pack({ scope: '@acme' }, join(home, 'packages'), ['cdk']);
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['xzf', tarball, '-C', installed, '--strip-components=1']);
  // The peers: an app has them.
  for (const name of ['aws-cdk-lib', 'constructs'])
    symlinkSync(resolve('node_modules', name), join(modules, name));
}, BUNDLED_WITHIN_MS);
afterAll(() => rmSync(home, { recursive: true, force: true }));

const rest = (app: string) => `
const app = new App({ outdir: '${app}' });
new RunService(app, 'RunService', { model: 'offline', apiGatewayLogRole: true });
app.synth();`;
const apps = {
  'app.mjs': `import { App } from 'aws-cdk-lib'; import { RunService } from '@acme/run-service-cdk';${rest('modules')}`,
  'app.cjs': `const { App } = require('aws-cdk-lib'); const { RunService } = require('@acme/run-service-cdk');${rest('common')}`,
};

test.each(Object.entries(apps))('%s synthesizes the stack of the repository', (name, code) => {
  writeFileSync(join(home, name), code);
  const env = { ...process.env, CDK_VALIDATION: 'false' };
  execFileSync(process.execPath, [name], { cwd: home, env, stdio: ['ignore', 'ignore', 'inherit'] });
  const out = join(home, name === 'app.mjs' ? 'modules' : 'common');
  const { Resources } = JSON.parse(readFileSync(join(out, 'RunService.template.json'), 'utf8'));
  const types = (resources: Record<string, { Type?: unknown }>) =>
    Object.entries(resources).map(([id, { Type }]) => [id.replace(/^(ApiRestDeployment.{8}).*/, '$1'), Type]);
  expect(types(Resources).toSorted()).toEqual(types(synthesize().Resources).toSorted());
});

test('without props it says what must be set', () => {
  const code = `const { App } = require('aws-cdk-lib'); const { RunService } = require('@acme/run-service-cdk');
try { new RunService(new App(), 'RunService') } catch (error) { console.log(error.message) }`;
  writeFileSync(join(home, 'bare.cjs'), code);
  const said = execFileSync(process.execPath, ['bare.cjs'], { cwd: home, encoding: 'utf8' });
  expect(said).toMatch(/^model is not set: [^\n]+\n$/);
});

test('the tarball has at most 12 MB, and no source, map or folder of this machine', () => {
  expect(statSync(tarball).size).toBeLessThanOrEqual(12 * MB);
  const files = globSync('**/*', { cwd: installed }).filter((name) =>
    statSync(join(installed, name)).isFile(),
  );
  expect(files.filter((name) => /\.map$|(?<!\.d)\.ts$/.test(name))).toEqual([]);
  const foreign = files.filter((name) => {
    const text = readFileSync(join(installed, name), 'utf8');
    return text.includes(resolve('.')) || text.includes('sourceMappingURL=');
  });
  expect(foreign).toEqual([]);
});

test('with an aws-cdk-lib that is too old it fails with both versions, before it uses anything of it', () => {
  const app = join(home, 'older');
  const cdk = join(app, 'node_modules/aws-cdk-lib');
  mkdirSync(cdk, { recursive: true });
  writeFileSync(join(cdk, 'package.json'), '{"name":"aws-cdk-lib","version":"2.200.0"}');
  copyFileSync(join(installed, 'index.js'), join(app, 'index.js'));
  const load = `try { require('./index.js') } catch (error) { console.log(error.message) }`;
  expect(execFileSync(process.execPath, ['-e', load], { cwd: app, encoding: 'utf8' })).toBe(
    'run-service-cdk needs aws-cdk-lib 2.260.0 or later, below 3.0.0, and 2.200.0 is installed\n',
  );
});
