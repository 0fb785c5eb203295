// Key conditions: which part of one partition a query reads.
import { type AttributeValue, typeOf } from '../attribute-values.ts';
import { invalid } from '../refusals.ts';
import type { KeyAttribute, KeySchema } from '../table-definition.ts';
import { requireBounds } from './conditions.ts';
import type { Scope } from './scope.ts';
import { type Condition, type Operand, parseCondition } from './syntax.ts';

/** A condition on the range key. */
export type RangeCondition =
  | { operator: '=' | '<' | '<=' | '>' | '>='; value: AttributeValue }
  | { operator: 'between'; low: AttributeValue; high: AttributeValue }
  | { operator: 'begins_with'; value: AttributeValue };

export interface KeyCondition {
  hash: AttributeValue;
  range?: RangeCondition;
}

type Part = { name: string; condition: RangeCondition };

const KIND = 'KeyConditionExpression';
const notSupported = () => invalid('Query key condition not supported');

/** The key condition of a text. Throws ValidationException for one that is no condition on this key. */
export function keyConditionOf(text: unknown, { hash, range }: KeySchema, scope: Scope): KeyCondition {
  const parts = partsOf(parseCondition(KIND, String(text)), scope);
  const names = parts.map(({ name }) => name);
  if (parts.length > 2) throw invalid('Conditions can be of length 1 or 2 only');
  if (new Set(names).size < names.length)
    throw invalid(`Invalid ${KIND}: KeyConditionExpressions must only contain one condition per key`);
  const onHash = parts.find(({ name }) => name === hash.name);
  if (!onHash) throw invalid(`Query condition missed key schema element: ${hash.name}`);
  if (onHash.condition.operator !== '=') throw notSupported();
  requireKeyType(hash, onHash.condition.value);
  const onRange = parts.find((part) => part !== onHash);
  if (!onRange) return { hash: onHash.condition.value };
  if (!range || onRange.name !== range.name)
    throw range ? invalid(`Query condition missed key schema element: ${range.name}`) : notSupported();
  const { condition } = onRange;
  for (const value of condition.operator === 'between' ? [condition.low, condition.high] : [condition.value])
    requireKeyType(range, value);
  if (condition.operator === 'begins_with' && condition.value.N !== undefined) throw notSupported();
  return { hash: onHash.condition.value, range: condition };
}

function requireKeyType({ type }: KeyAttribute, value: AttributeValue): void {
  if (typeOf(value) !== type)
    throw invalid(
      'One or more parameter values were invalid: Condition parameter type does not match schema type',
    );
  if (value.S === '' || value.B === '')
    throw invalid(
      'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value.',
    );
}

function partsOf(condition: Condition, scope: Scope): Part[] {
  switch (condition.kind) {
    case 'and':
      return [...partsOf(condition.left, scope), ...partsOf(condition.right, scope)];
    case 'or':
    case 'not':
    case 'in':
      throw invalid(`Invalid operator used in ${KIND}: ${condition.kind.toUpperCase()}`);
    case 'compare': {
      if (condition.operator === '<>') throw invalid(`Invalid operator used in ${KIND}: <>`);
      const { name, value, turned } = pathAndValue(condition.left, condition.right, scope);
      return [
        { name, condition: { operator: turned ? TURNED[condition.operator] : condition.operator, value } },
      ];
    }
    case 'between': {
      const name = nameOf(condition.operand, scope);
      const [low, high] = [constantOf(condition.low, scope), constantOf(condition.high, scope)];
      requireBounds(low, high, KIND);
      return [{ name, condition: { operator: 'between', low, high } }];
    }
    case 'call': {
      const [path, prefix] = condition.args;
      if (condition.name !== 'begins_with')
        throw invalid(`Invalid operator used in ${KIND}: ${condition.name}`);
      if (!path || !prefix || condition.args.length > 2)
        throw invalid(
          `Invalid ${KIND}: Incorrect number of operands for operator or function; operator or function: begins_with, number of operands: ${condition.args.length}`,
        );
      const value = constantOf(prefix, scope);
      const type = typeOf(value);
      if (type !== 'S' && type !== 'B')
        throw invalid(
          `Invalid ${KIND}: Incorrect operand type for operator or function; operator or function: begins_with, operand type: ${type}`,
        );
      return [{ name: nameOf(path, scope), condition: { operator: 'begins_with', value } }];
    }
  }
}

const TURNED = { '=': '=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const;

function pathAndValue(left: Operand, right: Operand, scope: Scope) {
  if (left.kind === 'value' && right.kind === 'path')
    return { name: nameOf(right, scope), value: constantOf(left, scope), turned: true };
  return { name: nameOf(left, scope), value: constantOf(right, scope), turned: false };
}

function nameOf(operand: Operand, scope: Scope): string {
  if (operand.kind === 'value')
    throw invalid(`Invalid condition in ${KIND}: Multiple attribute values used in condition`);
  if (operand.kind !== 'path')
    throw invalid(`Invalid ${KIND}: The function is not allowed in a key condition expression`);
  const [name, ...rest] = scope.path(KIND, operand.path);
  if (rest.length > 0)
    throw invalid(`Invalid ${KIND}: KeyConditionExpressions cannot have conditions on nested attributes`);
  return String(name);
}

function constantOf(operand: Operand, scope: Scope): AttributeValue {
  if (operand.kind === 'path')
    throw invalid(`Invalid condition in ${KIND}: Multiple attribute names used in one condition`);
  if (operand.kind !== 'value')
    throw invalid(`Invalid ${KIND}: The function is not allowed in a key condition expression`);
  return scope.value(KIND, operand.token);
}
