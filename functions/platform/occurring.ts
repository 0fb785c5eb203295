// Which of many texts occur in another one.
import { randomInt } from 'node:crypto';

/** The base of the hashes: odd, and unknown to those who write the texts. */
const BASE = randomInt(2 ** 30) * 2 + 1;
/** Slots of the filter for each text sought: most places of the text pass by it. */
const SLOTS_PER_TEXT = 16;

/**
 * Those of the texts that occur in `text`. Passes over it once for each length that they have (Rabin and Karp), not
 * once for each of them: conditions are many, and the texts of records long.
 */
export function occurring(text: string, sought: Iterable<string>): Set<string> {
  const byLength = new Map<number, Set<string>>();
  for (const one of sought) {
    const same = byLength.get(one.length);
    if (same) same.add(one);
    else byLength.set(one.length, new Set([one]));
  }
  const found = new Set<string>();
  for (const [length, same] of byLength) if (length <= text.length) pass(text, length, same, found);
  return found;
}

function pass(text: string, length: number, sought: ReadonlySet<string>, found: Set<string>): void {
  const byHash = new Map<number, Set<string>>();
  const slots = new Uint8Array(2 ** Math.ceil(Math.log2(sought.size * SLOTS_PER_TEXT)));
  const mask = slots.length - 1;
  // The high bits depend on all characters.
  const slotOf = (hash: number) => (hash ^ (hash >>> 15)) & mask;
  for (const one of sought) {
    const hash = hashOf(one, length);
    slots[slotOf(hash)] = 1;
    const same = byHash.get(hash);
    if (same) same.add(one);
    else byHash.set(hash, new Set([one]));
  }
  let leaving = 1;
  for (let i = 1; i < length; i += 1) leaving = Math.imul(leaving, BASE);
  let hash = hashOf(text, length);
  for (let end = length; ; end += 1) {
    if (slots[slotOf(hash)] === 1) {
      const start = end - length;
      for (const one of byHash.get(hash) ?? []) if (text.startsWith(one, start)) found.add(one);
      if (found.size > 0) drop(byHash, hash, found);
      if (byHash.size === 0) return;
    }
    if (end === text.length) return;
    hash = Math.imul(hash - Math.imul(text.charCodeAt(end - length), leaving), BASE) + text.charCodeAt(end);
    hash |= 0;
  }
}

/** A text that was found is not compared again. */
function drop(byHash: Map<number, Set<string>>, hash: number, found: ReadonlySet<string>): void {
  const same = byHash.get(hash);
  if (!same) return;
  for (const one of same) if (found.has(one)) same.delete(one);
  if (same.size === 0) byHash.delete(hash);
}

function hashOf(text: string, length: number): number {
  let hash = 0;
  for (let i = 0; i < length; i += 1) hash = (Math.imul(hash, BASE) + text.charCodeAt(i)) | 0;
  return hash;
}
