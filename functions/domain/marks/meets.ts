// Whether a record that was just written meets a condition: as the record index answers, but for one record in memory.
import { type Condition, readField, type Scalar, type Where } from '#contract/conditions.ts';
import type { Entity } from '#contract/entities.ts';
import { isJsonObject, type Json, type JsonObject } from '#contract/json.ts';

/** Whether the record meets the condition (rules.md: records 2). */
export function meets(entity: Entity, where: Where): boolean {
  if ('and' in where) return where.and.every((one) => meets(entity, one));
  if ('or' in where) return where.or.some((one) => meets(entity, one));
  if ('not' in where) return !meets(entity, where.not);
  return holds(fieldOf(entity, where.field), where);
}

/** The value of a field; null is absent. */
function fieldOf(entity: Entity, field: string): Json | undefined {
  const named = readField(field);
  if ('attribute' in named) return Reflect.get(entity, named.attribute) ?? undefined;
  return valueAt(entity.fields, named.path.split('.')) ?? undefined;
}

/** A key with dots in it wins over a path. */
function valueAt(object: JsonObject, parts: string[]): Json | undefined {
  for (let n = parts.length; n > 0; n -= 1) {
    const key = parts.slice(0, n).join('.');
    const value = Object.hasOwn(object, key) ? object[key] : undefined;
    if (value === undefined) continue;
    if (n === parts.length) return value;
    const inner = isJsonObject(value) ? valueAt(value, parts.slice(n)) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
}

const isScalar = (value: Json): value is Scalar => value !== null && typeof value !== 'object';

function holds(value: Json | undefined, condition: Condition): boolean {
  if (condition.op === 'exists') return (value !== undefined) === condition.value;
  const values = (Array.isArray(value) ? value : [value ?? null]).filter(isScalar);
  switch (condition.op) {
    case '=':
      return values.includes(condition.value);
    case '!=':
      return !values.includes(condition.value);
    case 'in':
      return values.some((one) => condition.value.includes(one));
    case 'contains':
    case 'starts_with':
      return values.some((one) => typeof one === 'string' && isPart(one, condition));
    default:
      return !Array.isArray(value) && value !== undefined && isOrdered(value, condition);
  }
}

type Search = Extract<Condition, { op: 'contains' | 'starts_with' }>;
type Order = Extract<Condition, { op: '<' | '<=' | '>' | '>=' }>;

function isPart(text: string, { op, value }: Search): boolean {
  const [folded, sought] = [text.toLowerCase(), value.toLowerCase()];
  return op === 'contains' ? folded.includes(sought) : folded.startsWith(sought);
}

function isOrdered(found: Json, { op, value }: Order): boolean {
  const order = compared(found, value);
  if (order === undefined) return false;
  if (order === 0) return op === '<=' || op === '>=';
  return order < 0 ? op.startsWith('<') : op.startsWith('>');
}

/** Texts by code point; undefined for values of different kinds. */
function compared(found: Json, value: string | number): number | undefined {
  if (typeof found === 'number' && typeof value === 'number') return found - value;
  if (typeof found !== 'string' || typeof value !== 'string') return undefined;
  return Buffer.compare(Buffer.from(found), Buffer.from(value));
}
