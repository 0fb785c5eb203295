// Random choices that a seed repeats.

export interface Random {
  /** A whole number from 0 up to, not including, `below`. */
  below(below: number): number;
  chance(share: number): boolean;
  pick<T>(from: readonly T[]): T;
}

/** The same choices for the same seed and index, whatever was drawn for others (mulberry32). */
export function random(seed: number, index: number): Random {
  let state = (seed ^ Math.imul(index + 1, 0x9e3779b1)) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    chance: (share) => next() < share,
    pick: (from) => {
      const found = from[below(from.length)];
      if (found === undefined) throw new Error('nothing to pick from');
      return found;
    },
  };
}
