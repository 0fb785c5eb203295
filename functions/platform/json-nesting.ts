// How deep a JSON text nests, known before it is parsed: parsing half a million brackets takes a second.

/** How many arrays and objects nest in a JSON text; undefined if its brackets do not match, so that it is no JSON. */
export function nestingOf(text: string): number | undefined {
  const open: number[] = [];
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i += 1) {
    const c = text.charCodeAt(i);
    if (inString) {
      if (c === 0x5c) i += 1;
      else if (c === 0x22) inString = false;
    } else if (c === 0x22) inString = true;
    else if (c === 0x5b || c === 0x7b) {
      // Each closes with the character two after it.
      open.push(c + 2);
      if (open.length > depth) depth = open.length;
    } else if ((c === 0x5d || c === 0x7d) && open.pop() !== c) return undefined;
  }
  return open.length === 0 ? depth : undefined;
}
