// Items with only some of their fields, by the names that conditions use.
import { readField } from '#contract/conditions.ts';
import { prefixesOf, valuesByPath } from '#contract/field-paths.ts';
import type { Json } from '#contract/json.ts';
import type { Item } from './step.ts';

/**
 * Makes the item with only these fields, in this order; an empty list keeps all. A field is an attribute of the record,
 * without its name, or a value in its fields; an absent one is left out.
 */
export function projection(fields: string[]): (item: Item) => Item {
  if (fields.length === 0) return (item) => item;
  const named = fields.map((field) => ({ field, ...readField(field) }));
  const prefixes = prefixesOf(named.flatMap((one) => ('path' in one ? [one.path] : [])));
  return (item) => {
    const values = valuesByPath(item.fields, prefixes);
    const attributes = attributesOf(item);
    const chosen = named.flatMap((one): [string, Json][] => {
      const value = 'path' in one ? values.get(one.path)?.value : attributes.get(one.attribute);
      return value === undefined ? [] : [[one.field, value]];
    });
    return { ...item, fields: Object.fromEntries(chosen) };
  };
}

function attributesOf({ id, type, external_uri, external_id, source, created_at, updated_at }: Item) {
  return new Map<string, string | number | undefined>(
    Object.entries({ id, type, external_uri, external_id, source, created_at, updated_at }),
  );
}
