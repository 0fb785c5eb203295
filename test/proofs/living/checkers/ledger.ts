// Slots, credits and the ledger of a workspace whose runs have all ended.
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

/** No slot and no reservation is left; the balance is what the runs used, and the ledger says so run by run. */
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
  ];
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
