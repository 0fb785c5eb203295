// Reads a long JSON list element by element, so that it is never in memory as a whole.

/**
 * The objects of a JSON list, as text, in groups: one group for each piece of the text, which begins after the `[` of
 * the list. Ends at its `]`.
 */
export async function* elementsOf(text: AsyncIterable<string>): AsyncGenerator<string[], void, undefined> {
  let unread = '';
  let at = 0;
  let depth = 0;
  let inString = false;
  for await (const piece of text) {
    const found: string[] = [];
    let start = 0;
    unread += piece;
    for (; at < unread.length && depth >= 0; at += 1) {
      const sign = unread.charAt(at);
      if (inString) {
        // The sign after a backslash may be in the next piece.
        if (sign === '\\') at += 1;
        else if (sign === '"') inString = false;
      } else if (sign === '"') inString = true;
      else if (sign === '{' || sign === '[') {
        if (depth === 0) start = at;
        depth += 1;
      } else if (sign === '}' || sign === ']') {
        depth -= 1;
        if (depth !== 0) continue;
        found.push(unread.slice(start, at + 1));
        start = at + 1;
      }
    }
    yield found;
    if (depth < 0) return;
    unread = unread.slice(start);
    at -= start;
  }
}
