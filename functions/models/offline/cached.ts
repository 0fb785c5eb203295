// What is derived from a text that many calls of a step share: their instructions, and the names of fields.

/** As `make`, but remembers its results for the latest texts. Longer ones are not remembered: a cache stays small. */
export function cached<T>(
  most: number,
  make: (text: string) => T,
  characters_max = 10_000,
): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    if (known.size >= most) known.clear();
    const made = make(text);
    if (text.length <= characters_max) known.set(text, made);
    return made;
  };
}
