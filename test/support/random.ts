// Reproducible randomness: the same seed gives the same history.

export interface Random {
  /** An integer from 0 to below `limit`. */
  below(limit: number): number;
  /** True once in `n` times. */
  oneIn(n: number): boolean;
  pick<T>(choices: readonly T[]): T;
}

/** A generator for a seed (mulberry32). */
export function random(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  };
  const below = (limit: number) => next() % limit;
  return {
    below,
    oneIn: (n) => below(n) === 0,
    pick: (choices) => {
      const choice = choices[below(choices.length)];
      if (choice === undefined) throw new Error('nothing to pick from');
      return choice;
    },
  };
}
