// The main job under trouble of the cloud: throttles, conflicts, errors, lost replies and repeats at random.
import type { AwsRequest } from '../../../lib/local/aws-endpoint/aws-request.ts';
import type { Runtime } from '../../../lib/local/runtime/runtime.ts';
import type { Faults } from '../../support/observed/faults.ts';
import { observedServices } from '../../support/observed/observed-services.ts';
import { call } from '../../support/service.ts';
import * as when from '../../support/when.ts';
import type { Findings } from '../proof.ts';
import { newHome, onOwnService } from '../proved-service.ts';
import { random } from '../random.ts';
import { inParallel, logToItsEnd, patiently } from '../work.ts';
import { breachesOf } from './checkers/ends.ts';

const ANY = ['throttle', 'error', 'lost', 'cut'] as const;
const TRANSACTION = [...ANY, 'conflict', 'conflict', 'duplicate', 'duplicate'] as const;
const SINGLE_WRITE = [...ANY, 'conflict'] as const;
const BATCH = [...ANY, 'partial', 'partial'] as const;
/** How many of the transactions, and of all other calls, are disturbed. */
const CHANCE = { transaction: 0.35, other: 0.1 };
const CREDITS = 1000;
/** What runs have not ended by then ends when the trouble is over. */
const TROUBLE_MS = 40_000;

const fetchAll = { kind: 'fetch', params: { source: 'companies' } };
const plans = [
  [fetchAll, when.keepBerlin, { kind: 'reconstitute', params: { expected_artifacts: ['table'] } }],
  [fetchAll, { kind: 'transform', instructions: 'sum up' }, { kind: 'analyze', instructions: 'compare' }],
  [{ kind: 'analyze', instructions: '[[fail]]' }],
];

/** Only a transaction carries a token by which its repeat is known, so only it may come twice. */
function kindsFor({ service: to, operation }: AwsRequest) {
  if (to !== 'dynamodb') return ANY;
  if (operation === 'TransactWriteItems') return TRANSACTION;
  if (operation === 'BatchGetItem') return BATCH;
  return ['PutItem', 'UpdateItem', 'DeleteItem'].includes(operation) ? SINGLE_WRITE : ANY;
}

/** Disturbs the calls to the table and to the state machine; counts what happened, and gives the end of it. */
function disturb(faults: Faults, seed: number): { fired: Record<string, number>; stop: () => void } {
  const chance = random(seed, 0);
  const fired: Record<string, number> = Object.fromEntries(
    [...TRANSACTION, ...BATCH].map((kind) => [kind, 0]),
  );
  const stop = faults.add((one) => {
    if (one.service !== 'dynamodb' && one.service !== 'states') return undefined;
    const kinds = kindsFor(one);
    if (!chance.chance(kinds === TRANSACTION ? CHANCE.transaction : CHANCE.other)) return undefined;
    const kind = chance.pick<(typeof TRANSACTION)[number] | (typeof BATCH)[number]>(kinds);
    fired[kind] = (fired[kind] ?? 0) + 1;
    return { kind };
  });
  return { fired, stop };
}

/** Creates `runs` runs at once under trouble: each ends once, its log is sound, money and slots add up. */
export async function troubleCalls(flags: Readonly<Record<'runs' | 'seed', number>>): Promise<Findings> {
  const { services, faults } = observedServices();
  return onOwnService((service, runtime) => prove(service, { runtime, faults }, flags), { services });
}

async function prove(
  service: Parameters<typeof newHome>[0],
  { runtime, faults }: { runtime: Runtime; faults: Faults },
  { runs, seed }: Readonly<Record<'runs' | 'seed', number>>,
): Promise<Findings> {
  const home = await newHome(service, { credits: CREDITS * runs, max_concurrent_runs: runs });
  const { fired, stop } = disturb(faults, seed);
  const over = setTimeout(stop, TROUBLE_MS);
  const breaches: string[] = [];
  let used = 0;
  const ids = new Set<string>();
  await inParallel(runs, runs, async (i) => {
    const headers = { 'Idempotency-Key': `run ${i}` };
    const { status, body } = await patiently(() =>
      when.createsPlanRun(home, plans[i % plans.length] ?? [], {}, headers),
    );
    if (status >= 300) throw new Error(`create answered ${status} ${JSON.stringify(body)}`);
    ids.add(body.id);
    const log = await logToItsEnd(home, body.id);
    const { body: run } = await patiently(() => call('GET', `/runs/${body.id}`, { ...home }));
    const statuses = [i % plans.length === 2 ? 'failed' : 'succeeded'];
    breaches.push(...breachesOf({ name: `run ${i}`, remains: { run, log }, must: { statuses } }));
    used += run.usage.credits_used;
  });
  clearTimeout(over);
  stop();
  await runtime.lambda.invoke('Sweep', '{}');
  const after = await service.admin({ command: 'workspace.show', workspace_id: home.workspace_id });
  const found = [ids.size, after.runs_in_flight, after.credits_held, after.credits_left];
  const wanted = [runs, 0, 0, CREDITS * runs - used];
  if (found.join() !== wanted.join()) breaches.push(`runs, slots, held and left are ${found}, not ${wanted}`);
  return { breaches, fired };
}
