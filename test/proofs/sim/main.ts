// `npm run prove -- sim [--seeds 10000] [--first 1]`: simulated histories under faults; with `--planted [--only BUG …]`,
// whether they find planted bugs. Prints one JSON line; exit 1 on a breach, on a kind of fault that hardly came, on
// operations that hardly worked, on a bug not found.
import './prepare.ts';
import { parseArgs } from 'node:util';
import { faultKinds } from '../../support/faults.ts';
import { random } from '../random.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '200' },
    first: { type: 'string', default: '1' },
    planted: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
  },
});
const { tell } = await import('./history.ts');
const { randomFaults } = await import('./world.ts');
const { planted } = await import('../planted/faults.ts');
const { boundMinutes, core, outside } = await import('./liveness.ts');

const SHOWN = 20;
const FIRED_MIN = 20;
/** In fewer histories not every fault comes often. */
const MANY_SEEDS = 100;
const USEFUL_MIN = 0.95;
/** A planted bug must be found within this many histories. */
const SEEDS_A_BUG = 200;
const startedAt = performance.now();
const first = Number(values.first);

/** Every fourth history has faults without an end, so only its safety is judged. */
const modeOf = (seed: number) => (seed % 4 === 0 ? 'safety' : 'liveness');

async function simulate(): Promise<boolean> {
  const sum = { seeds: Number(values.seeds), first, table_calls: 0, commits: 0, wanted: 0, useful: 0 };
  const fired: Record<string, number> = {};
  const breaches: string[] = [];
  const modes = { liveness: 0, safety: 0 };
  const longest: Record<string, number> = {};
  for (let seed = first; seed < first + sum.seeds; seed += 1) {
    const mode = modeOf(seed);
    const told = await tell(seed, { faultPlan: randomFaults, ...(mode === 'safety' && { endless: true }) });
    modes[mode] += 1;
    if (mode === 'safety') Object.assign(told, { wanted: 0, useful: 0 });
    for (const [part, ms] of Object.entries(told.longest)) {
      const minutes = Math.round(ms / 60_000);
      longest[part] = Math.max(longest[part] ?? 0, minutes);
    }
    for (const [kind, times] of Object.entries(told.fired)) fired[kind] = (fired[kind] ?? 0) + times;
    for (const name of ['table_calls', 'commits', 'wanted', 'useful'] as const) sum[name] += told[name];
    breaches.push(...told.breaches);
  }
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const rare = faultKinds.filter((kind) => (fired[kind] ?? 0) < FIRED_MIN);
  if (rare.length > 0 && sum.seeds >= MANY_SEEDS) breaches.push(`hardly came: ${rare.join(', ')}`);
  if (sum.useful < USEFUL_MIN * sum.wanted) breaches.push(`only ${sum.useful} of ${sum.wanted} worked`);
  const liveness = {
    histories: modes.liveness,
    core,
    outside,
    bound_minutes: boundMinutes,
    longest_minutes: longest,
  };
  const safety = { histories: modes.safety, seeds: 'multiples of 4', core: [] };
  print({
    ...sum,
    modes: { liveness, safety },
    fired,
    seconds,
    breaches: breaches.length,
    first_breaches: breaches.slice(0, SHOWN),
  });
  return breaches.length === 0;
}

async function findPlanted(): Promise<boolean> {
  const found: Record<string, string> = {};
  const bugs = Object.entries(planted.sim).filter(([name]) => !values.only || values.only.includes(name));
  for (const [name, makePlant] of bugs)
    for (let seed = first; seed < first + SEEDS_A_BUG && !found[name]; seed += 1) {
      // A request that the table refuses as malformed shows nothing.
      const breach = (
        await tell(seed, { faultPlan: randomFaults, plant: makePlant(random(seed, 0)) })
      ).breaches.find((one) => !/ValidationException|the table refuses/.test(one));
      if (breach) found[name] = breach.split('\n')[0] ?? '';
    }
  const missed = bugs.map(([name]) => name).filter((name) => !found[name]);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  print({
    first,
    planted: bugs.length,
    found: Object.keys(found).length,
    missed,
    by: found,
    seconds,
  });
  return missed.length === 0;
}

const print = (report: object) => process.stdout.write(`${JSON.stringify(report)}\n`);
process.exitCode = (await (values.planted ? findPlanted() : simulate())) ? 0 : 1;
