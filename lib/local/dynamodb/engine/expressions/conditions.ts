// Conditions and filters, and the operands that updates share with them.
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
import { type Comparator, type Condition, type Operand, type Parsed, parseCondition } from './syntax.ts';
import type { ExpressionKind } from './tokens.ts';

export type Test = (item: Item) => boolean;
type Evaluate = (item: Item) => AttributeValue | undefined;

/** A checked operand. */
export interface CheckedOperand {
  evaluate: Evaluate;
  /** Its type, if independent of the item. */
  type?: ValueType;
  /** Its value, if independent of the item. */
  constant?: AttributeValue;
  /** Its name in errors, if it is a path. */
  path?: string;
}

/** The context of a check. */
export interface Checking {
  kind: ExpressionKind;
  scope: Scope;
}

const ORDERED: readonly ValueType[] = ['S', 'N', 'B'];
const TYPE_NAMES = ['B', 'NULL', 'SS', 'BOOL', 'L', 'BS', 'N', 'NS', 'S', 'M'];
/** DynamoDB's name in errors for an operand of any type. */
const ANY_TYPE =
  '{DECIMALSET,DECIMAL,N,BOOL,INT,SS,DOUBLESET,L,S,FLOAT,NS,HDS,B,M,FS,NULL,BS,DICT,HD,INTSET,DOUBLE}';
const OF_UPDATES = ['if_not_exists', 'list_append'];
const TESTS = ['attribute_exists', 'attribute_not_exists', 'attribute_type', 'begins_with', 'contains'];
const IN_MAX = 100;

/** A checked condition. */
export interface CheckedCondition extends Parsed<Condition> {
  test: Test;
}

/** Parses and checks a condition, filter or key condition; undefined without one. Throws ValidationException. */
export function conditionOf(kind: ExpressionKind, text: unknown, scope: Scope): CheckedCondition | undefined {
  if (text === undefined || text === null) return undefined;
  const parsed = parseCondition(kind, String(text));
  scope.requireNames(kind, parsed);
  scope.requireValues(kind, parsed);
  return { ...parsed, test: testOf(parsed.tree, { kind, scope }) };
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
  if (operator !== '=' && operator !== '<>')
    for (const one of [a, b]) requireType(operator, one, ORDERED, checking);
  requireDistinct(operator, a, [b], checking);
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
  for (const one of [operand, low, high]) requireType('BETWEEN', one, ORDERED, checking);
  requireDistinct('BETWEEN', operand, [low, high], checking);
  requireBounds(low.constant, high.constant, checking.kind);
  return (item) => {
    const value = operand.evaluate(item);
    return compares['>='](value, low.evaluate(item)) && compares['<='](value, high.evaluate(item));
  };
}

/** Throws ValidationException for bounds of BETWEEN that differ in type or are in the wrong order. */
function requireBounds(
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
  if (others.length > IN_MAX)
    throw invalid(
      `Invalid ${checking.kind}: The IN operator is provided with too many operands; number of operands: ${others.length}`,
    );
  requireDistinct('IN', operand, others, checking);
  return (item) => {
    const value = operand.evaluate(item);
    return others.some((one) => equal(value, one.evaluate(item)));
  };
}

function callTest(name: string, args: Operand[], checking: Checking): Test {
  if (!TESTS.includes(name)) throw misplaced(name, checking);
  const [first, second] = args.map((arg) => operandOf(arg, checking));
  const isUnary = name === 'attribute_exists' || name === 'attribute_not_exists';
  if (!first || args.length !== (isUnary ? 1 : 2)) throw wrongCount(name, args.length, checking);
  if (!second) {
    if (first.path === undefined) throw noPath(name, checking);
    const expected = name === 'attribute_exists';
    return (item) => (first.evaluate(item) !== undefined) === expected;
  }
  if (name === 'attribute_type') return typeTest(first, second, checking);
  if (name === 'begins_with') for (const one of [first, second]) requireType(name, one, ['S', 'B'], checking);
  requireDistinct(name, first, [second], checking);
  const test = name === 'begins_with' ? beginsWith : contains;
  return (item) => test(first.evaluate(item), second.evaluate(item));
}

function typeTest(first: CheckedOperand, second: CheckedOperand, checking: Checking): Test {
  if (!second.type)
    throw invalid(
      `Invalid ${checking.kind}: Incorrect operand type for operator or function; operator or function: attribute_type, operand type: ${ANY_TYPE}`,
    );
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

/** The error for an unknown function, or one that is not allowed here. */
function misplaced(name: string, { kind }: Checking): Error {
  if (OF_UPDATES.includes(name))
    return invalid(
      `Invalid ${kind}: The function is not allowed in a condition expression; function: ${name}`,
    );
  return invalid(
    TESTS.includes(name) || name === 'size'
      ? `Invalid ${kind}: The function is not allowed to be used this way in an expression; function: ${name}`
      : `Invalid ${kind}: Invalid function name; function: ${name}`,
  );
}

/** Checks an operand of a condition. Throws ValidationException. */
export function operandOf(operand: Operand, checking: Checking): CheckedOperand {
  const { scope } = checking;
  if (operand.kind === 'path') {
    const path = scope.path(operand.path);
    return { evaluate: (item) => valueAt(item, path), path: shownPath(path) };
  }
  if (operand.kind === 'value') {
    const constant = scope.value(operand.token);
    return { evaluate: () => constant, constant, type: typeOf(constant) };
  }
  if (operand.kind === 'sum') throw new Error('conditions have no sums');
  if (operand.name !== 'size') throw misplaced(operand.name, checking);
  const [only] = operand.args;
  if (!only || operand.args.length > 1) throw wrongCount('size', operand.args.length, checking);
  const of = operandOf(only, checking);
  requireType('size', of, ['S', 'B', 'SS', 'NS', 'BS', 'L', 'M'], checking);
  return { evaluate: (item) => sizeOf(of.evaluate(item)), type: 'N' };
}

/** The function `size`: UTF-16 units of a string, bytes of a binary, number of members of other types. */
function sizeOf(value: AttributeValue | undefined): AttributeValue | undefined {
  if (!value) return undefined;
  if (value.S !== undefined) return { N: String(value.S.length) };
  if (value.B !== undefined) return { N: String(Buffer.byteLength(value.B, 'base64')) };
  const members = membersOf(value) ?? value.L ?? (value.M && Object.keys(value.M));
  return members && { N: String(members.length) };
}

/** Throws ValidationException when the first operand is also one of the others. */
export function requireDistinct(
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

/** Throws ValidationException when an operand always has a type that the operator does not accept. */
export function requireType(
  operator: string,
  { type }: CheckedOperand,
  types: readonly ValueType[],
  { kind }: Checking,
): void {
  if (type && !types.includes(type))
    throw invalid(
      `Invalid ${kind}: Incorrect operand type for operator or function; operator or function: ${operator}, operand type: ${type}`,
    );
}

/** The error for an operand that must be a path but is not. */
export function noPath(operator: string, { kind }: Checking): Error {
  return invalid(
    `Invalid ${kind}: Operator or function requires a document path; operator or function: ${operator}`,
  );
}

/** The error for a wrong number of operands. */
export function wrongCount(operator: string, count: number, { kind }: Checking): Error {
  return invalid(
    `Invalid ${kind}: Incorrect number of operands for operator or function; operator or function: ${operator}, number of operands: ${count}`,
  );
}
