// One thread of virtual time: calls wait for their turn, chance picks the next, and the clock advances only when none
// is ready.
import { AsyncResource } from 'node:async_hooks';
import type { Random } from '../../support/random.ts';

interface Timer {
  at: number;
  ring: () => void;
}

export interface Scheduler {
  /** Resolves when it is the caller's turn. */
  turn(): Promise<void>;
  /** Resolves after this much virtual time. */
  sleep(ms: number): Promise<void>;
  /** Runs everything that waits until `work` is done. Throws when nothing can proceed. */
  run<T>(work: () => Promise<T>): Promise<T>;
  stop(): void;
}

/** Event loop steps after which everything runnable has run. */
const QUIET_TICKS = 4;
/** Real time without progress. */
const STUCK_MS = 3000;

/** Takes over `Date.now` and the timers of this process, from `startMs` on, until it is stopped. */
export function startScheduler(chance: Random, startMs: number): Scheduler {
  const { setTimeout, clearTimeout, setInterval, clearInterval } = globalThis;
  const real = { now: Date.now, setTimeout };
  const waiting: (() => void)[] = [];
  const timers = new Set<Timer>();
  let now = startMs;

  function setVirtual(ring: () => void, ms = 0): Timer {
    // A timer belongs to the process that set it, and dies with it.
    const timer = { at: now + Math.ceil(Math.max(0, ms)), ring: AsyncResource.bind(ring) };
    timers.add(timer);
    return timer;
  }
  function setRepeated(ring: () => void, ms: number): Timer {
    const timer = setVirtual(() => {
      // The same timer, so that it can still be cleared.
      timer.at = now + ms;
      timers.add(timer);
      ring();
    }, ms);
    return timer;
  }
  const clear = (timer: Timer) => void timers.delete(timer);
  Date.now = () => now;
  Reflect.set(globalThis, 'setTimeout', setVirtual);
  Reflect.set(globalThis, 'clearTimeout', clear);
  Reflect.set(globalThis, 'setInterval', setRepeated);
  Reflect.set(globalThis, 'clearInterval', clear);

  function ringNext(): boolean {
    const next = [...timers].reduce<Timer | undefined>((a, b) => (a && a.at <= b.at ? a : b), undefined);
    if (!next) return false;
    timers.delete(next);
    now = Math.max(now, next.at);
    next.ring();
    return true;
  }

  async function quiet(): Promise<void> {
    for (let tick = 0; tick < QUIET_TICKS && waiting.length === 0; tick += 1) await tickOfLoop();
  }

  async function run<T>(work: () => Promise<T>): Promise<T> {
    let over = false;
    const result = work().finally(() => {
      over = true;
    });
    // The caller that awaits the result gets its error.
    result.catch(() => undefined);
    for (let stuckSince = real.now(); !over; ) {
      await tickOfLoop();
      await quiet();
      const [next] = waiting.length > 0 ? waiting.splice(chance.below(waiting.length), 1) : [];
      next?.();
      if (next || over || ringNext()) stuckSince = real.now();
      else if (real.now() - stuckSince > STUCK_MS) throw new Error('nothing can go on');
      else await new Promise<void>((resolve) => real.setTimeout(resolve, 1));
    }
    return result;
  }

  return {
    turn: () => new Promise((resolve) => void waiting.push(resolve)),
    sleep: (ms) => new Promise((resolve) => void setVirtual(resolve, ms)),
    run,
    stop() {
      Date.now = real.now;
      Object.assign(globalThis, { setTimeout, clearTimeout, setInterval, clearInterval });
    },
  };
}

const tickOfLoop = () => new Promise<void>((resolve) => void setImmediate(resolve));
