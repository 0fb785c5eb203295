// `npm run prove -- money [--n 10000] [--seed 1]`: random histories over a table in memory, then 200 creates at once
// where 50 fit; with `--planted`, whether they find planted faults. Prints one JSON line. Exit 1 when the money was
// wrong anywhere, or a fault was not found.
import '../sim/prepare.ts';
import { parseArgs } from 'node:util';
import { random } from '../random.ts';

const { values } = parseArgs({
  options: {
    n: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    planted: { type: 'boolean', default: false },
  },
});
const { useMemoryTable } = await import('../../support/memory-table/use-memory-table.ts');
const { crowdBreaches } = await import('./crowd.ts');
const { liveThrough } = await import('./histories.ts');
const { planted } = await import('../planted/faults.ts');
const { withPlant } = await import('../planted/changes.ts');
const startedAt = performance.now();
const seed = Number(values.seed);
/** A planted fault must be found within this many histories. */
const HISTORIES_A_FAULT = 40;

async function prove(): Promise<boolean> {
  const fresh = () => void useMemoryTable();
  const { faults, ...outcome } = await liveThrough(Number(values.n), seed, fresh);
  faults.push(...(await crowdBreaches()));
  print({ ...outcome, breaches: faults.slice(0, 20) });
  return faults.length === 0;
}

async function findPlanted(): Promise<boolean> {
  const by: Record<string, string> = {};
  for (const [name, makePlant] of Object.entries(planted.money)) {
    const plant = makePlant(random(seed, 0));
    const fresh = () =>
      void useMemoryTable(async (call, perform) => withPlant(plant, call, (input) => perform(input)));
    const { faults } = await liveThrough(HISTORIES_A_FAULT, seed, fresh);
    by[name] = faults[0] ?? '';
  }
  const missed = Object.keys(by).filter((name) => by[name] === '');
  print({ planted: Object.keys(by).length, found: Object.keys(by).length - missed.length, missed, by });
  return missed.length === 0;
}

const print = (report: object) =>
  void process.stdout.write(
    `${JSON.stringify({ seed, ...report, seconds: Math.round((performance.now() - startedAt) / 1000) })}\n`,
  );
process.exitCode = (await (values.planted ? findPlanted() : prove())) ? 0 : 1;
