// The values of a record by path: the one place that knows which value a path means (rules.md: records 2, records 15).
import { isJsonObject, type Json, type JsonObject } from './json.ts';

/** A value, and the key of the record's fields under which it is. */
export interface PathValue {
  value: Json;
  key: string;
}

/** No condition can name a longer path. */
const PATH_MAX_CHARACTERS = 200;

const isTooLong = (path: string) =>
  path.length > PATH_MAX_CHARACTERS &&
  (path.length > PATH_MAX_CHARACTERS * 2 || [...path].length > PATH_MAX_CHARACTERS);

/** The paths, and each part of one that ends at a dot. */
export function prefixesOf(paths: Iterable<string>): ReadonlySet<string> {
  const prefixes = new Set<string>();
  for (const path of paths) {
    prefixes.add(path);
    for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1))
      prefixes.add(path.slice(0, dot));
  }
  return prefixes;
}

/**
 * The values at all paths, or at these prefixes of those that are asked for. One walk over the record, however many
 * paths are: searched for one by one, a path could be split into keys in more ways than a record has characters. A key
 * with a dot in it wins over a path of the same spelling. Null is a value here.
 */
export function valuesByPath(fields: JsonObject, prefixes?: ReadonlySet<string>): Map<string, PathValue> {
  const found = new Map<string, PathValue>();
  enter(fields, '', undefined, { found, prefixes });
  return found;
}

interface Walk {
  found: Map<string, PathValue>;
  prefixes: ReadonlySet<string> | undefined;
}

function enter(object: JsonObject, start: string, top: string | undefined, walk: Walk): void {
  const { found, prefixes } = walk;
  const all = Object.keys(object);
  const keys = prefixes ? all.filter((key) => prefixes.has(start + key)) : all;
  // The longest key first: the first of several spellings of a path wins.
  for (const name of keys.toSorted((left, right) => right.length - left.length)) {
    const path = start + name;
    const value = object[name];
    if (path === '' || value === undefined || isTooLong(path)) continue;
    const key = top ?? name;
    if (!found.has(path)) found.set(path, { value, key });
    if (isJsonObject(value)) enter(value, `${path}.`, key, walk);
  }
}
