// The values that an answer may take: fields of items, by the name that conditions use or by a property's own name,
// and what each of them is based on.
import { nameOfPath } from '#contract/conditions.ts';
import type { PathValue } from '#contract/field-paths.ts';
import { isJsonObject, type Json, type JsonObject } from '#contract/json.ts';
import type { BasisEntry } from '#contract/output.ts';
import { allowsNull, type OutputSchema, outputLimits, typeOf } from '#contract/output-schema.ts';
import { pointerTo } from '#platform/json-pointer.ts';
import type { Item } from '../step.ts';
import { ownMember, scalarFault, sizeFault } from './conform.ts';
import { withoutPrefix } from './named-paths.ts';

/** An item that an answer may refer to, and the step that it comes from. */
export interface ContextItem {
  item: Item;
  step_index: number;
  /** Its values at the paths that the schema and the answer name. */
  by_path: ReadonlyMap<string, PathValue>;
}

/** What an answer may refer to. */
export interface Context {
  /** The items that a model numbers. */
  items: ContextItem[];
  /** The items of each step that yields some, by its index. */
  steps: ReadonlyMap<number, ContextItem[]>;
  /** The run's message. */
  message: string;
}

/** A value as it stands in an item. Only this module makes one. */
export interface Found {
  from: ContextItem;
  value: Json;
  /** As conditions name it. */
  field: string;
  /** The name in `fields` under which it is; undefined for an attribute. */
  key: string | undefined;
}

/** A part of an item in which properties find their values by name. */
export interface Scope {
  from: ContextItem;
  /** The object that the part is; absent for the whole item, null where the item has no such object. */
  part?: Found | null;
}

const attributes = ['id', 'name', 'type', 'external_uri'] as const;
const times = ['created_at', 'updated_at'] as const;

/** Names that differ only in case, spaces, `_` and `-` are the same. */
const folded = (name: string): string => name.toLowerCase().replace(/[\s_-]/g, '');

/** Whether a property asks for a field or an attribute of this name. */
export const sameName = (left: string, right: string): boolean => folded(left) === folded(right);

/** The keys of the latest objects by folded name: a record may have as many fields as a schema has properties. */
const foldedKeys = new Map<JsonObject, ReadonlyMap<string, string>>();
const FOLDED_MAX = 16;

function foldedKeysOf(object: JsonObject): ReadonlyMap<string, string> {
  const known = foldedKeys.get(object);
  if (known) return known;
  const keys = new Map<string, string>();
  // The first of several keys of the same name wins; null is absent. A group's field may have the prefix of conditions.
  for (const [key, value] of Object.entries(object).toReversed())
    if (value !== null) keys.set(folded(withoutPrefix(key)), key);
  if (foldedKeys.size >= FOLDED_MAX) foldedKeys.clear();
  foldedKeys.set(object, keys);
  return keys;
}

/** The member of that name; else the first of the same name. */
function memberNamed(object: JsonObject, name: string): string | undefined {
  return (ownMember(object, name) ?? null) !== null ? name : foldedKeysOf(object).get(folded(name));
}

/** What an item has under a property's name: a field, a grouped field or a measure, else an attribute. */
export function namedAs({ from, part }: Scope, name: string): Found | undefined {
  if (part !== undefined)
    return part && isJsonObject(part.value) ? insideOf(part, part.value, name) : undefined;
  const { item } = from;
  const key = memberNamed(item.fields, name);
  if (key !== undefined) return ofField(from, key);
  if (item.kind === 'group') return undefined;
  const attribute = attributes.find((one) => sameName(one, name));
  return attribute ? ofAttribute(from, attribute) : ofPath(from, name);
}

/** What an item has under a name that conditions use, else under a property's name. */
export function fieldNamed(from: ContextItem, field: string): Found | undefined {
  if (from.item.kind === 'group') return namedAs({ from }, field);
  const attribute = [...attributes, ...times].find((name) => name === field);
  const exact = attribute ? ofAttribute(from, attribute) : ofPath(from, withoutPrefix(field));
  return exact ?? namedAs({ from }, field);
}

function ofAttribute(
  from: ContextItem,
  name: (typeof attributes)[number] | (typeof times)[number],
): Found | undefined {
  const value = from.item[name];
  return value === undefined ? undefined : { from, value, field: name, key: undefined };
}

function ofField(from: ContextItem, key: string): Found | undefined {
  const value = ownMember(from.item.fields, key);
  if (value === undefined || value === null) return undefined;
  return { from, value, field: from.item.kind === 'group' ? key : nameOfPath(key), key };
}

/** The value at a path (rules.md: records 2), for a name that the item was read for. */
function ofPath(from: ContextItem, path: string): Found | undefined {
  const { value = null, key } = from.by_path.get(path) ?? {};
  if (value === null || key === undefined) return ofField(from, path);
  return { from, value, field: nameOfPath(path), key };
}

function insideOf(outer: Found, object: JsonObject, name: string): Found | undefined {
  const key = memberNamed(object, name);
  const value = key === undefined ? undefined : ownMember(object, key);
  if (value === undefined || value === null) return undefined;
  return { ...outer, value, field: `${outer.field}.${key}` };
}

/** What a value of an item is based on (rules.md: output 3). */
function basisOf({ from, field, key }: Found): Omit<BasisEntry, 'path'> {
  const { item, step_index } = from;
  const isRecord = item.kind === 'entity' || item.kind === 'external';
  const entity = isRecord ? { entity_id: item.id } : {};
  const written = item.written?.find((one) => one.field === key);
  if (written) return { kind: 'model', ...entity, field, step_index: written.step_index };
  switch (item.kind) {
    case 'entity':
    case 'external':
      return { kind: 'record', ...entity, field };
    case 'relationship':
      return { kind: 'record', field, step_index };
    case 'group':
      return { kind: 'group', field, step_index };
    default:
      // Notes, artifacts and rows of tables are what runs wrote.
      return { kind: 'model', field, step_index };
  }
}

/** A part of the data, with the basis of its leaves; pointers start at the part. */
export interface Extracted {
  json: Json;
  basis: BasisEntry[];
}

/** The value in the schema's type; undefined if it is not of that type. */
export function extract(schema: OutputSchema, found: Found): Extracted | undefined {
  const { value } = found;
  if (value === null) return undefined;
  if (Array.isArray(value)) return extractList(schema, found, value);
  if (typeof value === 'object') return extractObject(schema, found);
  if (scalarFault(schema, value) !== undefined) return undefined;
  return { json: value, basis: [{ path: '', ...basisOf(found) }] };
}

function extractList(schema: OutputSchema, found: Found, list: Json[]): Extracted | undefined {
  const { items } = schema;
  const isTooLong = list.length > outputLimits.elements_max || sizeFault(schema, list.length) !== undefined;
  if (typeOf(schema) !== 'array' || !items || isTooLong) return undefined;
  const json: Json[] = [];
  const basis: BasisEntry[] = [];
  for (const [i, value] of list.entries()) {
    // No name leads to an element: all of them are the list's.
    const element = value === null && allowsNull(items) ? nothing : extract(items, { ...found, value });
    if (!element) return undefined;
    json.push(element.json);
    basis.push(...below(i, element.basis, found.field));
  }
  return { json, basis };
}

const nothing: Extracted = { json: null, basis: [] };

function below(key: string | number, basis: BasisEntry[], field?: string): BasisEntry[] {
  const start = pointerTo('', key);
  return basis.map((entry) => ({
    ...entry,
    path: start + entry.path,
    ...(field !== undefined && { field }),
  }));
}

function extractObject(schema: OutputSchema, found: Found): Extracted | undefined {
  if (typeOf(schema) !== 'object') return undefined;
  const members: [string, Json][] = [];
  const basis: BasisEntry[] = [];
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    const value = namedAs({ from: found.from, part: found }, name);
    const member = (value && extract(inner, value)) ?? (allowsNull(inner) ? nothing : undefined);
    if (member) {
      members.push([name, member.json]);
      basis.push(...below(name, member.basis));
    } else if (schema.required?.includes(name)) return undefined;
  }
  return { json: Object.fromEntries(members), basis };
}
