// A record's fields as paths: what conditions, sorts and groups can name.
import { isJsonObject, type Json, type JsonObject, memberOf } from '#contract/json.ts';

/** A value at a path: a scalar, the distinct scalars of a list, or an object, of which only the members count. */
export type Cell =
  | { kind: 'scalar'; value: string | number | boolean }
  | { kind: 'list'; elements: (string | number | boolean)[] }
  | { kind: 'object'; empty: boolean };

/** The scalars of a cell. */
export function valuesOf(cell: Cell): (string | number | boolean)[] {
  if (cell.kind === 'scalar') return [cell.value];
  return cell.kind === 'list' ? cell.elements : [];
}

/** Paths that no condition can name are omitted. */
const PATH_MAX_CHARACTERS = 200;

/**
 * The paths of the fields with their cells. A key with a dot in it wins over a path of the same spelling; null is
 * absent.
 */
export function flatten(fields: JsonObject): Map<string, Cell> {
  const cells = new Map<string, Cell | null>();
  enter(fields, '', cells);
  const present = new Map<string, Cell>();
  for (const [path, cell] of cells) if (cell) present.set(path, cell);
  return present;
}

function enter(object: JsonObject, prefix: string, cells: Map<string, Cell | null>): void {
  // The longest key first: the first of several spellings of a path wins.
  const keys = Object.keys(object).toSorted((left, right) => right.length - left.length);
  for (const key of keys) {
    const path = prefix + key;
    if (path === '' || path.length > PATH_MAX_CHARACTERS * 2 || [...path].length > PATH_MAX_CHARACTERS)
      continue;
    const value = object[key];
    if (value === undefined) continue;
    if (!cells.has(path)) cells.set(path, cellOf(value));
    if (isJsonObject(value)) enter(value, `${path}.`, cells);
  }
}

function cellOf(value: Json): Cell | null {
  if (value === null) return null;
  if (Array.isArray(value)) return { kind: 'list', elements: [...new Set(value.filter(isScalar))] };
  if (isJsonObject(value)) return { kind: 'object', empty: Object.keys(value).length === 0 };
  return { kind: 'scalar', value };
}

function isScalar(value: Json): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** The fields in the stored body of a record. */
export function storedFields(body: unknown): JsonObject {
  const fields = memberOf(JSON.parse(String(body)), 'fields');
  if (!isJsonObject(fields)) throw new Error('malformed body of a record');
  return fields;
}
