// Usage pages, and suggestions for misspelled words.

/** The name that contains `word`, else the one with the fewest edits. */
function nearest(word: string, names: readonly string[]): string | undefined {
  const part = word.replace(/^-+/, '');
  const ranked = names.map((name) => ({ name, edits: name.includes(part) ? 0 : editsBetween(word, name) }));
  return ranked.sort((a, b) => a.edits - b.edits)[0]?.name;
}

/** Number of letters to insert, delete or replace to turn `from` into `to` (Levenshtein). */
function editsBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...to].entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** The message for an unknown word: `unknown flag --prot; did you mean --port?`. */
function unknownWord(kind: string, word: string, names: readonly string[]): string {
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
