// Imports point downward: entry → edge → domain → steps → store, models, sources, outbound, orchestration → contract, platform.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { filesBy, withSlashes } from '../support/files.ts';

const root = resolve(import.meta.dirname, '../..');
const floors: Record<string, number> = {
  ...{ api: 5, workflow: 5, webhooks: 5, console: 5, mcp: 5, admin: 5 },
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

/** The ladder of the domain, highest first. */
const domain = [
  ...[
    'recovery',
    'erasure',
    'commands',
    'execution',
    'planning',
    'webhooks',
    'events',
    'sync',
    'records',
    'workspaces',
  ],
  ...['runs', 'billing', 'access'],
];

interface Edge {
  from: string;
  to: string;
}

const edgesOf = (file: string): Edge[] => importsOf(file).map((target) => ({ from: file, to: target }));

/** Imports between folders of the domain that lead up the ladder or to no folder of it. */
function upwardInDomain(edges: Edge[]): Edge[] {
  const rank = (path: string) => domain.indexOf(path.split('/')[2] ?? '');
  return edges
    .filter(({ to }) => to.startsWith('functions/domain/'))
    .filter(({ from, to }) => from.split('/')[2] !== to.split('/')[2])
    .filter(({ from, to }) => rank(to) <= rank(from));
}

/** Imports that lead back to the file they stand in, through others: what is left when dead ends are cut off again and again. */
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

test('a folder of the domain imports only from folders below it', () => {
  const folders = readdirSync(resolve(root, 'functions/domain'));
  expect(folders.toSorted()).toEqual(domain.toSorted());
  expect(upwardInDomain(filesIn('functions/domain').flatMap(edgesOf))).toEqual([]);
});

test('the ladder of the domain notices an import that leads back up', () => {
  const planted = { from: 'functions/domain/runs/slots.ts', to: 'functions/domain/commands/create-run.ts' };
  expect(upwardInDomain([planted])).toEqual([planted]);
});

test('no file imports itself through others, types included', () => {
  expect(circular(['functions', 'lib', 'bin', 'clients'].flatMap(filesIn).flatMap(edgesOf))).toEqual([]);
});

test('a planted circle is noticed', () => {
  const leadsTo = (from: string, to: string) => ({ from, to });
  const circle = [leadsTo('a.ts', 'b.ts'), leadsTo('b.ts', 'a.ts')];
  expect(circular([...circle, leadsTo('b.ts', 'c.ts'), leadsTo('d.ts', 'a.ts')])).toEqual(circle);
});

test('functions know nothing of the cloud that runs them; the door for agents alone is a client too', () => {
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

test('the SDK knows nothing of the service but its document: it ships alone', () => {
  const outside = filesIn('clients/sdk').flatMap((file) =>
    importsOf(file)
      .filter((target) => !target.startsWith('clients/sdk/'))
      .map((target) => `${file} -> ${target}`),
  );
  expect(outside).toEqual([]);
});

test.each([
  ['terminal client', 'clients/cli', ['clients/sdk/index.ts', 'clients/mcp/server.ts']],
  ['tools for agents', 'clients/mcp', ['clients/sdk/index.ts']],
])('the %s stands over the other clients alone', (_, folder, below) => {
  const outside = filesIn(folder).flatMap((file) =>
    importsOf(file)
      .filter((target) => !target.startsWith(`${folder}/`) && !below.includes(target))
      .map((target) => `${file} -> ${target}`),
  );
  expect(outside).toEqual([]);
});

test('the console stands over the SDK; one door alone leads to the contract, and only the form of a new run goes through it', () => {
  const edges = filesIn('clients/console').flatMap(edgesOf);
  const outside = edges.filter(
    ({ to }) => !to.startsWith('clients/console/') && to !== 'clients/sdk/index.ts',
  );
  const door = 'clients/console/contract.ts';
  expect(new Set(outside.map(({ from, to }) => `${from} -> ${to.split('/').slice(0, 2).join('/')}`))).toEqual(
    new Set([`${door} -> functions/contract`]),
  );
  const through = edges.filter(({ to }) => to === door).map(({ from }) => from);
  expect(through.filter((from) => !/^clients\/console\/(form\/|text\/step-fields)/.test(from))).toEqual([]);
});

test('the cloud knows only the contract; the loopback policy alone builds on the one it stands in for', () => {
  const edges = filesIn('lib').flatMap((file) =>
    importsOf(file)
      .filter((target) => target.startsWith('functions/') && folderOf(target) !== 'contract')
      .map((target) => `${file} -> ${target}`),
  );
  expect(edges).toEqual(['lib/local/cli/loopback-address-policy.ts -> functions/outbound/address-policy.ts']);
});

test('one module alone speaks to foreign hosts, and one each to Step Functions and SQS', () => {
  const users = (name: RegExp) =>
    filesIn('functions').filter((file) => name.test(readFileSync(resolve(root, file), 'utf8')));
  expect(
    users(/(?:from|import) ?\(?'(?:undici|node:(?:http|https|http2|net|tls|dns|dgram)\b)/)
      .map(folderOf)
      .every((folder) => folder === 'outbound'),
  ).toBe(true);
  expect(users(/@aws-sdk\/client-sfn/)).toEqual(['functions/orchestration/executions.ts']);
  expect(users(/@aws-sdk\/client-sqs/).toSorted()).toEqual([
    'functions/orchestration/delivery-queue.ts',
    'functions/orchestration/record-queue.ts',
  ]);
});
