// Data from references: the values come from the items, never from the answer of a model (rules.md: output 3).
import type { Json, JsonObject } from '#contract/json.ts';
import { limits } from '#contract/limits.ts';
import type { RunOutput } from '#contract/output.ts';
import { allowsNull, type OutputSchema, outputLimits, typeOf } from '#contract/output-schema.ts';
import type { References } from '#models/tasks/reconstitute-data-task.ts';
import { cut } from '#platform/cut.ts';
import { pointerTo } from '#platform/json-pointer.ts';
import {
  absent,
  type Budget,
  type Built,
  below,
  bytesOf,
  fitsBudget,
  joined,
  type Missing,
  valueOrMissing,
  whole,
} from './built.ts';
import { type OutputIssue, outputFaults, sizeFault } from './conform.ts';
import { explicitAt, type Filling, type Spot } from './explicit.ts';
import { type Context, namedAs, type Scope } from './read-field.ts';
import { readReferences } from './read-references.ts';

/** Data that conform, or what is wrong with them; and what the caller must be warned of. */
export interface FilledIn extends Pick<Built, 'left_out' | 'truncated'> {
  output: RunOutput;
  issues: OutputIssue[];
}

/** The data that the references make of the items, as far as they go. */
export function fillIn(schema: OutputSchema, references: References, hand: Context): FilledIn {
  const reading = readReferences(schema, references, hand);
  const issues = [...reading.issues];
  const { json, basis, left_out, truncated, missing } = root({ reading, hand, issues }, schema);
  issues.push(...missing, ...(missing.length > 0 ? [] : outputFaults(schema, json)));
  return {
    output: { data: json, basis },
    issues: firstOf(issues),
    left_out: firstOf(left_out),
    truncated: firstOf(truncated),
  };
}

/** The first entries; a name of a property may be as long as its schema. */
function firstOf<T extends { path: string }>(entries: T[]): T[] {
  return entries
    .slice(0, outputLimits.issues_max)
    .map((entry) => ({ ...entry, path: cut(entry.path, limits.issue_path_max_characters) }));
}

function build(filling: Filling, spot: Spot, room?: Budget): Built | Missing {
  const explicit = explicitAt(filling, spot);
  if (explicit) return explicit;
  switch (typeOf(spot.schema)) {
    case 'array':
      return list(filling, spot, room);
    case 'object':
      return object(filling, spot);
    default:
      return byName(spot);
  }
}

function byName({ schema, name, scope }: Spot): Built | Missing {
  return valueOrMissing(schema, scope && namedAs(scope, name));
}

/** An object that the item lacks may still have columns and values. */
function object(filling: Filling, spot: Spot): Built | Missing {
  const { scope } = spot;
  const part = (scope && namedAs(scope, spot.name)) ?? null;
  const members = membersOf(filling, { ...spot, scope: scope && { from: scope.from, part } });
  const hasList = [...filling.reading.lists.keys()].some((path) => path.startsWith(`${spot.at}/`));
  return 'missing' in members || members.basis.length > 0 || part || hasList ? members : absent();
}

function membersOf(filling: Filling, { schema, at, pattern, scope }: Omit<Spot, 'name'>): Built | Missing {
  const members: [string, Json][] = [];
  const parts: Built[] = [];
  const left_out: Built['left_out'] = [];
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    const spot = {
      schema: inner,
      at: pointerTo(at, name),
      pattern: pointerTo(pattern, name),
      name,
      scope,
    };
    const built = build(filling, spot);
    const member = 'missing' in built ? withoutValue(inner, schema.required?.includes(name) === true) : built;
    if (member !== undefined) left_out.push(...emptied(name, built));
    if (member === 'left out') continue;
    if (member === undefined) return missingIn(name, built);
    members.push([name, member.json]);
    parts.push(below(name, member));
  }
  const whole = joined(Object.fromEntries(members), parts);
  return { ...whole, left_out: [...whole.left_out, ...left_out] };
}

/** The elements that a list could have had, when it is empty, null or absent in their place (rules.md: output 9). */
function emptied(name: string, built: Built | Missing): Built['left_out'] {
  const left_out = 'missing' in built ? (built.left_out ?? 0) : 0;
  return left_out > 0 ? [{ path: pointerTo('', name), left_out }] : [];
}

function list(filling: Filling, spot: Spot, room?: Budget): Built | Missing {
  const { reading } = filling;
  const { schema, at } = spot;
  const named = reading.lists.get(at);
  const length = Math.max(named?.length ?? 0, reading.lengths.get(at) ?? 0);
  if (!named && length === 0) return byName(spot);
  const { items } = schema;
  if (!items) return absent();
  const most = Math.min(schema.maxItems ?? outputLimits.elements_max, outputLimits.elements_max);
  const elements: Json[] = [];
  const parts: Built[] = [];
  let left = 0;
  let next = 0;
  for (; next < length && elements.length < most; next += 1) {
    const from = named?.[next];
    const element = elementAt(filling, spot, items, next, from && { from });
    if ('missing' in element) left += 1;
    else {
      if (room && !fitsBudget(room, element)) break;
      parts.push(below(elements.length, element));
      elements.push(element.json);
    }
  }
  const size = sizeFault(schema, elements.length);
  if (size !== undefined) return { missing: { path: '', message: size }, left_out: length };
  const built = joined(elements, parts);
  const isCut = next < length && elements.length < (schema.maxItems ?? Number.POSITIVE_INFINITY);
  return {
    ...built,
    left_out: [...(left > 0 ? [{ path: '', left_out: left }] : []), ...built.left_out],
    truncated: [
      ...(isCut ? [{ path: '', matched: length, returned: elements.length }] : []),
      ...built.truncated,
    ],
  };
}

function elementAt(
  filling: Filling,
  { name, ...list }: Spot,
  schema: OutputSchema,
  i: number,
  scope: Scope | undefined,
): Built | Missing {
  const spot = { schema, at: pointerTo(list.at, i), pattern: pointerTo(list.pattern, '*'), name, scope };
  if (typeOf(schema) !== 'object') return build(filling, spot);
  return explicitAt(filling, spot) ?? membersOf(filling, spot);
}

/** The root: its arrays come last, because they take the room that the rest leaves. */
function root(filling: Filling, schema: OutputSchema) {
  const missing: OutputIssue[] = [];
  const left_out: Built['left_out'] = [];
  const built = new Map<string, Built>();
  const properties = Object.entries(schema.properties ?? {});
  const room: Budget = {
    data: outputLimits.data_max_bytes - bytesOf({}),
    basis: outputLimits.basis_max_bytes,
  };
  const isArray = ([, inner]: [string, OutputSchema]) => typeOf(inner) === 'array';
  for (const [name, inner] of [...properties.filter((one) => !isArray(one)), ...properties.filter(isArray)]) {
    const at = pointerTo('', name);
    room.data -= bytesOf(name) + ':,'.length + (typeOf(inner) === 'array' ? bytesOf([]) : 0);
    const found = build(filling, { schema: inner, at, pattern: at, name, scope: undefined }, room);
    const required = schema.required?.includes(name) === true;
    const value = 'missing' in found ? withoutValue(inner, required) : found;
    if (value !== undefined) left_out.push(...emptied(name, found));
    if (value === 'left out') continue;
    if (value === undefined) missing.push(missingIn(name, found).missing);
    else {
      // The elements of a list have taken their room one by one.
      const isTaken = typeOf(inner) === 'array' && !filling.reading.values.has(at);
      if (!isTaken && !fitsBudget(room, value)) room.data = -1;
      built.set(name, value);
    }
  }
  if (room.data < 0)
    missing.push({ path: '', message: `is too large: at most ${outputLimits.data_max_bytes} bytes` });
  const present = properties.flatMap(([name]) => {
    const value = built.get(name);
    return value ? [[name, value] as const] : [];
  });
  const json: JsonObject = Object.fromEntries(present.map(([name, value]) => [name, value.json]));
  const parts = present.map(([name, value]) => below(name, value));
  const whole = joined(json, parts);
  return { ...whole, left_out: [...whole.left_out, ...left_out], json, missing };
}

/** What stands where a value is missing: null or an empty list where the schema allows it. */
function withoutValue(schema: OutputSchema, required: boolean): Built | 'left out' | undefined {
  if (allowsNull(schema)) return whole({ json: null, basis: [] });
  if (!required) return 'left out';
  return typeOf(schema) === 'array' && !schema.minItems ? whole({ json: [], basis: [] }) : undefined;
}

function missingIn(name: string, found: Built | Missing): Missing {
  if (!('missing' in found)) return absent(pointerTo('', name));
  const { path, message } = found.missing;
  return { missing: { path: pointerTo('', name) + path, message } };
}
