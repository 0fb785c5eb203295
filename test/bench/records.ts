// How reading records grows with their number: imports a workspace of each size and times what runs ask of it.
import { execFile } from 'node:child_process';
import { createWriteStream, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { startRuntime } from '../../lib/local/runtime/runtime.ts';
import { request, succeeded, type Target } from './client.ts';
import { percentile, residentMb } from './figures.ts';
import { startChild } from './timed.ts';

const CITIES = 200;
const INDUSTRIES = ['finance', 'software', 'energy', 'retail', 'transport', 'health'];
const VOCABULARY = 5000;
const TIMES = 7;
/** What stays the same at every size, so that the same question has the same answer. */
const QUERY = 'Which companies in City7 have a revenue over 990000?';

/** A generator of numbers from 0 to 1 that every run of the bench repeats. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
}

interface Line {
  id: string;
  type: string;
  name: string;
  fields: Record<string, string | number>;
  external_uri: string;
}

/** The records of a workspace; a companion of the answer to QUERY is counted on the way. */
function* recordsOf(size: number): Generator<Line> {
  const random = seeded(7);
  const word = () => `w${Math.floor(random() * random() * VOCABULARY).toString(36)}`;
  for (let n = 0; n < size; n += 1)
    yield {
      id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
      type: n % 3 === 0 ? 'person' : 'company',
      name: `Name ${n} ${word()}`,
      fields: {
        city: `City${Math.floor(random() * CITIES)}`,
        industry: INDUSTRIES[Math.floor(random() * INDUSTRIES.length)] ?? '',
        // One in 200 is no number, as in life.
        revenue: random() < 0.005 ? 'unknown' : Math.floor(random() * 1_000_000),
        employees: Math.floor(random() * 10_000),
        text: Array.from({ length: 20 }, word).join(' '),
      },
      external_uri: `bench:${n}`,
    };
}

const answersQuery = ({ type, fields }: Line) =>
  type === 'company' &&
  fields.city === 'City7' &&
  typeof fields.revenue === 'number' &&
  fields.revenue > 990_000;

const where = {
  and: [
    { field: 'city', op: '=', value: 'City7' },
    { field: 'revenue', op: '>', value: 500_000 },
  ],
};
const fetchOf = (params: object) => ({
  kind: 'fetch',
  title: 'Fetch',
  params: { source: 'companies', ...params },
});
const questions: Record<string, object> = {
  where_sort_limit: fetchOf({ where, sort: [{ field: 'revenue', direction: 'desc' }], limit: 10 }),
  by_type: fetchOf({ limit: 10 }),
  by_words: fetchOf({ query: 'w1a w2b', limit: 10 }),
  group: fetchOf({
    group_by: ['city'],
    measures: [{ as: 'average', op: 'avg', field: 'revenue' }],
    limit: 10,
  }),
  count: fetchOf({ where, measures: [{ as: 'count', op: 'count' }] }),
  vector: {
    kind: 'vector_search',
    title: 'Search',
    params: { source: 'companies', query: 'w1a w2b', where, limit: 10 },
  },
};

async function oneStep(target: Target, step: object): Promise<number> {
  const begun = performance.now();
  const run = await request(target, 'POST', '/runs', 202, {
    input_type: 'plan',
    plan: { title: 'Bench', steps: [step] },
  });
  await succeeded(target, String(run.id));
  return performance.now() - begun;
}

async function median(work: () => Promise<number>): Promise<number> {
  const samples: number[] = [];
  for (let i = 0; i < TIMES; i += 1) samples.push(await work());
  return percentile(samples, 50);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

const run = promisify(execFile);
async function admin(dataDir: string, ...args: string[]): Promise<Record<string, unknown>> {
  const { stdout } = await run(process.execPath, ['bin/admin.ts', ...args, '--data-dir', dataDir], {
    maxBuffer: 2 ** 30,
  });
  return JSON.parse(stdout);
}

async function importRecords(
  dataDir: string,
  workspace: string,
  size: number,
): Promise<{ per_second: number; expected: number }> {
  let expected = 0;
  const lines = function* () {
    for (const line of recordsOf(size)) {
      if (answersQuery(line)) expected += 1;
      yield `${JSON.stringify(line)}\n`;
    }
  };
  const file = join(dataDir, '..', `records-${size}.ndjson`);
  await pipeline(Readable.from(lines()), createWriteStream(file));
  const took = await timed(() =>
    run('sh', [
      '-c',
      '"$0" bin/admin.ts entity import --workspace "$1" --file "$2" --data-dir "$3" > /dev/null',
      process.execPath,
      workspace,
      file,
      dataDir,
    ]),
  );
  rmSync(file);
  return { per_second: Math.round((size / took) * 1000), expected };
}

/** The number of records that a query run finds, to be compared with what was imported. */
async function found(target: Target): Promise<number> {
  const created = await request(target, 'POST', '/runs', 202, { input_type: 'query', query: QUERY });
  await succeeded(target, String(created.id));
  const { steps } = await request(target, 'GET', `/runs/${created.id}`, 200);
  const first: unknown = Array.isArray(steps) ? steps[0] : undefined;
  return typeof first === 'object' && first !== null ? Number(Reflect.get(first, 'items_out')) : Number.NaN;
}

async function latencies(target: Target) {
  const figures: Record<string, number> = {};
  for (const [name, step] of Object.entries(questions))
    figures[name] = await median(() => oneStep(target, step));
  const post = () => request(target, 'POST', '/runs', 202, { input_type: 'query', query: QUERY });
  figures.query_post = await median(() => timed(post));
  const refs = encodeURIComponent(JSON.stringify([{ external_uri: 'bench:77' }]));
  figures.resolve = await median(() =>
    timed(() => request(target, 'GET', `/entities/resolve?refs=${refs}`, 200)),
  );
  return figures;
}

/** SDK calls and read units of one warm fetch, counted in the service's own process. */
async function countFetch(assembly: string, dataDir: string, api_key: string) {
  const runtime = await startRuntime({
    dataDir,
    cloudAssembly: async () => assembly,
    port: 0,
    checkRoles: true,
  });
  try {
    const target = { base_url: runtime.base_url, api_key };
    const step = questions.where_sort_limit ?? {};
    for (let i = 0; i < 3; i += 1) await oneStep(target, step);
    const before = runtime.usage.tally();
    await oneStep(target, step);
    const after = runtime.usage.tally();
    const calls = Object.entries(after.calls)
      .filter(([name]) => name.startsWith('ExecuteSteps'))
      .map(([name, count]) => [name, count - (before.calls[name] ?? 0)] as const)
      .filter(([, count]) => count > 0);
    return {
      calls_of_execute_steps: Object.fromEntries(calls),
      read_units_of_the_run: after.read_units - before.read_units,
    };
  } finally {
    await runtime.stop();
  }
}

/** All figures of one size. The workspace is imported anew into `home`. */
export async function measureRecords(assembly: string, home: string, size: number) {
  const dataDir = join(home, `data-${size}`);
  mkdirSync(dataDir, { recursive: true });
  const service = await startChild(dataDir);
  const { workspace_id } = await admin(
    dataDir,
    'workspace',
    'create',
    '--name',
    'Bench',
    '--tier',
    'enterprise',
  );
  const workspace = String(workspace_id);
  const { api_key } = await admin(dataDir, 'key', 'create', '--workspace', workspace, '--scopes', 'all');
  const target = { base_url: service.target.base_url, api_key: String(api_key) };
  const imported = await importRecords(dataDir, workspace, size);
  const firstStep = questions.where_sort_limit ?? {};
  const after_import_ms = Math.round(await oneStep(target, firstStep));
  const medians_ms = await latencies(target);
  const right = (await found(target)) === imported.expected;
  const resident_mb = residentMb(service.child.pid ?? 0);
  const ended = new Promise((resolve) => service.child.once('exit', resolve));
  service.child.kill('SIGTERM');
  await ended;
  const again = await startChild(dataDir);
  const cold_ms = Math.round(await oneStep({ ...target, base_url: again.target.base_url }, firstStep));
  const endedAgain = new Promise((resolve) => again.child.once('exit', resolve));
  again.child.kill('SIGTERM');
  await endedAgain;
  const counted = await countFetch(assembly, dataDir, String(api_key));
  rmSync(dataDir, { recursive: true, force: true });
  return {
    size,
    import_per_second: imported.per_second,
    after_import_ms,
    cold_ms,
    medians_ms,
    query_right: right,
    resident_mb,
    ...counted,
  };
}
