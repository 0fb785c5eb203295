// Conditions and filters: whether an item meets them.
import { type AttributeValue, compareValues, equalValues, type Item } from '../attribute-values.ts';
import { valueAt } from './document-paths.ts';
import type { Scope } from './scope.ts';
import type { Comparator, Condition, Measured } from './syntax.ts';

/** Whether an item meets a condition; a missing item is empty. */
export function meets(item: Item, condition: Condition, scope: Scope): boolean {
  const measure = (operand: Measured) => measured(item, operand, scope);
  switch (condition.kind) {
    case 'and':
      return meets(item, condition.left, scope) && meets(item, condition.right, scope);
    case 'or':
      return meets(item, condition.left, scope) || meets(item, condition.right, scope);
    case 'not':
      return !meets(item, condition.inner, scope);
    case 'exists':
      return (valueAt(item, scope.path(condition.path)) !== undefined) === condition.expected;
    case 'begins_with': {
      const [value, prefix] = [measure(condition.operand), measure(condition.prefix)];
      return value?.S !== undefined && prefix?.S !== undefined && value.S.startsWith(prefix.S);
    }
    case 'between': {
      const value = measure(condition.operand);
      return compares['>='](value, measure(condition.low)) && compares['<='](value, measure(condition.high));
    }
    case 'compare':
      return compares[condition.operator](measure(condition.left), measure(condition.right));
  }
}

type Compares = (left: AttributeValue | undefined, right: AttributeValue | undefined) => boolean;

const equal: Compares = (left, right) =>
  left !== undefined && right !== undefined && equalValues(left, right);

function ordered(holds: (order: number) => boolean): Compares {
  return (left, right) => {
    const order = left && right && compareValues(left, right);
    return order !== undefined && holds(order);
  };
}

const compares: Record<Comparator, Compares> = {
  '=': equal,
  '<>': (left, right) => !equal(left, right),
  '<': ordered((order) => order < 0),
  '<=': ordered((order) => order <= 0),
  '>': ordered((order) => order > 0),
  '>=': ordered((order) => order >= 0),
};

function measured(item: Item, operand: Measured, scope: Scope): AttributeValue | undefined {
  if (operand.kind === 'value') return scope.value(operand.token);
  const value = valueAt(item, scope.path(operand.path));
  return operand.kind === 'size' ? sizeOf(value) : value;
}

/** The function `size`: UTF-16 units of a string, bytes of a binary, number of members of other types. */
function sizeOf(value: AttributeValue | undefined): AttributeValue | undefined {
  if (value?.S !== undefined) return { N: String(value.S.length) };
  if (value?.B !== undefined) return { N: String(Buffer.byteLength(value.B, 'base64')) };
  const members = value?.SS ?? value?.L ?? (value?.M && Object.keys(value.M));
  return members && { N: String(members.length) };
}
