// The model provider is away for ten minutes while twice the load comes that the stack sustains; then it comes back.
import { tiers } from '#contract/limits.ts';
import type { CallerWithCosts } from '#domain/access/authenticate.ts';
import { newId } from '#platform/ids.ts';
import { spentToday } from '#store/money/costs.ts';
import { entityWrites } from '#store/records/entity-items.ts';
import { transact } from '#store/table/table.ts';
import { useMemoryTable } from '../../support/memory-table/use-memory-table.ts';
import { random } from '../../support/random.ts';
import { caller } from '../../support/runs.ts';
import { percentile } from '../bench/figures.ts';
import { reseed } from '../sim/prepare.ts';
import { startScheduler } from '../sim/scheduler.ts';
import { type Market, type Wish, wants } from './clients.ts';
import { startProvider, TOKENS, virtualTimeouts } from './provider.ts';
import { startStack } from './stack.ts';

const MINUTE_MS = 60_000;
const BASE_MINUTES = 10;
/** Calls of a run when nothing fails: three items and an answer; a query, which is a fifth of all, also is planned. */
const CALLS_A_RUN = 4.2;
/** What a workspace sustains, in runs a minute of half a minute each: by its slots, and by what the provider answers. */
const SUSTAINED = 4;
const SLOTS = tiers.free.max_concurrent_runs;
/** The load before and after, as a share of it. */
const BASE_SHARE = 0.5;
const FUNCTIONS_A_SLOT = 0.8;
/** Calls that began before the provider went away may hang, and are tried twice more. */
const HANGS_MS = MINUTE_MS;
/** The backlog of an outage at twice the load takes four times as long to drain beside half of it. */
const AFTER_BY_AWAY = 7;
const CALL_MS = 6;
const PICO_A_TOKEN = 1_000_000n;
const START_MS = Date.UTC(2026, 10, 23, 9);

/** How large a stack is and how long its provider is away. */
export interface Size {
  workspaces: number;
  away_minutes: number;
  seed: number;
}

/** What must hold. */
export const bounds = {
  /**
   * From the provider's return until every run that was wanted before has succeeded, by the minutes that it was away.
   * What has gathered takes the provider four times as long to answer, beside the load that goes on. A query that
   * capacity refuses has been understood before, by the order of the checks (rules.md: create 1), which takes a fifth of
   * its answers; and clients that come again are not first.
   */
  drained_by_away: 8,
  /** From the provider's return until p99 stays below twice its base, by the same minutes. */
  p99_back_by_away: 8,
  /** Minutes more for both: twice the longest that a client waits before it comes again. */
  more_minutes: 10,
  /** Calls to the provider in any minute, by those that it answers in one when it is full. */
  calls_by_full: 1.75,
  /** Calls in any whole minute while it is away, by those of a minute of the base: only probes, after the first one. */
  away_by_base: 0.25,
};

export interface Overload {
  runs: number;
  /** From the first request of a client to the success of its run. */
  base_p99_seconds: number;
  drained_minutes: number;
  p99_back_minutes: number;
  /** p99 of the runs wanted in each ten minutes, in seconds. */
  p99_seconds: number[];
  /** In the busiest minute, but for the base and `full`, what the provider answers at most; `away`: after the first. */
  calls_a_minute: { base: number; full: number; first: number; away: number; after: number };
  /** Calls to the provider for each one that it answered: in the base, and in all. */
  calls_by_answer: { base: number; all: number };
  requests_a_run: number;
  /** Runs that failed, by their code. */
  failed: Record<string, number>;
  /** How often an execution waited for the model. */
  waits: number;
  refused: Record<string, number>;
  throttled: number;
  no_function_free: number;
  paid_twice: number;
  /** Queries that were understood before capacity refused them (rules.md: create 1). */
  understood_again: number;
  breaches: string[];
}

/** Lives through the outage, and then for long enough that the base load leaves time for what has gathered. */
export async function overload({ workspaces, away_minutes, seed }: Size): Promise<Overload> {
  reseed(seed);
  const chance = random(seed);
  const scheduler = startScheduler(chance, START_MS);
  const restore = virtualTimeouts();
  useMemoryTable(async (call, perform) => {
    await scheduler.sleep(CALL_MS);
    return perform(call.input);
  });
  const sustained = SUSTAINED * workspaces;
  const provider = startProvider(scheduler, chance, sustained * CALLS_A_RUN);
  const stack = startStack(scheduler, provider.model, Math.ceil(workspaces * SLOTS * FUNCTIONS_A_SLOT));
  try {
    return await scheduler.run(async () => {
      const callers = await Promise.all(Array.from({ length: workspaces }, furnished));
      const market: Market = { scheduler, stack, provider, callers, refused: {} };
      const wishes: Promise<Wish>[] = [];
      const load = async (minutes: number, runsAMinute: number) => {
        const end = Date.now() + minutes * MINUTE_MS;
        for (const gap = MINUTE_MS / runsAMinute; Date.now() < end; ) {
          await scheduler.sleep(chance.below(2 * gap));
          wishes.push(wants(market, wishes.length));
        }
      };
      await load(BASE_MINUTES, BASE_SHARE * sustained);
      const awayAt = Date.now();
      provider.away = true;
      await load(away_minutes, 2 * sustained);
      provider.away = false;
      const backAt = Date.now();
      await load(AFTER_BY_AWAY * away_minutes, BASE_SHARE * sustained);
      const all = await Promise.all(wishes);
      stack.stop();
      return judged(market, all, { awayAt, backAt });
    });
  } finally {
    restore();
    scheduler.stop();
  }
}

/** A caller of a new workspace with some records. */
async function furnished(): Promise<CallerWithCosts> {
  const by = await caller();
  const { workspace_id } = by.workspace;
  const times = { created_at: Date.now(), updated_at: Date.now() };
  const records = Array.from({ length: 3 }, (_, i) =>
    entityWrites(
      { id: newId(), workspace_id, type: 'thing', name: `Thing ${i}`, fields: {}, ...times },
      { vector: [1] },
    ),
  );
  await transact(records.flat());
  return { ...by, workspace: { ...by.workspace, max_concurrent_runs: SLOTS, daily_cost_cap_usd: 1e9 } };
}

const secondsOf = (wishes: Wish[]) =>
  wishes.map(({ wanted_at, succeeded_at = Number.NaN }) => (succeeded_at - wanted_at) / 1000);
const p99 = (wishes: Wish[]) => percentile(secondsOf(wishes), 99);
const tenth = (number: number) => Math.round(number * 10) / 10;

async function judged(
  { provider, stack, callers, refused }: Market,
  wishes: Wish[],
  { awayAt, backAt }: { awayAt: number; backAt: number },
): Promise<Overload> {
  const base = p99(wishes.filter(({ wanted_at }) => wanted_at < awayAt - MINUTE_MS));
  const slow = wishes.filter((wish) => wish.wanted_at >= backAt && (secondsOf([wish])[0] ?? 0) > 2 * base);
  const before = wishes.filter(({ wanted_at }) => wanted_at < backAt);
  const last = (times: number[]) => tenth((Math.max(backAt, ...times) - backAt) / MINUTE_MS);
  const twice = [...provider.answered].flatMap(([question, times]) => (times.length > 1 ? [question] : []));
  const answers = [...provider.answered.values()].flat();
  const answered = answers.length;
  const spent = await Promise.all(
    callers.map(({ workspace }) => spentToday(workspace.workspace_id, Date.now())),
  );
  const paid = spent.reduce((sum, pico) => sum + pico, 0n) / (PICO_A_TOKEN * BigInt(TOKENS));
  const most = (from: number, to: number) => {
    const asked = provider.asked.filter((at) => at >= from && at < to);
    const minutes = Map.groupBy(asked, (at) => Math.floor((at - from) / MINUTE_MS));
    return Math.max(0, ...[...minutes.values()].map(({ length }) => length));
  };
  const inBase = provider.asked.filter((at) => at < awayAt).length;
  const calls = {
    base: Math.round(inBase / BASE_MINUTES),
    full: Math.round(provider.per_minute),
    first: most(awayAt, awayAt + MINUTE_MS),
    // A call that hangs for two minutes is tried twice more.
    away: most(awayAt + HANGS_MS, backAt),
    after: most(backAt, Number.POSITIVE_INFINITY),
  };
  const figures = {
    runs: wishes.length,
    base_p99_seconds: base,
    drained_minutes: last(before.map(({ succeeded_at = Number.NaN }) => succeeded_at)),
    p99_back_minutes: last(slow.map(({ wanted_at }) => wanted_at)),
    p99_seconds: [
      ...Map.groupBy(wishes, ({ wanted_at }) => Math.floor((wanted_at - START_MS) / (10 * MINUTE_MS))),
    ]
      .toSorted(([a], [b]) => a - b)
      .map(([, some]) => p99(some)),
    calls_a_minute: calls,
    calls_by_answer: {
      base: tenth(inBase / answers.filter((at) => at < awayAt).length),
      all: tenth(provider.asked.length / answered),
    },
    requests_a_run: tenth(wishes.reduce((sum, { requests }) => sum + requests, 0) / wishes.length),
    failed: Object.fromEntries(
      [...Map.groupBy(wishes, ({ failed }) => failed)].flatMap(([code, some]) =>
        code === undefined ? [] : [[code, some.length]],
      ),
    ),
    waits: stack.waits.length,
    refused,
    throttled: provider.throttled,
    no_function_free: stack.crowded,
    paid_twice: twice.filter((question) => !question.includes(' understand ')).length,
    understood_again: twice.filter((question) => question.includes(' understand ')).length,
  };
  const away_minutes = (backAt - awayAt) / MINUTE_MS;
  const worst = Math.max(calls.first, calls.after) / calls.full;
  return {
    ...figures,
    breaches: [
      ...Object.entries(figures.failed).map(([code, times]) => `${times} runs failed: ${code}`),
      ...(figures.drained_minutes > bounds.drained_by_away * away_minutes + bounds.more_minutes
        ? ['the backlog does not drain in time']
        : []),
      ...(figures.p99_back_minutes > bounds.p99_back_by_away * away_minutes + bounds.more_minutes
        ? ['p99 is not back in time']
        : []),
      ...(worst > bounds.calls_by_full ? [`a storm: ${tenth(worst)} times what the provider answers`] : []),
      ...(calls.away > bounds.away_by_base * calls.base
        ? [`${calls.away} calls in a minute while the provider is away`]
        : []),
      ...(figures.paid_twice > 0 ? [`${figures.paid_twice} answers are paid twice`] : []),
      ...(paid === BigInt(answered) ? [] : [`${answered} answers came, the costs are those of ${paid}`]),
    ],
  };
}
