// Which conditions a record meets: as the record index answers, but for one record in memory. Monitors judge what was
// just written, the offline model the items of a step.
import { type Condition, nameOfPath, readField, type Scalar, type Where } from '#contract/conditions.ts';
import { valuesByPath } from '#contract/field-paths.ts';
import type { Json, JsonObject } from '#contract/json.ts';
import { compareText } from '#contract/record-queries.ts';
import { foldText, separatorFor } from '#platform/folded-text.ts';
import { occurring } from '#platform/occurring.ts';

/** A record with its attributes. */
interface Judged {
  fields: JsonObject;
}

/**
 * For each condition whether the record meets it (rules.md: records 2). The work grows with the record and with the
 * conditions, not with both together: the fields are walked over once, and a text is folded once.
 */
export function meetsEach(entity: Judged, wheres: readonly Where[]): boolean[] {
  const values = valuesOf(entity, wheres.flatMap(conditionsOf));
  return wheres.map((where) => meets(values, where));
}

/** What the conditions ask of a field. */
interface FieldValue {
  isPresent: boolean;
  /** The scalar itself, or those of a list. */
  scalars: ReadonlySet<Scalar>;
  /** Undefined for lists and objects. */
  ordered: Scalar | undefined;
  /** Those of the sought texts that occur in its texts. */
  found: ReadonlySet<string>;
}

interface Values {
  /** Precedes each text, and is in none. */
  separator: string;
  byField: ReadonlyMap<string, FieldValue>;
}

type Search = Extract<Condition, { op: 'contains' | 'starts_with' }>;
type Order = Extract<Condition, { op: '<' | '<=' | '>' | '>=' }>;
const isSearch = (condition: Condition): condition is Search =>
  condition.op === 'contains' || condition.op === 'starts_with';

function conditionsOf(where: Where): Condition[] {
  if ('and' in where) return where.and.flatMap(conditionsOf);
  if ('or' in where) return where.or.flatMap(conditionsOf);
  return 'not' in where ? conditionsOf(where.not) : [where];
}

/** One name for the names that refer to one field. */
function canonical(field: string): string {
  const named = readField(field);
  return 'path' in named ? nameOfPath(named.path) : field;
}

function soughtBy({ op, value }: Search, separator: string): string {
  return op === 'contains' ? value.toLowerCase() : separator + value.toLowerCase();
}

function valuesOf(entity: Judged, conditions: Condition[]): Values {
  const searches = conditions.filter(isSearch);
  const separator = separatorFor(searches.map(({ value }) => value.toLowerCase()));
  const sought = new Map<string, Set<string>>();
  for (const search of searches) {
    const field = canonical(search.field);
    sought.set(field, (sought.get(field) ?? new Set()).add(soughtBy(search, separator)));
  }
  const paths = valuesByPath(entity.fields);
  const byField = new Map<string, FieldValue>();
  for (const field of new Set(conditions.map((one) => canonical(one.field)))) {
    const named = readField(field);
    const value: Json = 'path' in named ? (paths.get(named.path)?.value ?? null) : attribute(entity, field);
    const scalars = new Set((Array.isArray(value) ? value : [value]).filter(isScalar));
    const of = sought.get(field);
    byField.set(field, {
      isPresent: value !== null,
      scalars,
      ordered: isScalar(value) ? value : undefined,
      found: of ? occurring(foldedTexts(scalars, separator), of) : new Set(),
    });
  }
  return { separator, byField };
}

const attribute = (entity: Judged, name: string): Json => Reflect.get(entity, name) ?? null;

const isScalar = (value: Json): value is Scalar => value !== null && typeof value !== 'object';

function foldedTexts(scalars: ReadonlySet<Scalar>, separator: string): string {
  return [...scalars]
    .map((one) => (typeof one === 'string' ? separator + foldText(one, separator) : ''))
    .join('');
}

function meets(values: Values, where: Where): boolean {
  if ('and' in where) return where.and.every((one) => meets(values, one));
  if ('or' in where) return where.or.some((one) => meets(values, one));
  if ('not' in where) return !meets(values, where.not);
  const value = values.byField.get(canonical(where.field));
  return value !== undefined && holds(value, where, values.separator);
}

function holds(value: FieldValue, condition: Condition, separator: string): boolean {
  const { isPresent, scalars, ordered, found } = value;
  switch (condition.op) {
    case 'exists':
      return isPresent === condition.value;
    case '=':
      return scalars.has(condition.value);
    case '!=':
      return !scalars.has(condition.value);
    case 'in':
      return condition.value.some((one) => scalars.has(one));
    case 'contains':
    case 'starts_with':
      return found.has(soughtBy(condition, separator));
    default:
      return ordered !== undefined && isOrdered(ordered, condition);
  }
}

function isOrdered(found: Scalar, { op, value }: Order): boolean {
  const order = compared(found, value);
  if (order === undefined) return false;
  if (order === 0) return op === '<=' || op === '>=';
  return order < 0 ? op.startsWith('<') : op.startsWith('>');
}

/** Texts by code point; undefined for values of different kinds. */
function compared(found: Scalar, value: string | number): number | undefined {
  if (typeof found === 'number' && typeof value === 'number') return found - value;
  return typeof found === 'string' && typeof value === 'string' ? compareText(found, value) : undefined;
}
