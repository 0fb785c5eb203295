// Usage pages, and suggestions for misspelled words.
import { distance } from 'fastest-levenshtein';

/** The name that contains `word`, else the one with the fewest edits. */
function nearest(word: string, names: readonly string[]): string | undefined {
  const part = word.replace(/^-+/, '');
  const ranked = names.map((name) => ({ name, edits: name.includes(part) ? 0 : distance(word, name) }));
  return ranked.sort((a, b) => a.edits - b.edits)[0]?.name;
}

/** The message for an unknown word: `unknown flag --prot; did you mean --port?`. */
export function unknownWord(kind: string, word: string, names: readonly string[]): string {
  return `unknown ${kind} ${word}; did you mean ${nearest(word, names)}?`;
}

/** The message for an error of node's `parseArgs`; `flags` are the valid ones, without dashes. */
export function flagProblem(error: unknown, flags: readonly string[]): string {
  const message = error instanceof Error ? error.message : String(error);
  const unknown = /^Unknown option '([^']+)'/.exec(message)?.[1];
  if (unknown !== undefined)
    return unknownWord(
      'flag',
      unknown,
      flags.map((flag) => `--${flag}`),
    );
  return `${message.split(/\.?(?:\n| To specify)/)[0]}.`;
}

/** Two columns, indented by two spaces, with the second column aligned. */
export function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}\n`).join('');
}
