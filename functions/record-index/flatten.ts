// A record's fields as paths: what conditions, sorts and groups can name.
import { valuesByPath } from '#contract/field-paths.ts';
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

/** The paths of the fields with their cells; null is absent. Paths that no condition can name are omitted. */
export function flatten(fields: JsonObject): Map<string, Cell> {
  const cells = new Map<string, Cell>();
  for (const [path, { value }] of valuesByPath(fields)) {
    const cell = cellOf(value);
    if (cell) cells.set(path, cell);
  }
  return cells;
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
