// The value of a field of an item, by the name that conditions use.
import { readField } from '#contract/conditions.ts';
import type { Json, JsonObject } from '#contract/json.ts';
import type { Item } from './step.ts';

/** An attribute of the record or a value in its fields; undefined when absent. The name is not among them. */
export function fieldOf(item: Item, field: string): Json | undefined {
  const named = readField(field);
  return 'path' in named ? valueAt(item.fields, named.path) : attributeOf(item, named.attribute);
}

function attributeOf(
  { id, type, external_uri, external_id, source, created_at, updated_at }: Item,
  name: string,
) {
  const attributes: Record<string, string | number | undefined> = {
    ...{ id, type, external_uri, external_id, source, created_at, updated_at },
  };
  return attributes[name];
}

/** The value at a path. A key with a dot in it wins over a path of the same spelling. */
function valueAt(fields: JsonObject, path: string): Json | undefined {
  if (Object.hasOwn(fields, path)) return fields[path];
  for (let dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
    const inner = fields[path.slice(0, dot)];
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) continue;
    const value = valueAt(inner, path.slice(dot + 1));
    if (value !== undefined) return value;
  }
  return undefined;
}
