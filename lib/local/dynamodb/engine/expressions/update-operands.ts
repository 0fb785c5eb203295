// The values of SET, with the functions and sums that only updates have.
import type { AttributeValue } from '../attribute-values.ts';
import { addNumbers } from '../decimal.ts';
import { invalid } from '../refusals.ts';
import {
  type CheckedOperand,
  type Checking,
  noPath,
  operandOf,
  requireDistinct,
  requireType,
  wrongCount,
} from './conditions.ts';
import type { Operand } from './syntax.ts';

const OF_CONDITIONS = [
  ...['attribute_exists', 'attribute_not_exists', 'attribute_type'],
  ...['begins_with', 'contains', 'size'],
];

/** The error for a value of the item that the operator does not accept. */
export const wrongType = () => invalid('An operand in the update expression has an incorrect data type');

/** The value. Throws ValidationException if there is none. */
export function required(value: AttributeValue | undefined): AttributeValue {
  if (value) return value;
  throw invalid('The provided expression refers to an attribute that does not exist in the item');
}

/** Checks a value of SET. Throws ValidationException. */
export function updateOperand(operand: Operand, checking: Checking, isInner = false): CheckedOperand {
  if (operand.kind === 'sum') return sum(operand, checking);
  if (operand.kind !== 'call') return operandOf(operand, checking);
  const { name } = operand;
  if (name !== 'if_not_exists' && name !== 'list_append')
    throw invalid(
      OF_CONDITIONS.includes(name)
        ? `Invalid ${checking.kind}: The function is not allowed in an update expression; function: ${name}`
        : `Invalid ${checking.kind}: Invalid function name; function: ${name}`,
    );
  if (isInner && name === 'list_append')
    throw invalid(
      `Invalid ${checking.kind}: The function is not allowed to be used this way in an expression; function: ${name}`,
    );
  const [first, second] = operand.args.map((arg) => updateOperand(arg, checking, true));
  if (!first || !second || operand.args.length > 2) throw wrongCount(name, operand.args.length, checking);
  return name === 'if_not_exists'
    ? ifNotExists(first, second, checking)
    : listAppend(first, second, checking);
}

function sum({ sign, left, right }: Extract<Operand, { kind: 'sum' }>, checking: Checking): CheckedOperand {
  const [a, b] = [updateOperand(left, checking, true), updateOperand(right, checking, true)];
  for (const one of [a, b]) requireType(sign, one, ['N'], checking);
  return {
    type: 'N',
    evaluate(item) {
      const [x, y] = [required(a.evaluate(item)), required(b.evaluate(item))];
      if (x.N === undefined || y.N === undefined) throw wrongType();
      return { N: addNumbers(x.N, y.N, sign === '+' ? 1 : -1) };
    },
  };
}

function ifNotExists(first: CheckedOperand, second: CheckedOperand, checking: Checking): CheckedOperand {
  if (first.path === undefined) throw noPath('if_not_exists', checking);
  requireDistinct('if_not_exists', first, [second], checking);
  return {
    evaluate(item) {
      // Evaluated even if its value is not needed, because it must exist.
      const other = required(second.evaluate(item));
      return first.evaluate(item) ?? other;
    },
  };
}

function listAppend(first: CheckedOperand, second: CheckedOperand, checking: Checking): CheckedOperand {
  for (const one of [first, second]) requireType('list_append', one, ['L'], checking);
  return {
    type: 'L',
    evaluate(item) {
      const [a, b] = [required(first.evaluate(item)), required(second.evaluate(item))];
      if (!a.L || !b.L) throw wrongType();
      return { L: [...a.L, ...b.L] };
    },
  };
}
