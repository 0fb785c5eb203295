// The tenant that asks for the costliest work: what its records, runs and artifacts need to be so costly.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { admin } from '../../bench/child.ts';
import { request, type Target } from '../../bench/client.ts';
import { idOf, mazes, recordOf } from '../../fair/tenants.ts';

/** As many records as a step takes; each company counts under 500 groups. */
export const TAKEN = 10_000;
const MANY = 100_000;
const HUB_LINKS = 5_000;
const SCROLLS = 150;
/** Each failed item is an error in the report of its run. */
const FAILED_ITEMS = 200;
const REPORTED_RUNS = 40;
const POLL_MS = 200;

export interface Costly extends Target {
  /** A table of 40 MB. */
  table_id: string;
}

/** A run as far as it matters here. */
interface Ended {
  id: string;
  status: unknown;
  errors: { code?: string }[];
  artifacts: { id: string }[];
}

/** Creates a run and waits for its end, whatever that is. */
export async function ended(target: Target, body: object): Promise<Ended> {
  const id = String((await request(target, 'POST', '/runs', 202, body)).id);
  for (;;) {
    const { status, completed_at, errors, artifacts } = await request(target, 'GET', `/runs/${id}`, 200);
    if (typeof completed_at === 'number')
      return {
        id,
        status,
        errors: Array.isArray(errors) ? errors : [],
        artifacts: Array.isArray(artifacts) ? artifacts : [],
      };
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** A plan of these steps. */
export const planOf = (...steps: object[]) => ({
  input_type: 'plan',
  plan: { title: 'Costly', steps: steps.map((step) => ({ title: 'Step', ...step })) },
  config: { unlimited_transform: true },
});

function* lines(seed: number): Generator<object> {
  for (let n = 0; n < TAKEN; n += 1) yield recordOf(seed, n);
  const pages = 'lorem ipsum '.repeat(360);
  for (let n = 0; n < TAKEN; n += 1) yield { type: 'book', name: `Book ${n}`, fields: { pages } };
  for (let n = 0; n < MANY; n += 1) {
    const text = `é the quick brown fox ${n} jumps over the lazy dog and runs on ${n * 7}`;
    yield { type: 'memo', name: `Memo ${n}`, fields: { text } };
  }
  yield* mazes();
  // A search for a run of this letter compares to the end of its text at each position.
  const text = Array.from({ length: 175 }, () => 'a'.repeat(2_000)).join(' ');
  for (let n = 0; n < SCROLLS; n += 1) yield { type: 'scroll', name: `Scroll ${n}`, fields: { text } };
}

async function imports(dataDir: string, noun: string, workspace: string, all: object[]): Promise<void> {
  const file = join(dataDir, `${noun}.ndjson`);
  writeFileSync(file, all.map((line) => `${JSON.stringify(line)}\n`).join(''));
  await admin(dataDir, noun, 'import', '--workspace', workspace, '--file', file);
}

/** Makes the tenant in the service on `dataDir`. */
export async function costlyTenant(dataDir: string, base_url: string, seed: number): Promise<Costly> {
  const made = await admin(dataDir, 'workspace', 'create', '--name', 'Costly', '--tier', 'enterprise');
  const workspace = String(made.workspace_id);
  const { api_key } = await admin(dataDir, 'key', 'create', '--workspace', workspace, '--scopes', 'all');
  const target = { base_url, api_key: String(api_key) };
  await imports(dataDir, 'entity', workspace, [...lines(seed)]);
  const links = Array.from({ length: HUB_LINKS }, (_, i) => ({
    from: { id: idOf(i + 1) },
    to: { id: idOf(0) },
    type: 'supplies',
  }));
  await imports(dataDir, 'relationship', workspace, links);
  const fails = Array.from({ length: FAILED_ITEMS }, (_, i) => `[[fail-item:${i}]]`).join('');
  const reported = planOf(
    { kind: 'fetch', params: { source: 'companies', limit: FAILED_ITEMS + 1, fields: ['city'] } },
    { kind: 'transform', instructions: fails, params: { limit: FAILED_ITEMS + 1 } },
  );
  for (let i = 0; i < REPORTED_RUNS; i += 1) await ended(target, reported);
  const tabled = await ended(
    target,
    planOf(
      { kind: 'fetch', params: { source: 'books', limit: TAKEN } },
      { kind: 'reconstitute', params: { expected_artifacts: ['table'] } },
    ),
  );
  return { ...target, table_id: String(tabled.artifacts[0]?.id) };
}
