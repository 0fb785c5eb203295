// How reading records grows with their number: imports a workspace of each size and times what runs ask of it.
import { execFile } from 'node:child_process';
import { createWriteStream, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import * as z from 'zod';
import { admin, end, startChild } from '../child.ts';
import { request, succeeded, type Target } from '../client.ts';
import { percentile, residentMb } from '../figures.ts';
import { countReads } from './counted.ts';
import { answersQuery, linesOf, QUERY } from './lines.ts';
import { oneStep, questions } from './questions.ts';

const TIMES = 7;

/** A benchmark workspace, stored with its data so that it can be queried again. */
const Filled = z.object({
  api_key: z.string(),
  /** How many records the answer to QUERY has. */
  expected: z.number(),
  import_per_second: z.number(),
  first_after_import_ms: z.number(),
  /** Medians while the log still has entries that readers check again. */
  after_import_ms: z.record(z.string(), z.number()),
});
type Filled = z.infer<typeof Filled>;

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

async function importRecords(
  dataDir: string,
  workspace: string,
  size: number,
): Promise<{ per_second: number; expected: number }> {
  let expected = 0;
  const lines = function* () {
    for (const line of linesOf(size)) {
      if (answersQuery(line)) expected += 1;
      yield `${JSON.stringify(line)}\n`;
    }
  };
  const file = `${dataDir}.ndjson`;
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

/** Starts the service for as long as `work` takes. */
async function served<T>(
  dataDir: string,
  work: (service: { demo: Target; pid: number }) => Promise<T>,
): Promise<T> {
  const { child, target } = await startChild(dataDir);
  try {
    return await work({ demo: target, pid: child.pid ?? 0 });
  } finally {
    await end(child);
  }
}

function fill(dataDir: string, size: number): Promise<Filled> {
  return served(dataDir, async ({ demo }) => {
    const made = await admin(dataDir, 'workspace', 'create', '--name', 'Bench', '--tier', 'enterprise');
    const workspace = String(made.workspace_id);
    const key = await admin(dataDir, 'key', 'create', '--workspace', workspace, '--scopes', 'all');
    const api_key = String(key.api_key);
    const target = { base_url: demo.base_url, api_key };
    const { per_second, expected } = await importRecords(dataDir, workspace, size);
    // Of another workspace: it starts the functions that had nothing to do during the import.
    await oneStep(demo, questions.where_sort_limit);
    const first_after_import_ms = Math.round(await oneStep(target, questions.where_sort_limit));
    const after_import_ms = await latencies(target);
    return { api_key, expected, import_per_second: per_second, first_after_import_ms, after_import_ms };
  });
}

/** The workspace of this size in the folder, imported unless it is there. */
async function filled(dataDir: string, size: number): Promise<Filled> {
  const file = join(dataDir, 'bench.json');
  if (existsSync(file)) return Filled.parse(JSON.parse(readFileSync(file, 'utf8')));
  mkdirSync(dataDir, { recursive: true });
  const figures = await fill(dataDir, size);
  writeFileSync(file, JSON.stringify(figures));
  return figures;
}

/** The number of records that a query run finds, to be compared with what was imported. */
async function found(target: Target): Promise<number> {
  const created = await request(target, 'POST', '/runs', 202, { input_type: 'query', query: QUERY });
  await succeeded(target, String(created.id));
  const { steps } = await request(target, 'GET', `/runs/${created.id}`, 200);
  const first: unknown = Array.isArray(steps) ? steps[0] : undefined;
  return typeof first === 'object' && first !== null ? Number(Reflect.get(first, 'items_out')) : Number.NaN;
}

async function latencies(target: Target): Promise<Record<string, number>> {
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

/** All figures of one size; a folder of it in `home` that an earlier bench has filled is used again. */
export async function measureRecords(assembly: string, home: string, size: number) {
  const dataDir = join(home, `data-${size}`);
  const { api_key, expected, ...imported } = await filled(dataDir, size);
  const timings = await served(dataDir, async ({ demo, pid }) => {
    const target = { base_url: demo.base_url, api_key };
    const cold_ms = Math.round(await oneStep(target, questions.where_sort_limit));
    const medians_ms = await latencies(target);
    const query_right = (await found(target)) === expected;
    return { cold_ms, medians_ms, query_right, resident_mb: residentMb(pid) };
  });
  const counted = await countReads(assembly, dataDir, api_key);
  return { size, ...imported, ...timings, ...counted };
}
