// As many requests of an endpoint at once as it takes: waiting for one is no part of its time (rules.md: models 8).
import { ModelError } from '#models/model.ts';

/** Does work in one of the slots, in order; rejects with the reason of the signal if that fires before there is one. */
export type Slots = <T>(work: () => Promise<T>, signal: AbortSignal | undefined) => Promise<T>;

/** How many requests may be under way. Requests are numbered in the order in which they begin. */
export interface Allowance {
  readonly most: number;
  allowed: number;
  /** Requests up to this one began before it was last lowered. */
  lowered_at: number;
  /** Answers since it last changed. */
  answers: number;
}

/** After a 429: half as many, once for all that were under way together. `begun`: how many requests have begun. */
export function lowered(state: Allowance, request: number, begun: number): Allowance {
  if (request <= state.lowered_at) return state;
  return { ...state, allowed: Math.max(1, Math.floor(state.allowed / 2)), lowered_at: begun, answers: 0 };
}

/** So many answers show that one more may be tried: fewer would meet the limit of a small endpoint all the time. */
const ANSWERS_A_RAISE = 10;

/** After an answer: one more, when enough have come. */
export function raised(state: Allowance): Allowance {
  const answers = state.answers + 1;
  if (state.allowed === state.most || answers < ANSWERS_A_RAISE) return { ...state, answers };
  return { ...state, allowed: state.allowed + 1, answers: 0 };
}

/** Slots of one process: `most` of them, fewer after a 429, more again after answers. */
export function createSlots(most: number): Slots {
  let allowance: Allowance = { most, allowed: most, lowered_at: 0, answers: 0 };
  let running = 0;
  let begun = 0;
  const waiting = new Set<() => void>();
  function admit(): void {
    for (const next of waiting) {
      if (running >= allowance.allowed) return;
      waiting.delete(next);
      running += 1;
      next();
    }
  }
  async function take(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const abort = () => {
      waiting.delete(resolve);
      reject(signal?.reason);
    };
    waiting.add(resolve);
    signal?.addEventListener('abort', abort);
    admit();
    await promise.finally(() => signal?.removeEventListener('abort', abort));
  }
  return async (work, signal) => {
    await take(signal);
    begun += 1;
    const request = begun;
    try {
      const answer = await work();
      allowance = raised(allowance);
      return answer;
    } catch (error) {
      if (isThrottled(error)) allowance = lowered(allowance, request, begun);
      throw error;
    } finally {
      running -= 1;
      admit();
    }
  };
}

const isThrottled = (error: unknown): boolean =>
  error instanceof ModelError && error.fault.provider?.status_code === 429;
