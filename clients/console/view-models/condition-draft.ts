// Conditions being edited: a simple condition, or a group joined by and, or, not.
import { isObject } from './draft.ts';

export type Connective = 'and' | 'or' | 'not';

/** The connective of a group; undefined for a simple condition. */
export function connectiveOf(where: unknown): Connective | undefined {
  return (['and', 'or', 'not'] as const).find((name) => isObject(where) && name in where);
}

/** An empty condition. */
export const blankCondition = { field: '', op: '=', value: '' } as const;

/** The condition with another operator and a fitting value. */
export function withOperator(condition: unknown, op: string): object {
  const { value, ...rest } = isObject(condition) ? condition : { value: '' };
  return { ...rest, op, value: fitting(op, value) };
}

function fitting(op: string, value: unknown): unknown {
  if (op === 'exists') return typeof value === 'boolean' ? value : true;
  if (op === 'in') return Array.isArray(value) ? value : [value].filter((one) => one !== '');
  const one = Array.isArray(value) ? (value[0] ?? '') : value;
  if (op === 'contains' || op === 'starts_with') return String(one ?? '');
  return typeof one === 'boolean' && op !== '=' && op !== '!=' ? '' : one;
}

/** The condition negated, or as the first member of a group with an empty second one. */
export function wrapped(where: unknown, connective: Connective): object {
  return connective === 'not' ? { not: where } : { [connective]: [where, blankCondition] };
}
