// rules.md: models 19, models 20. Whatever callers race for an endpoint, die or come late: one probe at a time.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { awayMs } from '#domain/models/ask-model.ts';
import {
  afterTries,
  claimed,
  type EndpointState,
  extended,
  PROBE_MS,
  probeFailed,
  released,
  succeeded,
  usageOfWorkspace,
} from '#store/models/endpoint-state.ts';

/** What callers do, one after the other; conditional writes make any race one of these orders. */
type Act =
  | { does: 'wait'; ms: number }
  | { does: 'fail'; began_ms_ago: number; asked_ms: number }
  | { does: 'claim' }
  | { does: 'extend' | 'answer' | 'release'; prober: number }
  | { does: 'fail probe'; prober: number; asked_ms: number };

const prober = fc.nat(3);
const asked_ms = fc.oneof(fc.constant(0), fc.nat(20 * 60_000));
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ does: fc.constant('wait' as const), ms: fc.nat(400_000) }),
  fc.record({ does: fc.constant('fail' as const), began_ms_ago: fc.nat(60_000), asked_ms }),
  fc.record({ does: fc.constant('claim' as const) }),
  fc.record({ does: fc.constantFrom('extend' as const, 'answer' as const, 'release' as const), prober }),
  fc.record({ does: fc.constant('fail probe' as const), prober, asked_ms }),
);

interface World {
  now: number;
  state: EndpointState | undefined;
  /** Everyone who ever claimed the probe: one that is not heard of again has died. */
  probers: string[];
}

const FIRST_MS = 15_000;
const failureAt = (now: number, asked: number) => ({
  now,
  awayMs: (times: number) => awayMs(times, FIRST_MS, asked),
});

/** The prober that an act speaks of, newest first. */
const idOf = ({ probers }: World, place: number) => probers.at(-1 - place) ?? 'nobody';

function next(world: World, one: Act): EndpointState | undefined {
  const { now, state } = world;
  switch (one.does) {
    case 'wait':
      return undefined;
    case 'fail':
      return afterTries(state, now - one.began_ms_ago, failureAt(now, one.asked_ms));
    case 'claim':
      return claimed(state, `p${world.probers.length}`, now);
    case 'extend':
      return extended(state, idOf(world, one.prober), now);
    case 'answer':
      return succeeded(state, idOf(world, one.prober));
    case 'release':
      return released(state, idOf(world, one.prober));
    case 'fail probe':
      return probeFailed(state, idOf(world, one.prober), failureAt(now, one.asked_ms));
  }
}

/** Performs the acts; `check` sees each one that changed the state, with the world before it. */
function play(acts: Act[], check: (before: World, one: Act, after: EndpointState) => void): World {
  const world: World = { now: 1_800_000_000_000, state: undefined, probers: [] };
  for (const one of acts) {
    if (one.does === 'wait') world.now += one.ms;
    const after = next(world, one);
    if (!after) continue;
    check({ ...world, probers: [...world.probers] }, one, after);
    if (one.does === 'claim') world.probers.push(`p${world.probers.length}`);
    world.state = after;
  }
  return world;
}

const acts = fc.array(act, { maxLength: 60 });

test('one probe at a time, and none before its time', () => {
  fc.assert(
    fc.property(acts, (all) => {
      play(all, ({ now, state }, one) => {
        if (one.does !== 'claim') return;
        expect(state?.times).toBeGreaterThan(0);
        expect(now).toBeGreaterThanOrEqual(state?.until ?? Number.POSITIVE_INFINITY);
        expect(now).toBeGreaterThanOrEqual(state?.probe?.until ?? 0);
      });
    }),
  );
});

test('only the call that probes ends it or begins it again; one that lost its claim changes nothing', () => {
  fc.assert(
    fc.property(acts, (all) => {
      play(all, (before, one) => {
        if ('prober' in one) expect(before.state?.probe?.id).toBe(idOf(before, one.prober));
      });
    }),
  );
});

test('it is away for as long as the provider asks, at most 15 minutes, and twice as long each time in a row', () => {
  fc.assert(
    fc.property(acts, (all) => {
      play(all, ({ now, state }, one, after) => {
        if (one.does !== 'fail' && one.does !== 'fail probe') return;
        const away = after.until - now;
        const longest = Math.min(FIRST_MS * 2 ** (after.times - 1), 300_000);
        expect(after.times).toBe((state?.times ?? 0) + 1);
        expect(away).toBeGreaterThanOrEqual(Math.floor(longest / 2));
        expect(away).toBeGreaterThanOrEqual(Math.min(one.asked_ms, 900_000));
        expect(away).toBeLessThanOrEqual(Math.max(longest, Math.min(one.asked_ms, 900_000)));
      });
    }),
  );
});

test('a failure counts only of a call that began after it went away last, and while it answers', () => {
  fc.assert(
    fc.property(acts, (all) => {
      play(all, ({ now, state }, one) => {
        if (one.does !== 'fail') return;
        expect(state?.times ?? 0).toBe(0);
        expect(now - one.began_ms_ago).toBeGreaterThan(state?.went_at ?? 0);
      });
    }),
  );
});

test('whatever died at whatever point, a caller may probe in the end, and its answer ends it', () => {
  fc.assert(
    fc.property(acts, (all) => {
      const { now, state } = play(all, () => undefined);
      if (!state || state.times === 0) return;
      const later = Math.max(now, state.until, state.probe?.until ?? 0);
      expect(later - now).toBeLessThanOrEqual(15 * 60_000 + PROBE_MS);
      const probing = claimed(state, 'last', later);
      expect(usageOfWorkspace(succeeded(probing, 'last'), later)).toEqual({ kind: 'answers' });
    }),
  );
});
