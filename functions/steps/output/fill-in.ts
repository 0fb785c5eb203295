// Data from references: the values come from the items, never from the answer of a model (rules.md: output 3).
import type { Json, JsonObject } from '#contract/json.ts';
import { limits } from '#contract/limits.ts';
import type { BasisEntry, RunOutput } from '#contract/output.ts';
import { allowsNull, type OutputSchema, outputLimits, typeOf } from '#contract/output-schema.ts';
import type { References } from '#models/tasks/reconstitute-data.ts';
import { cut } from '#platform/cut.ts';
import { pointerTo } from '#platform/json-pointer.ts';
import { type OutputIssue, outputFaults, scalarFault, sizeFault } from './conform.ts';
import { fieldNamed, type Hand, namedAs, type Scope, type Taken, taken } from './read-field.ts';
import { type Reading, readReferences } from './read-references.ts';

/** Data that conform, or what is wrong with them; and what the caller must be warned of. */
export interface FilledIn {
  output: RunOutput;
  issues: OutputIssue[];
  left_out: { path: string; left_out: number }[];
  truncated: { path: string; matched: number; returned: number }[];
}

type Built = Taken & Pick<FilledIn, 'left_out' | 'truncated'>;
/** Why a place has no value, and which one. */
type Missing = { missing: OutputIssue };

interface Spot {
  schema: OutputSchema;
  /** As references name it. */
  at: string;
  /** The same with `*` for each index. */
  pattern: string;
  /** The property that the place is, or is in. */
  name: string;
  scope: Scope | undefined;
}

/** What the elements of the root's arrays may still take. */
interface Room {
  data: number;
  basis: number;
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
const absent = (path = ''): Missing => ({
  missing: { path, message: 'is required, and nothing at hand has it' },
});
const whole = (part: Taken): Built => ({ ...part, left_out: [], truncated: [] });

/** The data that the references make of the items, as far as they go. */
export function fillIn(schema: OutputSchema, references: References, hand: Hand): FilledIn {
  const reading = readReferences(schema, references, hand);
  const issues = [...reading.issues];
  const builder = createBuilder(reading, hand, issues);
  const root = builder.root(schema);
  const { json, basis, left_out, truncated } = root;
  issues.push(...root.missing, ...(root.missing.length > 0 ? [] : outputFaults(schema, json)));
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

function createBuilder(reading: Reading, hand: Hand, issues: OutputIssue[]) {
  function issue(path: string, message: string): Missing {
    issues.push({ path, message });
    return absent();
  }

  function build(spot: Spot, room?: Room): Built | Missing {
    const explicit = explicitAt(spot);
    if (explicit) return explicit;
    switch (typeOf(spot.schema)) {
      case 'array':
        return list(spot, room);
      case 'object':
        return object(spot);
      default:
        return byName(spot);
    }
  }

  /** What the answer says of this very place, or of its column. */
  function explicitAt({ schema, at, pattern, name, scope }: Spot): Built | Missing | undefined {
    const value = reading.values.get(at);
    if (!value) {
      const column = reading.columns.get(pattern);
      return scope && column !== undefined ? takenOr(schema, fieldNamed(scope.from, column)) : undefined;
    }
    switch (value.from) {
      case 'item': {
        const from = value.item === null ? scope?.from : hand.items[value.item];
        if (!from) return issue(at, 'refers to an item, but to none that exists');
        const named = value.field === null ? namedAs({ from }, name) : fieldNamed(from, value.field);
        return takenOr(schema, named);
      }
      case 'count': {
        const { step_index } = value;
        const count = step_index === null ? 0 : hand.steps.get(step_index)?.length;
        if (count === undefined) return issue(at, `counts step ${step_index}, which yields no items`);
        const step = step_index === null ? {} : { step_index };
        return written(schema, at, count, { kind: 'count', ...step });
      }
      case 'message':
        return written(schema, at, hand.message, { kind: 'model' });
      case 'text':
        return written(schema, at, value.text ?? '', { kind: 'model' });
    }
  }

  function written(
    schema: OutputSchema,
    at: string,
    json: string | number,
    basis: Omit<BasisEntry, 'path'>,
  ): Built | Missing {
    const fault = scalarFault(schema, json);
    if (fault !== undefined) return issue(at, fault);
    return whole({ json, basis: [{ path: '', ...basis }] });
  }

  function byName({ schema, name, scope }: Spot): Built | Missing {
    return takenOr(schema, scope && namedAs(scope, name));
  }

  /** An object that the item lacks may still have columns and values. */
  function object(spot: Spot): Built | Missing {
    const { scope } = spot;
    const part = (scope && namedAs(scope, spot.name)) ?? null;
    const members = membersOf({ ...spot, scope: scope && { from: scope.from, part } });
    return 'missing' in members || members.basis.length > 0 || part ? members : absent();
  }

  function membersOf({ schema, at, pattern, scope }: Omit<Spot, 'name'>): Built | Missing {
    const members: [string, Json][] = [];
    const parts: Built[] = [];
    for (const [name, inner] of Object.entries(schema.properties ?? {})) {
      const spot = {
        schema: inner,
        at: pointerTo(at, name),
        pattern: pointerTo(pattern, name),
        name,
        scope,
      };
      const built = build(spot);
      const member =
        'missing' in built ? withoutValue(inner, schema.required?.includes(name) === true) : built;
      if (member === 'left out') continue;
      if (member === undefined) return missingIn(name, built);
      members.push([name, member.json]);
      parts.push(below(name, member));
    }
    return joined(Object.fromEntries(members), parts);
  }

  function list(spot: Spot, room?: Room): Built | Missing {
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
      const element = elementAt(spot, items, next, from && { from });
      if ('missing' in element) left += 1;
      else {
        if (room && !takesRoom(room, element)) break;
        parts.push(below(elements.length, element));
        elements.push(element.json);
      }
    }
    const size = sizeFault(schema, elements.length);
    if (size !== undefined) return { missing: { path: '', message: size } };
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

  function elementAt(spot: Spot, schema: OutputSchema, i: number, scope: Scope | undefined): Built | Missing {
    const at = pointerTo(spot.at, i);
    const pattern = pointerTo(spot.pattern, '*');
    if (typeOf(schema) !== 'object') return build({ schema, at, pattern, name: spot.name, scope });
    return (
      explicitAt({ schema, at, pattern, name: spot.name, scope }) ?? membersOf({ schema, at, pattern, scope })
    );
  }

  /** The root: its arrays come last, because they take the room that the rest leaves. */
  function root(schema: OutputSchema) {
    const missing: OutputIssue[] = [];
    const built = new Map<string, Built>();
    const properties = Object.entries(schema.properties ?? {});
    const room: Room = {
      data: outputLimits.data_max_bytes - bytesOf({}),
      basis: outputLimits.basis_max_bytes,
    };
    const isArray = ([, inner]: [string, OutputSchema]) => typeOf(inner) === 'array';
    for (const [name, inner] of [
      ...properties.filter((one) => !isArray(one)),
      ...properties.filter(isArray),
    ]) {
      const at = pointerTo('', name);
      room.data -= bytesOf(name) + ':,'.length + (typeOf(inner) === 'array' ? bytesOf([]) : 0);
      const found = build({ schema: inner, at, pattern: at, name, scope: undefined }, room);
      const required = schema.required?.includes(name) === true;
      const value = 'missing' in found ? withoutValue(inner, required) : found;
      if (value === 'left out') continue;
      if (value === undefined) missing.push(missingIn(name, found).missing);
      else {
        // The elements of a list have taken their room one by one.
        const isTaken = typeOf(inner) === 'array' && !reading.values.has(at);
        if (!isTaken && !takesRoom(room, value)) room.data = -1;
        built.set(name, value);
      }
    }
    if (room.data < 0)
      missing.push({ path: '', message: `is too large: at most ${outputLimits.data_max_bytes} bytes` });
    const present = properties.flatMap(([name]) => {
      const value = built.get(name);
      return value ? [{ name, value }] : [];
    });
    const json: JsonObject = Object.fromEntries(present.map(({ name, value }) => [name, value.json]));
    return {
      ...joined(
        json,
        present.map(({ name, value }) => below(name, value)),
      ),
      json,
      missing,
    };
  }

  return { root };
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

function takenOr(schema: OutputSchema, found: ReturnType<typeof namedAs>): Built | Missing {
  const value = found && taken(schema, found);
  return value ? whole(value) : absent();
}

/** Takes the room of an element, with its comma; false if there is too little. */
function takesRoom(room: Room, { json, basis }: Built): boolean {
  const data = bytesOf(json) + 1;
  const of = bytesOf(basis);
  if (data > room.data || of > room.basis) return false;
  room.data -= data;
  room.basis -= of;
  return true;
}

function below(key: string | number, { json, basis, left_out, truncated }: Built): Built {
  const start = pointerTo('', key);
  const moved = <T extends { path: string }>(entries: T[]) =>
    entries.map((entry) => ({ ...entry, path: start + entry.path }));
  return { json, basis: moved(basis), left_out: moved(left_out), truncated: moved(truncated) };
}

function joined(json: Json, parts: Built[]): Built {
  return {
    json,
    basis: parts.flatMap(({ basis }) => basis),
    left_out: parts.flatMap(({ left_out }) => left_out),
    truncated: parts.flatMap(({ truncated }) => truncated),
  };
}
