// Imports point downward: http → entry → edge → domain → steps → store, models, sources, outbound, orchestration → contract,
// platform.
import { readFileSync } from 'node:fs';
import { basename, dirname, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { filesBy, withSlashes } from '../support/files.ts';

const root = resolve(import.meta.dirname, '../..');
const floors: Record<string, number> = {
  http: 6,
  ...{ api: 5, jobs: 5, docs: 5, mcp: 5, admin: 5 },
  edge: 4,
  ...{ domain: 3, steps: 2 },
  ...{ store: 1, models: 1, sources: 1, 'record-index': 1, outbound: 1, orchestration: 1 },
  ...{ contract: 0, platform: 0 },
};

/** Every import of a file, as a path from the root; packages are left out. */
function importsOf(file: string): string[] {
  const text = readFileSync(resolve(root, file), 'utf8');
  const found = [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] ?? '');
  return found.flatMap((name) => {
    if (name.startsWith('#')) return [`functions/${name.slice(1)}`];
    return name.startsWith('.') ? [withSlashes(relative(root, resolve(root, dirname(file), name)))] : [];
  });
}

/** The folders and files of each ladder, highest first; a file belongs to the longest name that leads to it. */
const ladders: Readonly<Record<string, readonly string[]>> = {
  'functions/domain': [
    ...[
      'evaluation',
      'traces',
      'recovery',
      'erasure',
      'monitors',
      'commands',
      'execution',
      'planning',
      'jobs',
      'sources',
      'webhooks',
      'events',
      'sync',
      'records',
    ],
    'change-notices',
    'artifacts',
    ...['workspaces', 'runs', 'billing', 'models', 'access'],
  ],
  'functions/store': ['monitors', 'runs', 'workspaces', 'money', 'models', 'records', 'table'],
  lib: [
    ...['local', 'app.ts', 'build', 'package', 'run-service.ts', 'feature-flags.ts', 'constructs'],
    ...['permissions.ts', 'published.d.ts', 'read-props.ts', 'stage.ts', 'props.ts', 'entries.ts'],
  ],
  'lib/local': [
    ...['cli', 'runtime', 'aws-services.ts', 'account-only.ts', 'metrics'],
    ...[
      'api-gateway',
      'cloudformation',
      'dynamodb',
      'eventbridge',
      'kms',
      'lambda',
      's3',
      'secrets-manager',
      'sqs',
      'step-functions',
    ],
    ...['aws-service.ts', 'lambda/host', 'dynamodb/engine', 'aws-endpoint', 'iam', 'template', 'files'],
    ...['shared-thread', 'collect-garbage.ts', 'host-check.ts', 'json-values.ts', 'setup-error.ts'],
    'program-folder.ts',
  ],
};

interface Edge {
  from: string;
  to: string;
}

const edgesOf = (file: string): Edge[] => importsOf(file).map((target) => ({ from: file, to: target }));

/** The name in the ladder of `root` that a file belongs to; the file itself when there is none. */
function rungOf(root: string, path: string): string {
  const below = path.slice(root.length + 1);
  const rungs = (ladders[root] ?? []).filter((rung) => below === rung || below.startsWith(`${rung}/`));
  return rungs.toSorted((a, b) => b.length - a.length)[0] ?? path;
}

/** Imports within `root` that lead up its ladder, or from or to a file that is not on it. */
function upwardIn(root: string, edges: Edge[]): Edge[] {
  const rank = (rung: string) => ladders[root]?.indexOf(rung) ?? -1;
  return edges.filter(({ from, to }) => {
    if (!to.startsWith(`${root}/`)) return false;
    const [importing, imported] = [rungOf(root, from), rungOf(root, to)];
    if (importing === imported) return false;
    return rank(importing) < 0 || rank(imported) <= rank(importing);
  });
}

/**
 * Imports that lead back to their own file through others: what remains when dead ends are cut off again and
 * again.
 */
function circular(edges: Edge[]): Edge[] {
  const importing = new Set(edges.map(({ from }) => from));
  const imported = new Set(edges.map(({ to }) => to));
  const open = edges.filter(({ from, to }) => importing.has(to) && imported.has(from));
  return open.length === edges.length ? edges : circular(open);
}

const filesIn = (folder: string) => filesBy(`${folder}/**/*.{ts,tsx}`, root);
const folderOf = (path: string) => path.split('/')[1] ?? '';

test('a function imports only from floors below its own, or from its own folder', () => {
  const upward = filesIn('functions').flatMap((file) =>
    importsOf(file)
      .filter((target) => target.startsWith('functions/'))
      .filter((target) => folderOf(target) !== folderOf(file))
      .filter((target) => (floors[folderOf(target)] ?? 9) >= (floors[folderOf(file)] ?? -1))
      .map((target) => `${file} -> ${target}`),
  );
  expect(upward).toEqual([]);
});

test.each(Object.keys(ladders))('each file of %s is on its ladder and imports only from below', (root) => {
  const files = filesIn(root);
  const rungs = new Set(files.map((file) => rungOf(root, file)));
  expect([...rungs].toSorted()).toEqual(ladders[root]?.toSorted());
  expect(upwardIn(root, files.flatMap(edgesOf))).toEqual([]);
});

test.each([
  ['functions/domain', 'runs/slots.ts', 'commands/create-run.ts'],
  ['functions/store', 'money/costs.ts', 'runs/runs.ts'],
  ['lib', 'constructs/storage.ts', 'build/bundle.ts'],
  ['lib/local', 'lambda/host/worker.ts', 'lambda/lambda.ts'],
  ['lib/local', 'lambda/host/worker.ts', 'api-gateway/gateway.ts'],
  ['lib/local', 'files/log-file.ts', 'unknown.ts'],
])('the ladder of %s notices that %s imports %s', (root, from, to) => {
  const planted = { from: `${root}/${from}`, to: `${root}/${to}` };
  expect(upwardIn(root, [planted])).toEqual([planted]);
});

test('no file imports itself through others, types included', () => {
  expect(circular(['functions', 'lib', 'bin', 'clients'].flatMap(filesIn).flatMap(edgesOf))).toEqual([]);
});

test('a planted circle is noticed', () => {
  const leadsTo = (from: string, to: string) => ({ from, to });
  const circle = [leadsTo('a.ts', 'b.ts'), leadsTo('b.ts', 'a.ts')];
  expect(circular([...circle, leadsTo('b.ts', 'c.ts'), leadsTo('d.ts', 'a.ts')])).toEqual(circle);
});

test('functions know nothing of the cloud that runs them; only the MCP endpoint is also a client', () => {
  const outside = filesIn('functions').flatMap((file) =>
    importsOf(file)
      .filter((target) => !target.startsWith('functions/'))
      .map((target) => `${file} -> ${target}`),
  );
  expect(outside).toEqual([
    'functions/mcp/mcp.ts -> clients/mcp/server.ts',
    'functions/mcp/mcp.ts -> clients/sdk/index.ts',
  ]);
});

/** What terminal and console share. */
const SHARED = [
  'clients/duration-text.ts',
  'clients/money-column.ts',
  'clients/shown-columns.ts',
  'clients/waiting-text.ts',
  ...filesIn('clients/record-file'),
];

test('the SDK knows nothing of the service but its document: it ships alone', () => {
  const outside = filesIn('clients/sdk').flatMap((file) =>
    importsOf(file)
      .filter((target) => !target.startsWith('clients/sdk/'))
      .map((target) => `${file} -> ${target}`),
  );
  expect(outside).toEqual([]);
});

test.each([
  ['terminal client', 'clients/cli', ['clients/sdk/index.ts', 'clients/mcp/server.ts', ...SHARED]],
  ['tools for agents', 'clients/mcp', ['clients/sdk/index.ts']],
])('the %s stands over the other clients alone', (_, folder, below) => {
  const outside = filesIn(folder).flatMap((file) =>
    importsOf(file)
      .filter((target) => !target.startsWith(`${folder}/`) && !below.includes(target))
      .map((target) => `${file} -> ${target}`),
  );
  expect(outside).toEqual([]);
});

test('the console builds on the SDK; three modules lead to the service, each for its form alone', () => {
  const edges = filesIn('clients/console').flatMap(edgesOf);
  const outside = edges.filter(
    ({ to }) => !to.startsWith('clients/console/') && to !== 'clients/sdk/index.ts' && !SHARED.includes(to),
  );
  const [contract, dues] = ['clients/console/contract.ts', 'clients/console/schedule/due-times.ts'];
  const answers = 'clients/console/job/answer-schema.ts';
  const leadsTo = outside.map(({ from, to }) => `${from} -> ${to.split('/').slice(0, 2).join('/')}`);
  expect(new Set(leadsTo)).toEqual(
    new Set([
      `${contract} -> functions/contract`,
      `${dues} -> functions/domain`,
      `${answers} -> functions/contract`,
    ]),
  );
  expect(outside.filter(({ from }) => from === dues).map(({ to }) => to)).toEqual([
    'functions/domain/monitors/due-times.ts',
  ]);
  const importersOf = (door: string) => edges.filter(({ to }) => to === door).map(({ from }) => from);
  const strangers = importersOf(contract).filter(
    (from) => !/^clients\/console\/(form\/|view-models\/step-fields)/.test(from),
  );
  expect([...strangers, ...importersOf(dues), ...importersOf(answers)]).toEqual([
    'clients/console/schedule/next-times.ts',
    'clients/console/job/answer-form.tsx',
  ]);
});

test('due times need nothing of the service: the console has them too', () => {
  expect(importsOf('functions/domain/monitors/due-times.ts')).toEqual([]);
});

test('the cloud knows only the contract; only what replaces a module of the functions builds on them', () => {
  const edges = filesIn('lib').flatMap((file) =>
    importsOf(file)
      .filter((target) => target.startsWith('functions/') && folderOf(target) !== 'contract')
      .filter(() => !file.startsWith('lib/local/shared-thread/'))
      .map((target) => `${file} -> ${target}`),
  );
  expect(edges).toEqual(['lib/local/cli/loopback-address-policy.ts -> functions/outbound/address-policy.ts']);
});

test('one module alone speaks to foreign hosts, one connects to AWS, and one each speaks to Step Functions, SQS and other functions', () => {
  const users = (name: RegExp) =>
    filesIn('functions').filter((file) => name.test(readFileSync(resolve(root, file), 'utf8')));
  expect(
    users(/(?:from|import) ?\(?'(?:undici|node:(?:http|https|http2|net|tls|dns|dgram)\b)/).filter(
      (file) => folderOf(file) !== 'outbound',
    ),
  ).toEqual(['functions/platform/aws-client.ts']);
  expect(users(/@aws-sdk\/client-sfn/)).toEqual(['functions/orchestration/executions.ts']);
  expect(users(/@aws-sdk\/client-lambda/)).toEqual(['functions/orchestration/records-function.ts']);
  expect(users(/@aws-sdk\/client-sqs/).toSorted()).toEqual([
    'functions/orchestration/delivery-queue.ts',
    'functions/orchestration/fire-queue.ts',
    'functions/orchestration/record-queues.ts',
  ]);
});

test('no name of a file is given more than three times: the tabs of an editor show nothing else', () => {
  const files = ['bin', 'clients', 'functions', 'lib'].flatMap(filesIn);
  const byName = Object.groupBy(files, (file) => basename(file));
  const common = Object.values(byName).filter((same) => same !== undefined && same.length > 3);
  expect(common).toEqual([]);
});
