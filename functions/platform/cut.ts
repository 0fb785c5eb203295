// Cutting a text to a bound without breaking a character.

/** The text if it has at most `maximum` code points (at least 1), else the first of them, ending in an ellipsis. */
export function cut(text: string, maximum: number): string {
  // A code point takes at most two units, so a long text is never spread as a whole.
  if (text.length <= maximum) return text;
  const points = [...text.slice(0, 2 * maximum + 2)];
  return points.length <= maximum ? text : `${points.slice(0, maximum - 1).join('')}…`;
}
