// Conditions and filters, and the operands that they share with updates.
import {
  type AttributeValue,
  compareValues,
  equalValues,
  type Item,
  membersOf,
  typeOf,
  type ValueType,
} from '../attribute-values.ts';
import { invalid } from '../refusals.ts';
import { valueAt } from './document-paths.ts';
import { type Scope, shownPath, shownValue } from './scope.ts';
import {
  type Comparator,
  type Condition,
  type ExpressionKind,
  type Operand,
  parseCondition,
} from './syntax.ts';

export type Test = (item: Item) => boolean;
export type Evaluate = (item: Item) => AttributeValue | undefined;

/** A checked operand. */
export interface CheckedOperand {
  evaluate: Evaluate;
  /** The value, where it does not depend on the item. */
  constant?: AttributeValue;
  /** As errors name it, where it is a path or a value. */
  path?: string;
}

/** What an expression is checked against. */
export interface Checking {
  kind: ExpressionKind;
  scope: Scope;
}

const ORDERED: readonly ValueType[] = ['S', 'N', 'B'];
const TYPE_NAMES = ['B', 'NULL', 'SS', 'BOOL', 'L', 'BS', 'N', 'NS', 'S', 'M'];
const TESTS = ['attribute_exists', 'attribute_not_exists', 'attribute_type', 'begins_with', 'contains'];
const IN_MAX = 100;

/** A condition or filter as a function; undefined without one. Throws ValidationException. */
export function conditionOf(kind: ExpressionKind, text: unknown, scope: Scope): Test | undefined {
  return text === undefined ? undefined : testOf(parseCondition(kind, String(text)), { kind, scope });
}

function testOf(condition: Condition, checking: Checking): Test {
  switch (condition.kind) {
    case 'and': {
      const [left, right] = [testOf(condition.left, checking), testOf(condition.right, checking)];
      return (item) => left(item) && right(item);
    }
    case 'or': {
      const [left, right] = [testOf(condition.left, checking), testOf(condition.right, checking)];
      return (item) => left(item) || right(item);
    }
    case 'not': {
      const inner = testOf(condition.inner, checking);
      return (item) => !inner(item);
    }
    case 'compare':
      return comparison(condition.operator, condition.left, condition.right, checking);
    case 'between':
      return between(condition, checking);
    case 'in':
      return among(condition, checking);
    case 'call':
      return callTest(condition.name, condition.args, checking);
  }
}

function comparison(operator: Comparator, left: Operand, right: Operand, checking: Checking): Test {
  const [a, b] = [operandOf(left, checking), operandOf(right, checking)];
  requireDistinct(operator, a, [b], checking);
  if (operator !== '=' && operator !== '<>')
    for (const one of [a, b]) requireType(operator, one, ORDERED, checking);
  return (item) => compares[operator](a.evaluate(item), b.evaluate(item));
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

function between(condition: Extract<Condition, { kind: 'between' }>, checking: Checking): Test {
  const [operand, low, high] = [condition.operand, condition.low, condition.high].map((one) =>
    operandOf(one, checking),
  );
  if (!operand || !low || !high) throw new Error('BETWEEN takes three operands');
  requireDistinct('BETWEEN', operand, [low, high], checking);
  for (const one of [operand, low, high]) requireType('BETWEEN', one, ORDERED, checking);
  requireBounds(low.constant, high.constant, checking.kind);
  return (item) => {
    const value = operand.evaluate(item);
    return compares['>='](value, low.evaluate(item)) && compares['<='](value, high.evaluate(item));
  };
}

/** Throws ValidationException for bounds of BETWEEN of different types, or in the wrong order. */
export function requireBounds(
  low: AttributeValue | undefined,
  high: AttributeValue | undefined,
  kind: ExpressionKind,
): void {
  if (!low || !high) return;
  const shown = `lower bound operand: AttributeValue: ${shownValue(low)}, upper bound operand: AttributeValue: ${shownValue(high)}`;
  if (typeOf(low) !== typeOf(high))
    throw invalid(
      `Invalid ${kind}: The BETWEEN operator requires same data type for lower and upper bounds; ${shown}`,
    );
  if ((compareValues(low, high) ?? 0) > 0)
    throw invalid(
      `Invalid ${kind}: The BETWEEN operator requires upper bound to be greater than or equal to lower bound; ${shown}`,
    );
}

function among(condition: Extract<Condition, { kind: 'in' }>, checking: Checking): Test {
  const operand = operandOf(condition.operand, checking);
  const others = condition.among.map((one) => operandOf(one, checking));
  if (others.length > IN_MAX) throw wrongCount('IN', others.length + 1, checking);
  requireDistinct('IN', operand, others, checking);
  return (item) => {
    const value = operand.evaluate(item);
    return others.some((one) => equal(value, one.evaluate(item)));
  };
}

function callTest(name: string, args: Operand[], checking: Checking): Test {
  const { kind } = checking;
  if (!TESTS.includes(name)) {
    if (name === 'size' || name === 'if_not_exists' || name === 'list_append')
      throw invalid(
        `Invalid ${kind}: The function is not allowed to be used this way in an expression; function: ${name}`,
      );
    throw invalid(`Invalid ${kind}: Invalid function name; function: ${name}`);
  }
  const isUnary = name === 'attribute_exists' || name === 'attribute_not_exists';
  if (args.length !== (isUnary ? 1 : 2)) throw wrongCount(name, args.length, checking);
  const [first, second] = args.map((arg) => operandOf(arg, checking));
  if (!first) throw wrongCount(name, 0, checking);
  if ((isUnary || name === 'attribute_type') && first.path === undefined)
    throw invalid(
      `Invalid ${kind}: Operator or function requires a document path; operator or function: ${name}`,
    );
  if (!second) {
    const expected = name === 'attribute_exists';
    return (item) => (first.evaluate(item) !== undefined) === expected;
  }
  requireDistinct(name, first, [second], checking);
  if (name === 'attribute_type') return typeTest(first, second, checking);
  if (name === 'begins_with') {
    for (const one of [first, second]) requireType(name, one, ['S', 'B'], checking);
    return (item) => beginsWith(first.evaluate(item), second.evaluate(item));
  }
  return (item) => contains(first.evaluate(item), second.evaluate(item));
}

function typeTest(first: CheckedOperand, second: CheckedOperand, checking: Checking): Test {
  requireType('attribute_type', second, ['S'], checking);
  const type = second.constant?.S;
  if (type !== undefined && !TYPE_NAMES.includes(type))
    throw invalid(
      `Invalid ${checking.kind}: Invalid attribute type name found; type: ${type}, valid types: {${TYPE_NAMES.join(',')}}`,
    );
  return (item) => {
    const value = first.evaluate(item);
    return value !== undefined && typeOf(value) === second.evaluate(item)?.S;
  };
}

function beginsWith(value: AttributeValue | undefined, prefix: AttributeValue | undefined): boolean {
  if (value?.S !== undefined && prefix?.S !== undefined) return value.S.startsWith(prefix.S);
  if (value?.B === undefined || prefix?.B === undefined) return false;
  const [bytes, start] = [Buffer.from(value.B, 'base64'), Buffer.from(prefix.B, 'base64')];
  return bytes.subarray(0, start.length).equals(start);
}

function contains(value: AttributeValue | undefined, part: AttributeValue | undefined): boolean {
  if (!value || !part) return false;
  if (value.S !== undefined) return part.S !== undefined && value.S.includes(part.S);
  if (value.B !== undefined)
    return part.B !== undefined && Buffer.from(value.B, 'base64').includes(Buffer.from(part.B, 'base64'));
  if (value.L) return value.L.some((one) => equalValues(one, part));
  const member = value.SS ? part.S : value.NS ? part.N : part.B;
  return member !== undefined && (membersOf(value)?.includes(member) ?? false);
}

/** Checks an operand of a condition. Throws ValidationException. */
export function operandOf(operand: Operand, checking: Checking): CheckedOperand {
  const { kind, scope } = checking;
  if (operand.kind === 'path') {
    const path = scope.path(kind, operand.path);
    return { evaluate: (item) => valueAt(item, path), path: shownPath(path) };
  }
  if (operand.kind === 'value') {
    const constant = scope.value(kind, operand.token);
    return { evaluate: () => constant, constant };
  }
  if (operand.kind === 'sum') throw invalid(`Invalid ${kind}: Syntax error; token: "${operand.sign}"`);
  if (operand.name !== 'size') {
    const known = TESTS.includes(operand.name) || ['if_not_exists', 'list_append'].includes(operand.name);
    throw invalid(
      known
        ? `Invalid ${kind}: The function is not allowed to be used this way in an expression; function: ${operand.name}`
        : `Invalid ${kind}: Invalid function name; function: ${operand.name}`,
    );
  }
  const [only] = operand.args;
  if (!only || operand.args.length > 1) throw wrongCount('size', operand.args.length, checking);
  const of = operandOf(only, checking);
  requireType('size', of, ['S', 'B', 'SS', 'NS', 'BS', 'L', 'M'], checking);
  return { evaluate: (item) => sizeOf(of.evaluate(item)) };
}

/** The function `size`: characters of a string, bytes of a binary, members of anything else that has some. */
function sizeOf(value: AttributeValue | undefined): AttributeValue | undefined {
  if (!value) return undefined;
  if (value.S !== undefined) return { N: String(Buffer.byteLength(value.S)) };
  if (value.B !== undefined) return { N: String(Buffer.byteLength(value.B, 'base64')) };
  const members = membersOf(value) ?? value.L ?? (value.M && Object.keys(value.M));
  return members && { N: String(members.length) };
}

function requireDistinct(
  operator: string,
  first: CheckedOperand,
  others: CheckedOperand[],
  { kind }: Checking,
): void {
  if (first.path !== undefined && others.some((one) => one.path === first.path))
    throw invalid(
      `Invalid ${kind}: The first operand must be distinct from the remaining operands for this operator or function; operator: ${operator}, first operand: ${first.path}`,
    );
}

/** Throws ValidationException when an operand is a constant of a type that the operator does not take. */
export function requireType(
  operator: string,
  { constant }: CheckedOperand,
  types: readonly ValueType[],
  { kind }: Checking,
): void {
  if (constant && !types.includes(typeOf(constant)))
    throw invalid(
      `Invalid ${kind}: Incorrect operand type for operator or function; operator or function: ${operator}, operand type: ${typeOf(constant)}`,
    );
}

/** The refusal of a wrong number of operands. */
export function wrongCount(operator: string, count: number, { kind }: Checking): Error {
  return invalid(
    `Invalid ${kind}: Incorrect number of operands for operator or function; operator or function: ${operator}, number of operands: ${count}`,
  );
}
