// The field that a misspelled name probably means.
import { distance } from 'fastest-levenshtein';
import { nameOfPath, recordAttributes } from '#contract/conditions.ts';

/** A workspace has as many names as its records bring: a suggestion is not worth comparing all of them. */
const COMPARED_MAX = 1_000;

/** Finds the nearest of these fields and the attributes of records. */
export function nearestOf(known: string[]): (path: string) => string | undefined {
  const names = [...known.map(nameOfPath), ...recordAttributes];
  return (path) => nearestName(path.toLowerCase(), names);
}

/**
 * The name that needs the fewest edits, as a whole or in its last part, if they are few; else the shortest one that
 * contains all words of the path. Compares the first names whose length allows it.
 */
function nearestName(asked: string, names: string[]): string | undefined {
  const most = Math.max(1, asked.length / 3);
  const isNear = (length: number) => Math.abs(length - asked.length) <= most;
  const near = first(names, (name) => isNear(name.length) || isNear(name.length - name.lastIndexOf('.') - 1));
  const [best] = near
    .map((name) => ({ name, edits: editsTo(asked, name.toLowerCase()) }))
    .toSorted((left, right) => left.edits - right.edits);
  if (best && best.edits <= most) return best.name;
  const words = [...new Set(wordsIn(asked))];
  const least = words.reduce((sum, word) => sum + word.length, 0);
  return first(names, ({ length }) => length >= least)
    .filter((name) => {
      const own = new Set(wordsIn(name.toLowerCase()));
      return words.every((word) => own.has(word));
    })
    .toSorted((left, right) => left.length - right.length)[0];
}

function first(names: string[], mayBe: (name: string) => boolean): string[] {
  const found: string[] = [];
  for (const name of names) {
    if (found.length === COMPARED_MAX) break;
    if (mayBe(name)) found.push(name);
  }
  return found;
}

function editsTo(asked: string, name: string): number {
  const whole = distance(asked, name);
  const last = name.slice(name.lastIndexOf('.') + 1);
  return last === name ? whole : Math.min(whole, distance(asked, last) + 0.5);
}

const wordsIn = (name: string) => name.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word !== '');
