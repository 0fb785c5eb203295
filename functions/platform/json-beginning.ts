// The beginning of a value's JSON, at the cost of the beginning alone.

/** The JSON of a JSON value; of a long one its first characters, more than `atLeast`. */
export function jsonBeginning(value: unknown, atLeast: number): string {
  let text = '';
  for (const part of parts(value, atLeast)) {
    text += part;
    if (text.length > atLeast) break;
  }
  return text;
}

function* parts(value: unknown, atLeast: number): Generator<string> {
  if (typeof value === 'string') return yield JSON.stringify(value.slice(0, atLeast + 1));
  if (typeof value !== 'object' || value === null) return yield JSON.stringify(value) ?? 'undefined';
  const isList = Array.isArray(value);
  yield isList ? '[' : '{';
  let comma = '';
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue;
    yield isList ? comma : `${comma}${JSON.stringify(key.slice(0, atLeast + 1))}:`;
    yield* parts(Reflect.get(value, key), atLeast);
    comma = ',';
  }
  yield isList ? ']' : '}';
}
