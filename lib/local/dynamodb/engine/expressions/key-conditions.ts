// Key conditions: the part of one partition that a query reads.
import { type AttributeValue, typeOf } from '../attribute-values.ts';
import { invalid } from '../refusals.ts';
import { emptyKey, type KeyAttribute, type KeySchema, nestedKey } from '../table-definition.ts';
import type { Path, Scope } from './scope.ts';
import type { Condition, Operand } from './syntax.ts';

/** A condition on the range key. */
export type RangeCondition =
  | { operator: '=' | '<' | '<=' | '>' | '>='; value: AttributeValue }
  | { operator: 'between'; low: AttributeValue; high: AttributeValue }
  | { operator: 'begins_with'; value: AttributeValue };

export interface KeyCondition {
  hash: AttributeValue;
  range?: RangeCondition;
}

type Part = { path: Path; condition: RangeCondition };

const KIND = 'KeyConditionExpression';
const notSupported = () => invalid('Query key condition not supported');

/** Interprets a checked condition as a key condition. Throws ValidationException if it is not one for this key. */
export function keyConditionOf(condition: Condition, { hash, range }: KeySchema, scope: Scope): KeyCondition {
  const parts = partsOf(condition, scope).map(({ path: [name, ...rest], condition: one }) => {
    if (rest.length > 0) throw nestedIn(String(name), [hash, range]);
    return { name, condition: one };
  });
  const names = parts.map(({ name }) => name);
  if (new Set(names).size < names.length)
    throw invalid('KeyConditionExpressions must only contain one condition per key');
  if (parts.length > 2) throw invalid('Conditions can be of length 1 or 2 only');
  if (parts.length > 1 && !range) throw notSupported();
  const onHash = parts.find(({ name }) => name === hash.name);
  if (!onHash) throw invalid(`Query condition missed key schema element: ${hash.name}`);
  const onRange = parts.find((part) => part !== onHash);
  requireKeyTypes(hash, onHash.condition);
  if (onRange && onRange.name !== range?.name)
    throw invalid(`Query condition missed key schema element: ${range?.name}`);
  if (onHash.condition.operator !== '=') throw notSupported();
  if (!onRange || !range) return { hash: onHash.condition.value };
  requireKeyTypes(range, onRange.condition);
  return { hash: onHash.condition.value, range: onRange.condition };
}

function nestedIn(name: string, keys: readonly (KeyAttribute | undefined)[]): Error {
  if (keys.some((key) => key?.name === name)) return nestedKey(name);
  return invalid('KeyConditionExpressions cannot have conditions on nested attributes');
}

function requireKeyTypes(key: KeyAttribute, condition: RangeCondition): void {
  for (const value of condition.operator === 'between'
    ? [condition.low, condition.high]
    : [condition.value]) {
    if (typeOf(value) !== key.type)
      throw invalid(
        'One or more parameter values were invalid: Condition parameter type does not match schema type',
      );
    if (value.S === '' || value.B === '') throw emptyKey(key);
  }
}

const notAllowed = (operator: string) => invalid(`Invalid operator used in ${KIND}: ${operator}`);

function partsOf(condition: Condition, scope: Scope): Part[] {
  switch (condition.kind) {
    case 'and':
      return [...partsOf(condition.left, scope), ...partsOf(condition.right, scope)];
    case 'or':
    case 'not':
    case 'in':
      throw notAllowed(condition.kind.toUpperCase());
    case 'compare': {
      if (condition.operator === '<>') throw notAllowed('<>');
      const { path, value, isTurned } = pathAndValue(condition.left, condition.right, scope);
      const operator = isTurned ? TURNED[condition.operator] : condition.operator;
      return [{ path, condition: { operator, value } }];
    }
    case 'between': {
      const path = pathOf(condition.operand, scope);
      const [low, high] = [constantOf(condition.low, scope), constantOf(condition.high, scope)];
      return [{ path, condition: { operator: 'between', low, high } }];
    }
    case 'call': {
      const [operand, prefix] = condition.args;
      if (condition.name !== 'begins_with' || !operand || !prefix) throw notAllowed(condition.name);
      const value = constantOf(prefix, scope);
      return [{ path: pathOf(operand, scope), condition: { operator: 'begins_with', value } }];
    }
  }
}

const TURNED = { '=': '=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const;

function pathAndValue(left: Operand, right: Operand, scope: Scope) {
  if (left.kind === 'value' && right.kind === 'path')
    return { path: pathOf(right, scope), value: constantOf(left, scope), isTurned: true };
  return { path: pathOf(left, scope), value: constantOf(right, scope), isTurned: false };
}

const nested = () => invalid('KeyConditionExpressions cannot contain nested operations');

function pathOf(operand: Operand, scope: Scope): Path {
  if (operand.kind === 'value') throw invalid(`Invalid condition in ${KIND}: No key attribute specified`);
  if (operand.kind !== 'path') throw nested();
  return scope.path(operand.path);
}

function constantOf(operand: Operand, scope: Scope): AttributeValue {
  if (operand.kind === 'path')
    throw invalid(`Invalid condition in ${KIND}: Multiple attribute names used in one condition`);
  if (operand.kind !== 'value') throw nested();
  return scope.value(operand.token);
}
