// The field that a misspelled name probably means.
import { distance } from 'fastest-levenshtein';
import { nameOfPath, recordAttributes } from '#contract/conditions.ts';

/**
 * The name that needs the fewest edits, as a whole or in its last part, if they are few; else the shortest one that
 * contains all words of the path.
 */
export function nearestField(path: string, known: string[]): string | undefined {
  const asked = path.toLowerCase();
  const names = [...known.map(nameOfPath), ...recordAttributes];
  const ranked = names
    .map((name) => ({ name, edits: editsTo(asked, name.toLowerCase()) }))
    .toSorted((left, right) => left.edits - right.edits);
  const [best] = ranked;
  if (best && best.edits <= Math.max(1, asked.length / 3)) return best.name;
  const words = wordsIn(asked);
  return names
    .filter((name) => words.every((word) => wordsIn(name.toLowerCase()).includes(word)))
    .toSorted((left, right) => left.length - right.length)[0];
}

function editsTo(asked: string, name: string): number {
  const whole = distance(asked, name);
  const last = name.slice(name.lastIndexOf('.') + 1);
  return last === name ? whole : Math.min(whole, distance(asked, last) + 0.5);
}

const wordsIn = (name: string) => name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
