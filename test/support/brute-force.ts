// Conditions, sorts and groups, implemented naively from the contract: the oracle for the index.
import type {
  Condition,
  FieldSort,
  GroupedBy,
  GroupField,
  Measure,
  Scalar,
  Where,
} from '#contract/conditions.ts';
import type { Entity } from '#contract/entities.ts';
import type { Json, JsonObject } from '#contract/json.ts';

const OWN = ['id', 'name', 'type', 'external_uri', 'external_id', 'source', 'created_at', 'updated_at'];

/** The value of a field; undefined if absent. */
function valueAt(entity: Entity, field: string): Json | undefined {
  if (OWN.includes(field)) return Reflect.get(entity, field) ?? undefined;
  const path = field.startsWith('fields.') ? field.slice('fields.'.length) : field;
  return resolve(entity.fields, path.split('.')) ?? undefined;
}

/** The longest key wins; null is a value here, so that it hides what a shorter key would find. */
function resolve(object: JsonObject, parts: string[]): Json | undefined {
  for (let n = parts.length; n > 0; n -= 1) {
    const key = parts.slice(0, n).join('.');
    if (!Object.hasOwn(object, key)) continue;
    const value = object[key];
    if (n === parts.length) return value;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) continue;
    const inner = resolve(value, parts.slice(n));
    if (inner !== undefined) return inner;
  }
  return undefined;
}

const isScalar = (value: unknown): value is Scalar =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** Compares by code point, not by UTF-16 unit. */
function compareText(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}

function holds(value: Json | undefined, condition: Condition): boolean {
  if (condition.op === 'exists') return (value !== undefined) === condition.value;
  if (condition.op === '!=') return !holds(value, { ...condition, op: '=' });
  const list = Array.isArray(value);
  const values = list ? value.filter(isScalar) : isScalar(value) ? [value] : [];
  switch (condition.op) {
    case '=':
      return values.some((one) => one === condition.value);
    case 'in':
      return values.some((one) => condition.value.includes(one));
    case 'contains':
      return values.some(
        (one) => typeof one === 'string' && one.toLowerCase().includes(condition.value.toLowerCase()),
      );
    case 'starts_with':
      return values.some(
        (one) => typeof one === 'string' && one.toLowerCase().startsWith(condition.value.toLowerCase()),
      );
    default: {
      const [one] = values;
      if (list || one === undefined || typeof one !== typeof condition.value) return false;
      const order =
        typeof one === 'string'
          ? compareText(one, String(condition.value))
          : Number(one) - Number(condition.value);
      return { '<': order < 0, '<=': order <= 0, '>': order > 0, '>=': order >= 0 }[condition.op];
    }
  }
}

/** Whether a record meets a condition. */
export function meets(entity: Entity, where: Where): boolean {
  if ('and' in where) return where.and.every((one) => meets(entity, one));
  if ('or' in where) return where.or.some((one) => meets(entity, one));
  if ('not' in where) return !meets(entity, where.not);
  return holds(valueAt(entity, where.field), where);
}

function rank(value: Scalar): number {
  return typeof value === 'number' ? 0 : typeof value === 'string' ? 1 : 2;
}

/** Numbers, strings, booleans; both present. */
function compareScalars(left: Scalar, right: Scalar): number {
  if (rank(left) !== rank(right)) return rank(left) - rank(right);
  return typeof left === 'string' ? compareText(left, String(right)) : Number(left) - Number(right);
}

/** The records in sort order; absent values last in either direction, ties by id. */
export function sorted(entities: Entity[], sorts: FieldSort[]): Entity[] {
  return entities.toSorted((left, right) => {
    for (const { field, direction = 'asc' } of sorts) {
      const [a, b] = [valueAt(left, field), valueAt(right, field)].map((value) =>
        isScalar(value) ? value : undefined,
      );
      if (a === undefined && b === undefined) continue;
      if (a === undefined) return 1;
      if (b === undefined) return -1;
      const order = compareScalars(a, b);
      if (order !== 0) return direction === 'asc' ? order : -order;
    }
    return compareText(left.id, right.id);
  });
}

export interface Group {
  values: (Scalar | null)[];
  measures: (number | string | null)[];
}

/** All groups, unordered. A list counts once under each of its distinct elements. */
export function grouped(entities: Entity[], fields: GroupField[], measures: Measure[]): Group[] {
  const groups = new Map<string, { values: (Scalar | null)[]; members: Entity[] }>();
  if (fields.length === 0) groups.set('[]', { values: [], members: [] });
  for (const entity of entities)
    for (const values of combinations(fields.map((field) => groupsOf(entity, field)))) {
      const key = JSON.stringify(values);
      const group = groups.get(key) ?? { values, members: [] };
      group.members.push(entity);
      groups.set(key, group);
    }
  return [...groups.values()].map(({ values, members }) => ({
    values,
    measures: measures.map((measure) => measured(members, measure)),
  }));
}

function groupsOf(entity: Entity, grouped: GroupField): (Scalar | null)[] {
  if (typeof grouped === 'string') return groupValues(valueAt(entity, grouped));
  const values = groupValues(valueAt(entity, grouped.field));
  return [...new Set(values.map((value) => beginningOf(value, grouped.by)))];
}

/** The beginning of a period or step, by its definition; for the values of random records alone. */
function beginningOf(value: Scalar | null, by: GroupedBy): Scalar | null {
  if (value === null || typeof value === 'boolean') return null;
  if (typeof by === 'object')
    return typeof value === 'number' ? Math.floor(value / by.width) * by.width + 0 : null;
  const isDate =
    typeof value === 'string'
      ? /^\d{4}-\d\d-\d\d/.test(value)
      : typeof value === 'number' && Math.abs(value) > 9999;
  if (!isDate || (typeof value === 'number' && !Number.isInteger(value)) || value === 1e21) return null;
  const date = new Date(String(value).length === 10 ? `${value}T00:00:00Z` : value);
  while (by === 'week' && date.getUTCDay() !== 1) date.setUTCDate(date.getUTCDate() - 1);
  const day = date.toISOString().slice(0, 10);
  if (by === 'quarter') return `${day.slice(0, 4)}-Q${Math.floor(date.getUTCMonth() / 3) + 1}`;
  return day.slice(0, { day: 10, week: 10, month: 7, year: 4 }[by]);
}

function groupValues(value: Json | undefined): (Scalar | null)[] {
  if (Array.isArray(value)) {
    const elements = [...new Set(value.filter(isScalar))];
    return elements.length > 0 ? elements : [null];
  }
  return [isScalar(value) ? value : null];
}

function combinations(lists: (Scalar | null)[][]): (Scalar | null)[][] {
  return lists.reduce<(Scalar | null)[][]>(
    (all, list) => all.flatMap((one) => list.map((value) => [...one, value])),
    [[]],
  );
}

function measured(members: Entity[], { op, field }: Measure): number | string | null {
  if (field === undefined) return members.length;
  const values = members.map((entity) => valueAt(entity, field)).filter((value) => value !== undefined);
  if (op === 'count') return values.length;
  const numbers = values.filter((value) => typeof value === 'number');
  const sum = numbers.reduce((total, value) => total + value, 0);
  if (op === 'sum') return numbers.length > 0 ? sum : null;
  if (op === 'avg') return numbers.length > 0 ? sum / numbers.length : null;
  const texts = values.filter((value) => typeof value === 'string');
  const kind: Scalar[] = numbers.length > 0 ? numbers : texts;
  const ordered = kind.toSorted(compareScalars);
  const extreme = op === 'min' ? ordered[0] : ordered.at(-1);
  return typeof extreme === 'boolean' ? null : (extreme ?? null);
}
