// Key conditions: the part of one partition that a query reads.
import type { AttributeValue } from '../attribute-values.ts';
import { invalid, unknown } from '../refusals.ts';
import { type KeyAttribute, type KeySchema, sortable } from '../table-definition.ts';
import type { Scope } from './scope.ts';
import type { Condition, Measured, Parsed } from './syntax.ts';

/** A bound of the range key, as texts that sort as keys do. */
export type RangeCondition =
  | { operator: '=' | '<' | '<=' | '>' | '>='; value: string }
  | { operator: 'between'; low: string; high: string }
  | { operator: 'begins_with'; value: string };

export interface KeyCondition {
  hash: string;
  range: RangeCondition | undefined;
}

/** The hash of a key, and a condition on its range. Throws ValidationException for any other condition. */
export function keyConditionOf(
  { tree, text }: Parsed<Condition>,
  { hash, range }: KeySchema,
  scope: Scope,
): KeyCondition {
  const [onHash, onRange] = tree.kind === 'and' ? [tree.left, tree.right] : [tree, undefined];
  if (onHash.kind !== 'compare' || onHash.operator !== '=') throw unknown('the key condition', text);
  requirePath(onHash.left, hash, scope);
  if (onRange && !range) throw unknown('the key condition', text);
  return {
    hash: keyText(onHash.right, hash, scope),
    range: onRange && range && rangeConditionOf(onRange, range, scope, text),
  };
}

function rangeConditionOf(
  condition: Condition,
  key: KeyAttribute,
  scope: Scope,
  text: string,
): RangeCondition {
  const textOf = (operand: Measured) => keyText(operand, key, scope);
  if (condition.kind === 'compare' && condition.operator !== '<>') {
    requirePath(condition.left, key, scope);
    return { operator: condition.operator, value: textOf(condition.right) };
  }
  if (condition.kind === 'between') {
    requirePath(condition.operand, key, scope);
    const [low, high] = [textOf(condition.low), textOf(condition.high)];
    if (low > high) throw invalid('The bounds of BETWEEN are in the wrong order');
    return { operator: 'between', low, high };
  }
  if (condition.kind !== 'begins_with') throw unknown('the key condition', text);
  requirePath(condition.operand, key, scope);
  return { operator: 'begins_with', value: textOf(condition.prefix) };
}

function requirePath(operand: Measured, key: KeyAttribute, scope: Scope): void {
  const path = operand.kind === 'path' ? scope.path(operand.path) : [];
  if (path.length !== 1 || path[0] !== key.name) throw unknown('the key', path);
}

function keyText(operand: Measured, { type }: KeyAttribute, scope: Scope): string {
  const value: AttributeValue = operand.kind === 'value' ? scope.value(operand.token) : {};
  if (value[type] === undefined || value.S === '') throw unknown('the key value', value);
  return sortable(value);
}
