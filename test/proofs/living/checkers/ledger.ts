// Slots, credits, the ledger and the day's cost of a workspace whose runs have all ended.
import type { World } from '../world.ts';
import { CREDITS } from '../world.ts';
import type { Ended } from './ends.ts';

interface Entry {
  number: number;
  kind: string;
  run_id?: string;
  credits: number;
  credits_left: number;
}

/**
 * No slot and no reservation is left; the balance is what the runs used, and the ledger says so run by run. What models
 * and workers cost is on the day.
 */
export async function ledger({ service }: World, ended: readonly Ended[]): Promise<string[]> {
  const workspace = service.workspaceId();
  const shown = await service.admin('workspace', 'show', workspace);
  const listed = await service.admin('ledger', 'list', '--workspace', workspace);
  const used = ended.reduce((sum, { remains: { run } }) => sum + (run.usage.credits_used ?? 0), 0);
  const found = [shown.runs_in_flight, shown.credits_held, shown.credits_left];
  const due = [0, 0, CREDITS - used];
  return [
    ...(found.join() === due.join() ? [] : [`slots, held and left are ${found}, not ${due}`]),
    ...(Array.isArray(listed.entries) ? breachesOf(listed.entries, ended, shown.credits_left) : []),
    ...(await breachesOfDay(service, ended)),
  ];
}

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
/** Sums of numbers with a fraction differ by less. */
const EXACT_USD = 1e-9;

/** The cost of the day is that of the runs. What is answered after a cancel is on the day alone. */
async function breachesOfDay(service: World['service'], ended: readonly Ended[]): Promise<string[]> {
  const all = ended.map(({ remains }) => remains);
  const today = dayOf(Date.now());
  const isAlone = all.every(
    ({ run, log }) =>
      run.status !== 'canceled' && log.every(({ occurred_at }) => dayOf(occurred_at) === today),
  );
  if (!isAlone) return [];
  interface Me {
    cost_today_usd: number;
    workspace: { cost_today_usd: number };
  }
  const key = await service.call<Me>('GET', '/me');
  const cost = all.reduce((sum, { run }) => sum + run.usage.cost_usd, 0);
  const days = [key.workspace.cost_today_usd, key.cost_today_usd];
  return days.every((one) => Math.abs(one - cost) < EXACT_USD)
    ? []
    : [`workspace and key spent ${days} USD today, their runs ${cost}`];
}

function breachesOf(entries: readonly Entry[], ended: readonly Ended[], left: unknown): string[] {
  const ofRun = Map.groupBy(entries, ({ run_id }) => run_id);
  const breaches = ended.flatMap(({ name, remains: { run } }) => {
    const own = ofRun.get(run.id) ?? [];
    const kinds = own.map(({ kind }) => kind).join(' ');
    const drawn = -own.reduce((sum, { credits }) => sum + credits, 0);
    const settled = kinds === 'hold settle' && drawn === run.usage.credits_used;
    return settled
      ? []
      : [`${name} ${run.id} used ${run.usage.credits_used}, the ledger has ${kinds}: ${drawn}`];
  });
  const dense = entries.every(({ number }, i) => number === (entries[0]?.number ?? 0) + i);
  const last = entries.at(-1)?.credits_left;
  return [
    ...breaches,
    ...(dense ? [] : ['the ledger has a gap']),
    ...(last === left ? [] : [`the ledger ends at ${last}, the balance is ${left}`]),
  ];
}
