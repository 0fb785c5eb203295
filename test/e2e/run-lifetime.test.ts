// rules.md: deletion 4, retention 4, deadlines 3. What the sweep does with runs: it erases what deleted ones have stored,
// deletes those whose retention is over, and fails those that did not start in time.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { table } from '../../functions/store/table/table.ts';
import { keys } from '../../functions/store/table/table-keys.ts';
import { findInFiles } from '../support/find-in-files.ts';
import type { Home } from '../support/given.ts';
import { observedServices } from '../support/observed/observed-services.ts';
import { type OpenService, openService } from '../support/open-service.ts';
import { expectRefusal } from '../support/refusal.ts';
import { call, until } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

const { services, faults } = observedServices();
let service: OpenService;
let home: Home;
beforeAll(async () => {
  service = await openService({ services });
  const { workspace_id } = await service.invoke('Admin', {
    command: 'workspace.create',
    name: 'W',
    tier: 'pro',
    credits: 5000,
  });
  const scopes = 'all';
  const { key_id, api_key } = await service.invoke('Admin', { command: 'key.create', workspace_id, scopes });
  const { base_url, site_url } = service.runtime;
  home = { workspace_id, key: api_key, key_id, access: { base_url, site_url } };
});
afterAll(() => service.stop());

const MARKER = `marker-${crypto.randomUUID()}`;
/** So long that plan, checkpoints, calls and artifacts are objects. */
const long = (from: number) => ({
  kind: 'inject_context',
  params: {
    text: Array.from({ length: 1500 }, (_, i) => `${MARKER} ${from + i}`)
      .join(' ')
      .slice(0, 19_000),
  },
});
const steps = [
  ...[0, 1, 2, 3].map((n) => long(n * 10_000)),
  { kind: 'transform', instructions: `Label ${MARKER}`, params: { output_fields: ['label'] } },
  { kind: 'analyze', instructions: `Sum up ${MARKER} [[fail-once]]` },
  { kind: 'reconstitute', params: { expected_artifacts: ['table', 'text', `${MARKER} text`] } },
];

const deletes = (id: string) => call('DELETE', `/runs/${id}`, { key: home.key, access: home.access });
const objects = () =>
  readdirSync(join(service.dataDir, 'objects')).filter((name) => !name.startsWith('index'));

/** The kinds of the items that name a run. */
async function itemsNaming(id: string): Promise<string[]> {
  const { Items = [] } = await table.send(new ScanCommand({ TableName: process.env.TABLE_NAME ?? '' }));
  const naming = Items.filter((item) => JSON.stringify(item).includes(id));
  return naming.map(({ pk, sk }) => {
    const [, , kind] = String(pk).split('#');
    return kind === 'RUN' || kind === undefined ? String(sk) : kind;
  });
}

test('no object, no item and no byte of a deleted run is left within two minutes; ledger and audit stay', async () => {
  const idle = objects().length;
  const { body } = await when.createsPlanRun(
    home,
    steps,
    { metadata: { marker: MARKER }, config: { max_cost_usd: 9 } },
    { 'Idempotency-Key': MARKER },
  );
  const { id } = body;
  expect((await then.ended(home, id)).status).toBe('failed');
  await when.resumes(home, id);
  const run = await then.ended(home, id);
  expect(run).toMatchObject({ status: 'succeeded', resume_count: 1 });
  expect(objects().length).toBeGreaterThan(idle);
  expect(findInFiles(service.dataDir, { MARKER })).not.toEqual([]);

  expect((await deletes(id)).status).toBe(204);
  await service.invoke('Sweep');
  expect(objects().length).toBe(idle);
  // Only the note of the sweep, which looks once more, is in its partition.
  const left = await itemsNaming(id);
  expect(left.toSorted()).toEqual(['AUDIT', 'AUDIT', 'COUNTERS', 'DELETION']);
  await until(
    'the last byte to go',
    async () => (findInFiles(service.dataDir, { MARKER }).length === 0 ? true : undefined),
    100_000,
  );
});

const reads = (path: string) => call('GET', path, { key: home.key, access: home.access });

/** Lets the retention of an ended run be over, as if it had ended that much earlier. */
async function travel(id: string, ms: number): Promise<void> {
  const Key = keys.run(home.workspace_id, id);
  const UpdateExpression =
    'SET completed_at = completed_at - :ms, retained_until = retained_until - :ms, due_at = due_at - :ms';
  const values = { ExpressionAttributeValues: { ':ms': ms } };
  await table.send(
    new UpdateCommand({ TableName: process.env.TABLE_NAME, Key, UpdateExpression, ...values }),
  );
}

test('a run whose retention is over is not found from that second on, then deleted; a resume takes it back', async () => {
  const plan = [long(0), { kind: 'analyze', instructions: '[[fail-once]]' }, steps.at(-1) ?? {}];
  const config = { retain_seconds: 60 };
  const headers = { 'Idempotency-Key': crypto.randomUUID() };
  const creates = () => when.createsPlanRun(home, plan, { config }, headers);
  const { id } = (await creates()).body;
  expect(await then.ended(home, id)).toMatchObject({ status: 'failed', config });
  await travel(id, 50_000);
  expect((await when.resumes(home, id)).status).toBe(202);
  const run = await then.ended(home, id);
  expect(run.status).toBe('succeeded');
  await travel(id, 59_000 - (Date.now() - run.completed_at));
  await service.invoke('Sweep');
  expect((await reads(`/runs/${id}`)).status).toBe(200);
  await travel(id, 1000);

  for (const path of ['', '/events', '/webhook-deliveries'])
    expectRefusal(await reads(`/runs/${id}${path}`), 404, 'run_not_found');
  expect(run.artifacts).toHaveLength(3);
  for (const artifact of run.artifacts)
    expectRefusal(await reads(`/artifacts/${artifact.id}`), 404, 'artifact_not_found');
  expect((await reads('/runs')).body.data.map((one: { id: string }) => one.id)).not.toContain(id);
  const next = (await creates()).body.id;
  expect(next).not.toBe(id);
  expect((await then.ended(home, next)).status).toBe('failed');

  await service.invoke('Sweep');
  await service.invoke('Sweep');
  // The resume is in the audit; the deletion is not.
  expect((await itemsNaming(id)).toSorted()).toEqual(['AUDIT', 'COUNTERS', 'DELETION']);
});

test('a run that is still pending when its time to start is over fails, and can be resumed', async () => {
  const stop = faults.add(({ service: to, operation }) =>
    to === 'states' && operation === 'StartExecution' ? { kind: 'error' } : undefined,
  );
  const config = { start_within_seconds: 1 };
  const { id, created_at } = (await when.createsPlanRun(home, [{ kind: 'fetch' }], { config })).body;
  const failed = await until('the end of the pending run', async () => {
    await service.invoke('Sweep');
    const run = await when.readsRun(home, id);
    return run.status === 'pending' ? undefined : run;
  });
  stop();
  expect(failed).toMatchObject({
    status: 'failed',
    resumable: true,
    errors: [{ code: 'run_timed_out', type: 'timeout' }],
  });
  const { elapsed_ms, ...details } = failed.errors[0].details;
  expect(details).toEqual({ limit: 'start_within_seconds', limit_seconds: 1 });
  expect(elapsed_ms).toBeGreaterThanOrEqual(1000);
  expect(elapsed_ms).toBeLessThanOrEqual(failed.completed_at - created_at);
  await then.soundLog(home, id);
  const body = { config: { start_within_seconds: 60 } };
  await call('POST', `/runs/${id}/resume`, { key: home.key, access: home.access, body });
  expect((await then.ended(home, id)).status).toBe('succeeded');
});
