// What one run takes, counted: SDK calls, invocations, state transitions, capacity units, bytes of logs. The same on
// every machine.
import { readdirSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { isSampled } from '#store/runs/run-expiry.ts';
import { localCallbacks } from '../../../lib/local/cli/local-callbacks.ts';
import { type Runtime, startRuntime } from '../../../lib/local/runtime/runtime.ts';
import { observedServices } from '../../support/observed/observed-services.ts';
import type { Usage } from '../../support/observed/usage.ts';
import { create, request, succeeded, type Target, type Wanted } from './client.ts';
import { difference } from './figures.ts';
import { costOfThousand } from './price.ts';

const APART: ReadonlySet<string> = new Set([
  'Admin',
  'Sweep',
  'CompactRecords',
  'AuditRecords',
  'StartAudits',
]);
/** A run is also apart from the long poll that waits for its end. */
const APART_FROM_RUNS: ReadonlySet<string> = new Set([...APART, 'Read']);

const without = (apart: ReadonlySet<string>, counts: Record<string, number>) =>
  Object.fromEntries(Object.entries(counts).filter(([name]) => !apart.has(name.split(' ')[0] ?? '')));

const TRIES_MAX = 12;
const STEPS = 3;

/**
 * Whether a run took longer than it does on a machine with time: a separate commit shows the start of its first step, or
 * its webhook left so late that its keys were read again.
 */
function wasSlow({ sdk_calls_by_function: calls }: { sdk_calls_by_function: Record<string, number> }) {
  // Its slot is released after the last commit.
  const commits = (calls['ExecuteSteps dynamodb:TransactWriteItems'] ?? 0) - 1;
  return commits > STEPS || calls['DeliverWebhook dynamodb:BatchGetItem'] !== undefined;
}

const settled = () => new Promise<void>((resolve) => setTimeout(resolve, 500));

const total = (counts: Record<string, number>) =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

/** Billed state transitions so far. */
function transitionsOf({ services }: Runtime): number {
  return services.get('states')?.figures?.().transitions ?? 0;
}

/** The companies of the run, as data. */
const companies = {
  type: 'object',
  properties: {
    count: { type: 'integer' },
    companies: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          city: { type: 'string' },
          employees: { type: ['integer', 'null'] },
        },
        required: ['name', 'city', 'employees'],
      },
    },
  },
  required: ['count', 'companies'],
};

/** What a source and a worker bring. */
const page = { items: [{ id: 'a', name: 'Acme', fields: { city: 'Berlin' } }] };

async function completeJob(url: string, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const { status } = await fetch(`${url}/complete`, { method: 'POST', headers, body: JSON.stringify(page) });
  if (status !== 200) throw new Error(`the job was not completed: ${status}`);
}

/** Bytes in the logs of the functions. */
function logBytes(dataDir: string, apart: ReadonlySet<string>): number {
  const files = readdirSync(join(dataDir, 'logs')).filter((file) => !apart.has(file.split('.')[0] ?? ''));
  return files.reduce((sum, file) => sum + statSync(join(dataDir, 'logs', file)).size, 0);
}

/** What some work takes of every service, without the functions that are apart from it. */
async function countOf(
  { runtime, usage, dataDir }: { runtime: Runtime; usage: Usage; dataDir: string },
  apart: ReadonlySet<string>,
  work: () => Promise<unknown>,
) {
  const look = () => ({
    tally: usage.tally(),
    lambda: runtime.lambda.counts(),
    transitions: transitionsOf(runtime),
    log_bytes: logBytes(dataDir, apart),
  });
  const before = look();
  await work();
  const after = look();
  const calls = without(apart, difference(after.tally.calls, before.tally.calls));
  const reads = difference(after.tally.read_units_by_function, before.tally.read_units_by_function);
  const messages = Object.entries(calls).filter(([name]) => name.endsWith(' sqs:SendMessage'));
  return {
    sdk_calls: total(calls),
    sdk_calls_by_function: calls,
    lambda_invocations: without(apart, difference(after.lambda, before.lambda)),
    state_transitions: after.transitions - before.transitions,
    read_units: total(without(apart, reads)),
    write_units: after.tally.write_units - before.tally.write_units,
    messages: total(Object.fromEntries(messages)),
    log_bytes: after.log_bytes - before.log_bytes,
  };
}

/**
 * Counts a 3-step plan run with a webhook, the same with an answer as data, and a read of its status, once every function
 * is warm, and what they cost. With `waits`, also one that waits once for its model, beside one that tries as
 * often, and one that waits for a worker, beside one that reads a source.
 */
export async function countOneRun(assembly: string, dataDir: string, { waits = false } = {}) {
  const { services, usage } = observedServices();
  const runtime = await startRuntime({
    dataDir,
    cloudAssembly: async () => assembly,
    extraEnv: localCallbacks,
    port: 0,
    services,
  });
  const posts: (() => void)[] = [];
  const receiver = createServer(async (request, response) => {
    if (request.url === '/page') return void response.end(JSON.stringify(page));
    if (request.url === '/job') {
      const { job_url, token } = JSON.parse(Buffer.concat(await request.toArray()).toString());
      response.end();
      await settled();
      return void (await completeJob(job_url, token));
    }
    response.end();
    posts.shift()?.();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const address = receiver.address();
  const callback = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`;
  try {
    const seeded = await runtime.lambda.invoke('Admin', JSON.stringify({ command: 'seed_demo' }));
    if (!seeded.ok) throw new Error(seeded.error.errorMessage);
    const target: Target = {
      base_url: runtime.base_url,
      api_key: String(JSON.parse(seeded.payload).api_key),
    };
    const oneRun = async (wanted: Wanted = {}) => {
      const posted = new Promise<void>((resolve) => posts.push(resolve));
      const { id } = await create(target, { callback_url: callback, ...wanted });
      await succeeded(target, id);
      await posted;
      // The attempt is recorded after the receiver has answered.
      await settled();
      return id;
    };
    const id = await oneRun();
    const statusRead = async () => {
      await request(target, 'GET', `/runs/${id}`, 200);
      await settled();
    };
    await statusRead();
    const counted = async (wanted: Wanted = {}) => {
      for (let tries = 1; ; tries += 1) {
        let id = '';
        const run = await countOf({ runtime, usage, dataDir }, APART_FROM_RUNS, async () => {
          id = await oneRun(wanted);
        });
        // One run in a thousand stays due for the check of its log.
        if (tries === TRIES_MAX || wanted.trigger || !(wasSlow(run) || isSampled(id))) return run;
      }
    };
    const run = await counted();
    const status_read = await countOf({ runtime, usage, dataDir }, APART, statusRead);
    const run_as_data = await counted({ output_schema: companies });
    const usd_per_1000_runs = costOfThousand(run, status_read);
    const figures = { run, run_as_data, status_read, usd_per_1000_runs };
    if (!waits) return figures;
    // Two tries fail; then the third one does too, and the next call is the probe.
    const retried = await counted({ trigger: ' [[transient:2]]' });
    const waited = await counted({ trigger: ' [[transient:3]]' });
    const [before, after] = [retried, waited].map((one) => costOfThousand(one, status_read).total ?? 0);
    const usd_per_1000_waits = (after ?? 0) - (before ?? 0);
    const workspace_id = String(JSON.parse(seeded.payload).workspace_id);
    const addSource = (source: object) =>
      runtime.lambda.invoke('Admin', JSON.stringify({ command: 'source.create', workspace_id, source }));
    await addSource({ name: 'paged', kind: 'http', url: `${callback}page` });
    await addSource({ name: 'worker', kind: 'job', url: `${callback}job` });
    const read = await counted({ source: 'paged' });
    const worked = await counted({ source: 'worker' });
    const [paged, asked] = [read, worked].map((one) => costOfThousand(one, status_read).total ?? 0);
    return {
      ...figures,
      ...{ run_that_retried: retried, run_that_waited: waited, usd_per_1000_waits },
      ...{ run_that_read_a_source: read, run_that_asked_a_worker: worked },
      usd_per_1000_jobs: (asked ?? 0) - (paged ?? 0),
    };
  } finally {
    receiver.closeAllConnections();
    receiver.close();
    await runtime.stop();
  }
}
