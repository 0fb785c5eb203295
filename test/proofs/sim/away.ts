// Models that go away and come back in a history, and whether each call of one that is away was allowed (rules.md:
// models 19, models 20).
import { limits } from '#contract/limits.ts';
import { EndpointState } from '#store/models/endpoint-state.ts';
import { keys } from '#store/table/table-keys.ts';
import { livingProcess } from '../../support/faults.ts';
import type { MemoryTable } from '../../support/memory-table/memory-table.ts';
import type { Random } from '../../support/random.ts';
import { type Manner, manners } from '../money/outages.ts';
import type { Scheduler } from './scheduler.ts';

const UP_MS = 90_000;
const AWAY_MS = 180_000;
/** What a process knows of a model is a second old at most, and a call takes a moment to begin. */
const KNOWN_MS = 1500;

/** Lets an endpoint go away and come back, for as long as the world has time. */
export async function comesAndGoes(
  { scheduler, chance, away }: { scheduler: Scheduler; chance: Random; away: Map<string, Manner> },
  name: string,
): Promise<void> {
  for (;;) {
    await scheduler.sleep(chance.below(UP_MS));
    away.set(name, chance.pick(manners));
    await scheduler.sleep(chance.below(AWAY_MS));
    away.delete(name);
  }
}

/** What endpoints asked for with a failure. */
interface Wish {
  at: number;
  ms: number;
}

export interface Gatekeeper {
  /** A call of the endpoint begins; the result is called when it is over. */
  begins(name: string): () => void;
  /** The endpoint has asked for a wait. */
  asks(name: string, ms: number): void;
}

/** Watches the calls of endpoints; `breach` gets what was not allowed. */
export function watchCalls(table: () => MemoryTable, breach: (what: string) => void): Gatekeeper {
  const wishes = new Map<string, Wish>();
  /** The probes under way, by whether their process lives. */
  const probes = new Map<string, Set<() => boolean>>();
  const stateOf = (name: string) =>
    EndpointState.optional().parse(Object(table().perform('GetCommand', { Key: keys.endpoint(name) })).Item);

  function judge(name: string, { went_at, until, probe }: EndpointState, others: Set<() => boolean>): void {
    const now = Date.now();
    const wish = wishes.get(name);
    if (wish && wish.at <= went_at && now < wish.at + Math.min(wish.ms, limits.model_away_asked_max_ms))
      breach('a model is called before the time that it asked for');
    if (now < until) breach('a model is called while it is away');
    else if (!probe || probe.until < now) breach('a model that was away is tried without a claim');
    if ([...others].some((isAlive) => isAlive())) breach('two calls at once try a model that was away');
  }

  return {
    begins(name) {
      const state = stateOf(name);
      if (!state || state.times === 0 || Date.now() < state.went_at + KNOWN_MS) return () => undefined;
      const others = probes.get(name) ?? new Set();
      judge(name, state, others);
      const isAlive = livingProcess();
      probes.set(name, others.add(isAlive));
      return () => void others.delete(isAlive);
    },
    asks: (name, ms) => void wishes.set(name, { at: Date.now(), ms }),
  };
}
