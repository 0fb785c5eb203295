// What runs came to, in groups: of runs that agree in all by which they can be grouped, and of these by what a client
// asks for. Pure.
import type { UsageGroup, UsageRow } from '#contract/workspace-usage.ts';
import { picoToUsd } from '#models/pricing.ts';
import type { CountedRun } from '#store/runs/run-figures.ts';
import type { UsageSum } from '#store/runs/usage-days.ts';

/** How long runs took, and how many took as long. */
type Durations = Map<number, number>;

interface Came {
  runs: number;
  pico: bigint;
  input_tokens: number;
  output_tokens: number;
  durations: Durations;
}

const none = (): Came => ({ runs: 0, pico: 0n, input_tokens: 0, output_tokens: 0, durations: new Map() });

/** Up to so many runs, the sum of a group has each duration, else two digits of it: at most 5 % off. */
const EXACT_RUNS_MAX = 1000;
const DIGITS = 2;

type Named = Pick<UsageSum, 'status' | 'input_type' | 'key_id' | 'monitor_id' | 'model'>;

const namesOf = ({ status, input_type, key_id, monitor_id, model }: Named): Named => ({
  ...{ status, input_type, key_id },
  ...(monitor_id !== undefined && { monitor_id }),
  ...(model !== undefined && { model }),
});

function addDuration(durations: Durations, ms: number, times: number): void {
  durations.set(ms, (durations.get(ms) ?? 0) + times);
}

/** Sums up the runs of one day. */
export class DaySums {
  readonly #groups = new Map<string, { names: Named; came: Came }>();

  add(run: CountedRun): void {
    const names = namesOf(run);
    const { came } = this.#group(names);
    came.runs += 1;
    came.pico += BigInt(run.pico_usd);
    came.input_tokens += run.input_tokens;
    came.output_tokens += run.output_tokens;
    if (run.duration_ms !== undefined) addDuration(came.durations, run.duration_ms, 1);
  }

  #group(names: Named) {
    const id = JSON.stringify(names);
    const group = this.#groups.get(id) ?? { names, came: none() };
    this.#groups.set(id, group);
    return group;
  }

  sums(): UsageSum[] {
    return [...this.#groups.values()].map(({ names, came }) => ({
      ...names,
      ...{ runs: came.runs, pico_usd: String(came.pico) },
      ...{ input_tokens: came.input_tokens, output_tokens: came.output_tokens },
      durations: stored(came),
    }));
  }
}

function stored({ runs, durations }: Came): [number, number][] {
  if (runs <= EXACT_RUNS_MAX) return [...durations];
  const short: Durations = new Map();
  for (const [ms, times] of durations) addDuration(short, Number(ms.toPrecision(DIGITS)), times);
  return [...short];
}

/** A row of the reply for a group of a day, without what is counted. */
function groupOf(day: string, { status, input_type, key_id, monitor_id, model }: Named, by: UsageGroup[]) {
  const all = {
    day: { day },
    key: { key_id },
    status: { status },
    input_type: { input_type },
    monitor: { monitor_id: monitor_id ?? null },
    model: { model: model ?? null },
  };
  return Object.assign({}, ...by.map((name) => all[name])) as Partial<UsageRow>;
}

/** The rows of a reply: days in order, of each the largest group first. */
export function rowsOf(days: Map<string, UsageSum[]>, by: UsageGroup[]): UsageRow[] {
  const groups = new Map<string, { group: Partial<UsageRow>; came: Came }>();
  for (const [day, sums] of days)
    for (const sum of sums) {
      const group = groupOf(day, sum, by);
      const id = JSON.stringify(group);
      const known = groups.get(id) ?? { group, came: none() };
      groups.set(id, known);
      addSum(known.came, sum);
    }
  // By name where all else is equal: two answers have one order.
  return [...groups]
    .toSorted(([left], [right]) => left.localeCompare(right))
    .map(([, { group, came }]) => rowOf(group, came))
    .toSorted((a, b) => (a.day ?? '').localeCompare(b.day ?? '') || b.runs - a.runs);
}

function addSum(came: Came, sum: UsageSum): void {
  came.runs += sum.runs;
  came.pico += BigInt(sum.pico_usd);
  came.input_tokens += sum.input_tokens;
  came.output_tokens += sum.output_tokens;
  for (const [ms, times] of sum.durations) addDuration(came.durations, ms, times);
}

function rowOf(
  group: Partial<UsageRow>,
  { runs, pico, input_tokens, output_tokens, durations }: Came,
): UsageRow {
  const sorted = [...durations].toSorted(([a], [b]) => a - b);
  return {
    ...group,
    ...{ runs, cost_usd: picoToUsd(pico), input_tokens, output_tokens },
    ...{ p50_ms: percentile(sorted, 0.5), p95_ms: percentile(sorted, 0.95) },
  };
}

/** The least duration that a part of the runs did not exceed; null if none has ended. */
function percentile(sorted: [number, number][], part: number): number | null {
  const wanted = part * sorted.reduce((sum, [, times]) => sum + times, 0);
  let passed = 0;
  for (const [ms, times] of sorted) {
    passed += times;
    if (passed >= wanted) return ms;
  }
  return null;
}
