// The primary key of a table in its template.
import { listAt, objectAt, stringAt } from '../json-values.ts';
import type { Resource } from '../template/template.ts';

/** The attributes of a table's primary key. */
export function keyNamesOf({ id, properties }: Resource): string[] {
  return listAt(properties.KeySchema, id).map((key) => stringAt(objectAt(key, id).AttributeName, id));
}
