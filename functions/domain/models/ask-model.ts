// The path of every call of a model: the first endpoint that is not away, up to three tries, then the next one; what is
// away is tried by one call of the whole service (rules.md: models 4, models 19, models 20).
import { limits } from '#contract/limits.ts';
import { isSimulated } from '#contract/models.ts';
import { ModelError } from '#models/model.ts';
import { ModelsAway } from '#models/models-away.ts';
import { type Retry, withRetry } from '#models/retry.ts';
import { count } from '#platform/count-metrics.ts';
import { newNonce } from '#platform/ids.ts';
import { describe, log } from '#platform/log.ts';
import { jitter, pause } from '#platform/pause.ts';
import * as transitions from '#store/models/endpoint-state.ts';
import {
  type EndpointState,
  type Failure,
  PROBE_MS,
  usageOfWorkspace,
} from '#store/models/endpoint-state.ts';
import { changeKnown, stateOf } from './known-states.ts';

export interface Asking {
  onRetry?: ((retry: Retry) => Promise<void>) | undefined;
  signal?: AbortSignal | undefined;
  /** Called before a call of an endpoint that is not away, and once a probe has had an answer. */
  onAnswering?: (() => Promise<void>) | undefined;
  /** The caller can come again later: it waits a little for another one's probe, and is spread over time. */
  mayWait?: boolean;
}

/** `calls_before`: the failed calls that led to this one. `begins`: as in `Attempt`. */
type Call<T> = (endpoint: string, calls_before: number, begins: () => Promise<void>) => Promise<T>;

/** An answer, or why there is none. */
type Outcome<T> = { answer: T } | Away;
interface Away {
  /** When to look again, epoch ms. */
  until: number;
  /** Since when the endpoint is away, epoch ms. */
  since: number;
  /** This call has tried it. */
  isTried?: boolean;
  /** This call is the one that has found it away: it comes back first, as its next probe. */
  isFirst?: boolean;
  /** Another call finds out whether it is back. */
  isProbed?: boolean;
}

/** A run waits so long for another one's probe: ending its slice and coming again costs more. */
const PROBE_WAIT_MS = 4000;
const LOOK_MS = 1000;
/** Runs that wait for one endpoint come back spread over the time that it was away, at most this. */
const SPREAD_MAX_MS = 10 * 60_000;

/** The probes of this process, by endpoint; they never reject. */
const probes = new Map<string, Promise<unknown>>();

/**
 * The answer of the first of these endpoints that gives one. Throws ModelError for what does not pass, also of the
 * first; ModelsAway, when none may be called; and what `call` throws.
 */
export async function askModel<T>(names: readonly string[], call: Call<T>, asking: Asking): Promise<T> {
  const asked = new Asked(names, call, asking);
  const tried = new Map<string, Away>();
  for (const begun = Date.now(); ; ) {
    const others: Away[] = [];
    for (const name of names) {
      if (tried.has(name)) continue;
      const outcome = await asked.at(name);
      if ('answer' in outcome) return outcome.answer;
      if (outcome.isTried) tried.set(name, outcome);
      else others.push(outcome);
    }
    const isProbed = others.some((one) => one.isProbed);
    // The calls of one slice wait for the one of them that probes: the slice lasts as long anyway.
    const own = names.flatMap((name) => probes.get(name) ?? []);
    const mayEndSoon = isProbed && (own.length > 0 || Date.now() - begun < PROBE_WAIT_MS);
    if (!asking.mayWait || !mayEndSoon || asking.signal?.aborted) {
      const times = [...tried.values(), ...others].map((one) => wakeAt(one, asking));
      throw new ModelsAway(Math.min(...times), names[0] ?? '', asked.last);
    }
    await Promise.race([pause(jitter(LOOK_MS), asking.signal), ...own]);
  }
}

/** Throws ModelsAway while none of these endpoints may be called: the refusal of a request waits for nothing else. */
export async function requireAnswering(names: readonly string[]): Promise<void> {
  const states = await Promise.all(names.map(stateOf));
  const now = Date.now();
  const times = states.flatMap((state) => {
    const standing = usageOfWorkspace(state, now);
    return 'until' in standing ? [standing.until] : [];
  });
  if (times.length === names.length) throw new ModelsAway(Math.min(...times), names[0] ?? '');
}

/** When a caller comes again: runs that wait for one endpoint each at their own time. */
function wakeAt({ until, since, isFirst, isProbed }: Away, { mayWait }: Asking): number {
  if (isFirst || !mayWait) return until;
  const now = Date.now();
  const soonest = Math.max(now + LOOK_MS, isProbed ? 0 : until);
  return soonest + Math.round(Math.random() * Math.min(Math.max(0, now - since), SPREAD_MAX_MS));
}

/** Another call has found the endpoint away since this one began. */
class WentAway extends Error {}

/** Throws WentAway: a call may have waited for others that found it away. */
async function stillAnswers(name: string): Promise<void> {
  if (usageOfWorkspace(await stateOf(name), Date.now()).kind !== 'answers') throw new WentAway();
}

/** One call and its endpoints. */
class Asked<T> {
  /** The last failure that passes. */
  last: ModelError | undefined;
  readonly #call: Call<T>;
  readonly #asking: Asking;
  readonly #firstAwayMs: number;

  constructor(names: readonly string[], call: Call<T>, asking: Asking) {
    this.#call = call;
    this.#asking = asking;
    this.#firstAwayMs = names.every(isSimulated)
      ? limits.model_away_offline_first_ms
      : limits.model_away_first_ms;
  }

  async at(name: string): Promise<Outcome<T>> {
    const state = await stateOf(name);
    switch (usageOfWorkspace(state, Date.now()).kind) {
      case 'answers':
        return this.#tries(name);
      case 'due':
        return this.#probe(name);
      default:
        return awayOf(state);
    }
  }

  async #tries(name: string): Promise<Outcome<T>> {
    const began = Date.now();
    const { onRetry, signal } = this.#asking;
    try {
      const answer = await withRetry((attempt) => this.#try(name, attempt), { onRetry, signal });
      return { answer };
    } catch (error) {
      if (error instanceof WentAway) return { ...awayOf(await stateOf(name)), isTried: true };
      if (!isPassing(error) || signal?.aborted) throw error;
      const failure = this.#failure(error);
      const ended = await saved(name, (state) => transitions.afterTries(state, began, failure));
      return this.#after(name, ended, failure);
    }
  }

  async #try(name: string, attempt: number): Promise<T> {
    if (attempt === 1) await this.#asking.onAnswering?.();
    else await stillAnswers(name);
    return this.#ask(name, attempt - 1, () => stillAnswers(name));
  }

  /** One call of the whole service: the claim is a conditional write, and lasts while this process lives. */
  async #probe(name: string): Promise<Outcome<T>> {
    const id = newNonce();
    const { state, changed } = await changeKnown(name, (now) => transitions.claimed(now, id, Date.now()));
    if (!state || usageOfWorkspace(state, Date.now()).kind === 'answers') return this.#tries(name);
    if (!changed) return awayOf(state);
    const probe = this.#claimed(name, id, state);
    const over = probe.catch(() => undefined).finally(() => probes.delete(name));
    probes.set(name, over);
    return probe;
  }

  async #claimed(name: string, id: string, state: EndpointState): Promise<Outcome<T>> {
    const living = setInterval(
      () => void saved(name, (now) => transitions.extended(now, id, Date.now())),
      PROBE_MS / 4,
    );
    const call = this.#ask(name, failedCalls(state), async () => undefined).finally(() =>
      clearInterval(living),
    );
    const [reply] = await Promise.allSettled([call]);
    const error: unknown = reply.status === 'rejected' ? reply.reason : undefined;
    // A refusal is an answer, too.
    if (reply.status === 'fulfilled' || (error instanceof ModelError && !error.transient)) {
      await saved(name, (now) => transitions.succeeded(now, id));
      log.info('model back', { model: name, away_ms: Date.now() - state.since });
      await this.#asking.onAnswering?.();
    } else if (!isPassing(error)) await saved(name, (now) => transitions.released(now, id));
    if (reply.status === 'fulfilled') return { answer: reply.value };
    if (!isPassing(error)) throw error;
    const failure = this.#failure(error);
    const ended = await saved(name, (now) => transitions.probeFailed(now, id, failure));
    if (this.#asking.signal?.aborted) throw error;
    return this.#after(name, ended, failure);
  }

  async #ask(name: string, calls_before: number, begins: () => Promise<void>): Promise<T> {
    try {
      return await this.#call(name, calls_before, begins);
    } catch (error) {
      if (isPassing(error)) this.last = error;
      throw error;
    }
  }

  #failure({ retry_after_ms }: ModelError): Failure {
    return { now: Date.now(), awayMs: (times) => awayMs(times, this.#firstAwayMs, retry_after_ms) };
  }

  /** Away after the last try, or by another call's try, or back in between: then it is not asked again by this one. */
  #after(name: string, ended: Saved | undefined, failure: Failure): Away {
    const { state, changed } = ended ?? {};
    if (!state || state.times === 0)
      return { until: failure.now + failure.awayMs(1), since: failure.now, isTried: true };
    if (changed) {
      const { times, until } = state;
      log.warn('model away', { model: name, times, until });
      count('model_away');
    }
    return { ...awayOf(state), isTried: true, ...(changed && { isFirst: true }) };
  }
}

const isPassing = (error: unknown): error is ModelError => error instanceof ModelError && error.transient;

/** The calls that have failed since the endpoint last answered: the tries of one call, and the probes. */
const failedCalls = ({ times }: EndpointState) => limits.model_attempts + times - 1;

function awayOf(state: EndpointState | undefined): Away {
  const now = Date.now();
  const standing = usageOfWorkspace(state, now);
  const isProbed = standing.kind === 'probed';
  return { until: 'until' in standing ? standing.until : now, since: state?.since ?? now, isProbed };
}

type Saved = Awaited<ReturnType<typeof changeKnown>>;

/** A change that is no reason to lose an answer or an error: a probe that is not ended ends by its time. */
async function saved(...change: Parameters<typeof changeKnown>): Promise<Saved | undefined> {
  try {
    return await changeKnown(...change);
  } catch (error) {
    log.error('the state of a model is not saved', { model: change[0], error: describe(error) });
    return undefined;
  }
}

/** How long an endpoint is away the n-th time in a row, at least as long as it asks for (rules.md: models 19). */
export function awayMs(times: number, first_ms: number, asked_ms = 0): number {
  const longest = Math.min(first_ms * 2 ** (times - 1), limits.model_away_longest_ms);
  return Math.max(jitter(longest), Math.min(asked_ms, limits.model_away_asked_max_ms) || 0);
}
