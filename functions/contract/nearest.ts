// The name that a misspelled one probably means.
import { distance } from 'fastest-levenshtein';

/** No name that anyone means is longer: what is sent may be a megabyte, and each pair of letters is compared. */
const COMPARED_CHARACTERS = 100;

/** The name that takes the fewest edits, if these are few; undefined: none is near. */
export function nearest(asked: string, names: readonly string[]): string | undefined {
  if (asked.length > COMPARED_CHARACTERS) return undefined;
  const most = Math.max(1, asked.length / 3);
  const [best] = names
    .filter(({ length }) => Math.abs(length - asked.length) <= most)
    .map((name) => ({ name, edits: editsTo(asked.toLowerCase(), name.toLowerCase()) }))
    .toSorted((left, right) => left.edits - right.edits);
  return best && best.edits <= most ? best.name : undefined;
}

/** Two letters in the wrong order are one mistake. */
function editsTo(asked: string, name: string): number {
  const at = [...asked].findIndex((_, i) => asked[i] !== name[i]);
  const [one = '', other = ''] = asked.slice(at);
  const swapped = asked.slice(0, at) + other + one + asked.slice(at + 2);
  return swapped === name ? 1 : distance(asked, name);
}
