// `npm run prove -- judge:packages`: each package in an empty folder, under the versions that its users may have, and
// the template by tools of others. Node, the CDK and pip come from their registries. Prints JSON.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pack } from '../../../bin/pack/pack.ts';
import { cdkRange } from '../../../lib/package/peers.ts';
import project from '../../../package.json' with { type: 'json' };
import { judgedPublished } from './published.ts';

const { version, dependencies } = project;
const NODES = ['20', '22', '24'] as const;
/** The oldest that the service takes, and the newest of each line. */
const SERVING = ['22.16.0', '22', '24'] as const;
/** The oldest of the range, the repository's and the newest. */
const CDKS = [cdkRange.from, dependencies['aws-cdk-lib'], 'latest'];
const READY_WITHIN_MS = 60_000;

const home = mkdtempSync(join(tmpdir(), 'judge-packages-'));
const packed = (name: string) => join(home, 'packages', `${name}-${version}.tgz`);

/** An empty folder in which npm has installed these. */
function installed(name: string, ...packages: string[]): string {
  const folder = join(home, name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const flags = ['--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['install', ...flags, ...packages], { cwd: folder, stdio: ['ignore', 2, 2] });
  return folder;
}

const run = (node: string, folder: string, ...args: string[]) =>
  execFileSync(node, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 2] }).trim();

/** Starts the service, asks it a question, and stops it: the seconds until it was ready, and the answer. */
async function served(node: string, folder: string) {
  const program = join(folder, 'node_modules/run-service/cli.mjs');
  const data = mkdtempSync(join(home, 'data-'));
  const begun = Date.now();
  const service = spawn(node, [program, 'start', '--port', '0', '--data-dir', data], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 2],
  });
  try {
    const isReady = () => {
      try {
        return readFileSync(join(data, 'local.json'), 'utf8') !== '';
      } catch {
        return false;
      }
    };
    while (!isReady()) {
      if (service.exitCode !== null) throw new Error(`the service ended with ${service.exitCode}`);
      if (Date.now() - begun > READY_WITHIN_MS) throw new Error('the service is not ready');
      await setTimeout(20);
    }
    const ready_ms = Date.now() - begun;
    const ask = ['create', '-q', 'How many people work in Berlin?', '--wait', '--local', data];
    const { stdout, stderr } = spawnSync(node, [program, 'runs', ...ask], { cwd: folder, encoding: 'utf8' });
    if (!stdout.includes('Count: 8.') || stderr.includes('Warning'))
      throw new Error(`the answer is ${stdout}${stderr}`);
    return { ready_ms };
  } finally {
    if (service.exitCode === null) {
      service.kill('SIGTERM');
      await once(service, 'exit');
    }
  }
}

const asModule = (name: string, code: string) => `import * as all from '${name}';${code}`;
const asCommon = (name: string, code: string) => `const all = require('${name}');${code}`;

const client = `const body = JSON.stringify(all.fixtures.webhooks['run.failed']);
all.sign(body, { apiKey: 'k' }).then((headers) => all.verify(body, headers, { apiKey: 'k' }))
  .then(({ event_type }) => console.log(event_type));`;

/** The resources of the stack that an app makes, without what names folders and hashes. */
const app = (module: string) => `
const { App } = ${module === 'mjs' ? 'cdk' : "require('aws-cdk-lib')"};
const app = new App({ outdir: 'out-${module}' });
new all.RunService(app, 'RunService', { model: 'offline' });
app.synth();`;

function digestOfTemplate(file: string): { resources: number; digest: string } {
  const { Resources } = JSON.parse(readFileSync(file, 'utf8'));
  const entries = Object.entries(Resources).map(([id, one]) => {
    const { Metadata: _, ...rest } = Object(one);
    return [id, rest] as const;
  });
  const text = JSON.stringify(Object.fromEntries(entries))
    .replaceAll(/(ApiRestDeployment[0-9A-F]{8})[0-9a-f]+/g, '$1')
    .replaceAll(/"S3Key":"[^"]*"/g, '""');
  return { resources: entries.length, digest: createHash('sha256').update(text).digest('hex').slice(0, 16) };
}

/** The construct under a version of the CDK, by `import` and by `require`. */
function synthesized(cdk: string, nodes: Readonly<Record<string, string>>) {
  const folder = installed(`cdk-${cdk}`, packed('run-service-cdk'), `aws-cdk-lib@${cdk}`, 'constructs');
  const names = { 'app.mjs': asModule('run-service-cdk', ''), 'app.cjs': asCommon('run-service-cdk', '') };
  writeFileSync(
    join(folder, 'app.mjs'),
    `import * as cdk from 'aws-cdk-lib';${names['app.mjs']}${app('mjs')}`,
  );
  writeFileSync(join(folder, 'app.cjs'), `${names['app.cjs']}${app('cjs')}`);
  const found = JSON.parse(readFileSync(join(folder, 'node_modules/aws-cdk-lib/package.json'), 'utf8'));
  return Object.entries(nodes).flatMap(([node, program]) =>
    ['mjs', 'cjs'].map((module) => {
      run(program, folder, `app.${module}`);
      const template = join(folder, `out-${module}`, 'RunService.template.json');
      return { cdk: String(found.version), node, module, ...digestOfTemplate(template) };
    }),
  );
}

function wheelAnswers(): string {
  const venv = join(home, 'venv');
  const pip = [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--no-index',
    join(home, 'packages', `run_service-${version}-py3-none-any.whl`),
  ];
  execFileSync('python3', ['-m', 'venv', venv], { stdio: ['ignore', 2, 2] });
  execFileSync(join(venv, 'bin/python'), pip, { stdio: ['ignore', 2, 2] });
  const code = `import json, run_service as r
body = json.dumps(r.fixtures["webhooks"]["run.failed"])
print(r.verify(body, r.sign(body, api_key="k"), api_key="k")["event_type"])`;
  return run(join(venv, 'bin/python'), home, '-c', code);
}

try {
  await pack({ scope: undefined, template: 'judge-run-service' }, join(home, 'packages'));
  const nodeOf = (node: string) =>
    join(installed(`node-${node}`, `node@${node}`), 'node_modules/node/bin/node');
  const nodes = Object.fromEntries(NODES.map((node) => [node, nodeOf(node)]));
  const service = installed('service', packed('run-service'));
  const started: Record<string, object> = {};
  for (const node of SERVING) started[node] = await served(nodes[node] ?? nodeOf(node), service);
  const sdk = installed('client', packed('run-service-client'));
  writeFileSync(join(sdk, 'sample.mjs'), asModule('run-service-client', client));
  writeFileSync(join(sdk, 'sample.cjs'), asCommon('run-service-client', client));
  const clients = Object.entries(nodes).flatMap(([node, program]) =>
    ['mjs', 'cjs'].map((module) => ({ node, module, printed: run(program, sdk, `sample.${module}`) })),
  );
  const { 20: oldest = '', 24: newest = '' } = nodes;
  const templates = CDKS.flatMap((cdk) => synthesized(cdk, { 20: oldest, 24: newest }));
  const wheel = wheelAnswers();
  const published = judgedPublished(join(home, 'packages'));
  const areEqual = new Set(templates.map(({ digest }) => digest)).size === 1;
  const doAnswer = clients.every(({ printed }) => printed === 'run.failed') && wheel === 'run.failed';
  const verdict = areEqual && doAnswer ? 'no finding' : 'see above';
  const all = { versions: Object.keys(nodes), started, clients, templates, published, wheel, verdict };
  process.stdout.write(`${JSON.stringify(all, undefined, 2)}\n`);
  process.exitCode = verdict === 'no finding' ? 0 : 1;
} finally {
  rmSync(home, { recursive: true, force: true });
}
