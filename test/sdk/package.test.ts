// The package as its users get it: packed, installed into an empty project, type-checked strictly, run on Node 20 and
// later, small and alone.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { npmProgram } from '../support/platform.ts';

const root = resolve(import.meta.dirname, '../..');
const sdk = join(root, 'clients/sdk');
const project = mkdtempSync(join(tmpdir(), 'run-service-user-'));
const npm = (...args: string[]) =>
  execFileSync('npm', args, { cwd: project, encoding: 'utf8', stdio: 'pipe', ...npmProgram });

const program = `
import { fixtures, isApiError, RunService, sign, verify, worker, type CreateRun, type RunEvent } from 'run-service-client';
const service = new RunService({ apiKey: 'k', baseUrl: 'http://127.0.0.1:8787/api/v1' });
const plan: CreateRun = {
  input_type: 'plan',
  plan: { title: 'T', steps: [{ kind: 'fetch', title: 'F', params: { source: 'companies' } }] },
};
export async function firstRun(): Promise<string[]> {
  const run = await service.runs.create(plan, { signal: AbortSignal.timeout(1000) });
  for await (const event of service.runs.watch(run.id)) show(event);
  const final = await service.runs.wait(run.id, { throwOnFailure: true });
  const cells: string[] = [];
  for (const { id, kind } of final.artifacts) {
    if (kind === 'table') for await (const row of service.artifacts.rows(id)) cells.push(String(row.name));
  }
  const page = await service.runs.list({ limit: 10 });
  for await (const listed of service.runs.list()) cells.push(listed.id, String(page.has_more));
  return cells;
}
export function show(event: RunEvent): string {
  if (event.event_type === 'step.progress') return \`\${event.data.items_done} of \${event.data.items_total}\`;
  // @ts-expect-error only some events carry it
  event.data.items_done;
  // @ts-expect-error the stream's own event is not one of the log
  if (event.event_type === 'connection.expired') return '';
  return event.event_type;
}
export function advice(error: unknown): string | number | undefined {
  if (isApiError(error, 'plan_too_large')) return error.details.max_steps;
  if (isApiError(error, 'run_not_resumable')) return error.details.reason;
  if (isApiError(error, 'run_not_found')) {
    const none: undefined = error.details;
    return none;
  }
  // @ts-expect-error no such code
  if (isApiError(error, 'no_such_code')) return '';
  if (isApiError(error)) return error.retryAfterMs ?? error.docUrl;
  return undefined;
}
export async function links(id: string) {
  const { entity_refs } = await service.artifacts.get(id, { links: true });
  const roles: string[] = entity_refs.map(({ role }) => role);
  return roles;
}
export const believed = (body: Uint8Array, headers: Headers) => verify(body, headers, [{ apiKey: 'k' }]);
export const done: number = fixtures.events['step.progress'].data.items_done;
export const scored = worker(['src_1'], async ({ items, where }, { progress, signal }) => {
  await progress({ items_done: where === undefined ? 0 : 1 });
  signal.throwIfAborted();
  return { items: items.map(({ name }) => ({ name, fields: { score: 1 } })), usage: { input_tokens: 1 } };
});
export const declined = () => service.jobs.fail('j', { message: 'No', retry: false });
export const signed = () => sign(JSON.stringify(fixtures.webhooks['run.failed']), { apiKey: 'k' });
// @ts-expect-error an unknown kind of step
export const wrong: CreateRun = { input_type: 'plan', plan: { title: 'T', steps: [{ kind: 'dance', title: 'D' }] } };
`;

const trial = `
import { fixtures, RunService, reduce, sign, verify } from 'run-service-client';
import failed from 'run-service-client/fixtures/events/run.failed.json' with { type: 'json' };
const fetch = async () => new Response(JSON.stringify({ id: '1', status: 'succeeded' }));
const { runs } = new RunService({ apiKey: 'k', baseUrl: 'http://service.test/api/v1', fetch });
const run = await runs.create({ input_type: 'query', query: 'q' });
const refused = await verify('{}', 't=1,v1=' + '0'.repeat(64), { apiKey: 'k' }).catch((error) => error.reason);
const body = JSON.stringify(fixtures.webhooks['run.succeeded']);
const { event_type } = await verify(body, await sign(body, { apiKey: 'k' }), { apiKey: 'k' });
console.log(run.id, refused, typeof reduce, event_type, failed.event_type);
`;

const strictest = {
  compilerOptions: {
    ...{
      target: 'es2022',
      lib: ['es2022', 'dom', 'dom.iterable'],
      types: [],
      module: 'nodenext',
      noEmit: true,
    },
    ...{
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
    },
  },
  files: ['program.ts'],
};

beforeAll(() => {
  execFileSync('npm', ['run', 'build', '-w', 'run-service-client'], {
    cwd: root,
    stdio: 'pipe',
    ...npmProgram,
  });
  npm('init', '-y');
  npm('pkg', 'set', 'type=module');
  npm('pack', sdk, '--ignore-scripts');
  const [packed = ''] = readdirSync(project).filter((name) => name.endsWith('.tgz'));
  npm('install', '--offline', '--no-audit', '--no-fund', `./${packed}`);
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(strictest));
  writeFileSync(join(project, 'program.ts'), program);
  writeFileSync(join(project, 'trial.mjs'), trial);
}, 120_000);
afterAll(() => rmSync(project, { recursive: true, force: true }));

test('the types are those of the document', () => {
  execFileSync('npm', ['run', 'types', '-w', 'run-service-client', '--', '--check'], {
    cwd: root,
    stdio: 'pipe',
    ...npmProgram,
  });
});

test('it has no dependencies', () => {
  const installed = readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'));
  expect(installed).toEqual(['run-service-client']);
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(sdk, 'package.json'), 'utf8'));
  expect({ dependencies, peerDependencies }).toEqual({});
});

test('it is at most 10 KB, compressed', () => {
  expect(gzipSync(readFileSync(join(sdk, 'dist/index.js')), { level: 9 }).length).toBeLessThanOrEqual(10_000);
});

test('the fixtures are in no bundle that does not use them', async () => {
  const bundled = async (used: string) => {
    const stdin = { contents: `export { ${used} } from 'run-service-client';`, resolveDir: project };
    const { outputFiles } = await build({ stdin, bundle: true, format: 'esm', write: false });
    return outputFiles.map(({ text }) => text).join('');
  };
  expect(await bundled('fixtures')).toContain('connection.expired');
  expect(await bundled('RunService, verify')).not.toContain('max_duration');
});

/** The compilers that its users may have: that of the SDK and that of the project. */
const compilers = [sdk, root].map((folder) =>
  createRequire(join(folder, 'package.json')).resolve('typescript/package.json'),
);

test.each(compilers)(
  'its types hold in a strict project that checks libraries too (%s)',
  (manifest) => {
    const tsc = resolve(manifest, '../bin/tsc');
    execFileSync(process.execPath, [tsc, '-p', '.'], { cwd: project, encoding: 'utf8' });
  },
  60_000,
);

/** Node as this project runs it, and an older one where the machine has it. */
const nodes = [process.execPath, '/usr/bin/node'].filter((path) => existsSync(path));

test.each(nodes)('it runs on Node (%s)', (node) => {
  const version = Number(
    execFileSync(node, ['-p', 'process.versions.node.split(".")[0]'], { encoding: 'utf8' }),
  );
  expect(version).toBeGreaterThanOrEqual(20);
  expect(execFileSync(node, ['trial.mjs'], { cwd: project, encoding: 'utf8' })).toBe(
    '1 mismatch function run.succeeded run.failed\n',
  );
});
