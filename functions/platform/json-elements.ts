// Reads a long JSON list element by element, so that it is never in memory as a whole.

/** A list within a JSON text. */
export interface OpenList {
  /** The text before the list. */
  before: string;
  /** Its objects, as text, in groups as they are read. */
  elements: AsyncGenerator<string[], void, undefined>;
}

/**
 * The list that follows the first `"name":[` of a text; undefined if there is none. Within a string these quotes would
 * be escaped, so the first one is a member of that name.
 */
export async function openList(text: AsyncIterable<Buffer>, name: string): Promise<OpenList | undefined> {
  const opening = `"${name}":[`;
  const pieces = decoded(text);
  let read = '';
  for (;;) {
    const { value, done } = await pieces.next();
    if (done) return undefined;
    read += value;
    const at = read.indexOf(opening);
    if (at < 0) continue;
    const begun = read.slice(at + opening.length);
    return { before: read.slice(0, at), elements: elementsOf(resumed(begun, pieces)) };
  }
}

async function* decoded(text: AsyncIterable<Buffer>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  for await (const piece of text) yield decoder.decode(piece, { stream: true });
}

async function* resumed(begun: string, pieces: AsyncIterable<string>): AsyncGenerator<string> {
  yield begun;
  yield* pieces;
}

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
