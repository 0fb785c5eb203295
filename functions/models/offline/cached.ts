// What is derived from a text that many calls of a step share: their instructions, and the names of fields.

/** Longer texts are not remembered, so that a cache stays small. */
const CHARACTERS_MAX = 10_000;

/** As `make`, but remembers its results for the latest texts. */
export function cached<T>(most: number, make: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    if (known.size >= most) known.clear();
    const made = make(text);
    if (text.length <= CHARACTERS_MAX) known.set(text, made);
    return made;
  };
}
