// Update expressions: what an item becomes by one.
import { type AttributeValue, type Item, membersOf, typeOf, type ValueType } from '../attribute-values.ts';
import { addNumbers } from '../decimal.ts';
import { invalid } from '../refusals.ts';
import { type CheckedOperand, type Checking, operandOf, requireType, wrongCount } from './conditions.ts';
import { memberOf, requireApart, valueAt } from './document-paths.ts';
import type { Path, Scope } from './scope.ts';
import { type Operand, type PathPart, parseUpdate } from './syntax.ts';

/** A checked update. */
export interface CheckedUpdate {
  /** Every path that it writes. */
  paths: Path[];
  /** Changes the item. Throws ValidationException when the update does not fit it; the item is then of no use. */
  apply(item: Item): void;
}

type Write = { path: Path; value: AttributeValue | undefined };

const KIND = 'UpdateExpression';
const SETS: readonly ValueType[] = ['SS', 'NS', 'BS'];
const LONG_NAMES: Record<ValueType, string> = {
  S: 'STRING',
  N: 'NUMBER',
  B: 'BINARY',
  BOOL: 'BOOLEAN',
  NULL: 'NULL',
  SS: 'STRING_SET',
  NS: 'NUMBER_SET',
  BS: 'BINARY_SET',
  L: 'LIST',
  M: 'MAP',
};

/** The update of a text. Throws ValidationException. */
export function updateOf(text: unknown, scope: Scope): CheckedUpdate {
  const checking: Checking = { kind: KIND, scope };
  const tree = parseUpdate(KIND, String(text));
  const set = tree.set.map(({ path, operand }) => ({
    path: scope.path(KIND, path),
    operand: updateOperand(operand, checking),
  }));
  const remove = tree.remove.map((path) => scope.path(KIND, path));
  const add = changes('ADD', tree.add, ['N', ...SETS], checking);
  const removeMembers = changes('DELETE', tree.delete, SETS, checking);
  const paths = [
    ...set.map(({ path }) => path),
    ...remove,
    ...[...add, ...removeMembers].map(({ path }) => path),
  ];
  requireApart(KIND, paths);
  return {
    paths,
    apply(item) {
      const writes: Write[] = [
        ...set.map(({ path, operand }) => ({ path, value: required(operand.evaluate(item)) })),
        ...add.map(({ path, value }) => ({ path, value: sumOf(valueAt(item, path), value) })),
        ...removeMembers.map(({ path, value }) => ({ path, value: without(valueAt(item, path), value) })),
        ...remove.map((path) => ({ path, value: undefined })),
      ];
      for (const { path, value } of inOrder(writes)) write(item, path, value);
    },
  };
}

/** First what is set, in the order of list indexes, so that what lies beyond an end is appended; then what goes, from the last index to the first. */
function inOrder(writes: Write[]): Write[] {
  const set = writes.filter(({ value }) => value !== undefined);
  const removed = writes.filter(({ value }) => value === undefined);
  return [
    ...set.toSorted((a, b) => lastIndex(a) - lastIndex(b)),
    ...removed.toSorted((a, b) => lastIndex(b) - lastIndex(a)),
  ];
}

function lastIndex({ path }: Write): number {
  const last = path.at(-1);
  return typeof last === 'number' ? last : -1;
}

function required(value: AttributeValue | undefined): AttributeValue {
  if (value) return value;
  throw invalid('The provided expression refers to an attribute that does not exist in the item');
}

function write(item: Item, path: Path, value: AttributeValue | undefined): void {
  const last: PathPart | undefined = path.at(-1);
  let holder: AttributeValue | undefined = { M: item };
  for (const part of path.slice(0, -1)) holder = holder && memberOf(holder, part);
  if (typeof last === 'string' && holder?.M) {
    if (value === undefined) Reflect.deleteProperty(holder.M, last);
    else
      Object.defineProperty(holder.M, last, { value, enumerable: true, configurable: true, writable: true });
  } else if (typeof last === 'number' && holder?.L) {
    if (value === undefined) holder.L.splice(last, 1);
    else holder.L[Math.min(last, holder.L.length)] = value;
  } else throw invalid('The document path provided in the update expression is invalid for update');
}

function changes(
  operator: 'ADD' | 'DELETE',
  clauses: { path: PathPart[]; operand: Operand }[],
  types: readonly ValueType[],
  checking: Checking,
): { path: Path; value: AttributeValue }[] {
  return clauses.map(({ path, operand }) => {
    const checkedPath = checking.scope.path(KIND, path);
    const value = operandOf(operand, checking).constant;
    if (!value) throw invalid(`Invalid ${KIND}: Syntax error; token: "${operator}"`);
    const type = typeOf(value);
    if (!types.includes(type))
      throw invalid(
        `Invalid ${KIND}: Incorrect operand type for operator or function; operator: ${operator}, operand type: ${LONG_NAMES[type]}, typeSet: ALLOWED_FOR_${operator}_OPERAND`,
      );
    return { path: checkedPath, value };
  });
}

const wrongType = () => invalid('An operand in the update expression has an incorrect data type');

function sumOf(present: AttributeValue | undefined, value: AttributeValue): AttributeValue {
  if (!present) return value;
  if (present.N !== undefined && value.N !== undefined) return { N: addNumbers(present.N, value.N, 1) };
  const type = typeOf(value);
  const [old, added] = [membersOf(present), membersOf(value)];
  if (!old || !added || typeOf(present) !== type) throw wrongType();
  return { [type]: [...new Set([...old, ...added])] };
}

/** The rest of a set; undefined when nothing is left of it. */
function without(present: AttributeValue | undefined, value: AttributeValue): AttributeValue | undefined {
  if (!present) return undefined;
  const type = typeOf(value);
  const [old, gone] = [membersOf(present), membersOf(value)];
  if (!old || !gone || typeOf(present) !== type) throw wrongType();
  const rest = old.filter((member) => !gone.includes(member));
  return rest.length > 0 ? { [type]: rest } : undefined;
}

/** An operand of SET, with the functions and sums that only updates have. */
function updateOperand(operand: Operand, checking: Checking): CheckedOperand {
  if (operand.kind === 'sum') {
    const [left, right] = [updateOperand(operand.left, checking), updateOperand(operand.right, checking)];
    for (const one of [left, right]) requireType(operand.sign, one, ['N'], checking);
    const sign = operand.sign === '+' ? 1 : -1;
    return {
      evaluate(item) {
        const [a, b] = [required(left.evaluate(item)), required(right.evaluate(item))];
        if (a.N === undefined || b.N === undefined) throw wrongType();
        return { N: addNumbers(a.N, b.N, sign) };
      },
    };
  }
  if (operand.kind !== 'call') return operandOf(operand, checking);
  const { name } = operand;
  if (name !== 'if_not_exists' && name !== 'list_append') {
    const known = [
      ...['attribute_exists', 'attribute_not_exists', 'attribute_type'],
      ...['begins_with', 'contains', 'size'],
    ].includes(name);
    throw invalid(
      known
        ? `Invalid ${KIND}: The function is not allowed in an update expression; function: ${name}`
        : `Invalid ${KIND}: Invalid function name; function: ${name}`,
    );
  }
  const [first, second] = operand.args.map((arg) => updateOperand(arg, checking));
  if (!first || !second || operand.args.length > 2) throw wrongCount(name, operand.args.length, checking);
  if (name === 'if_not_exists') {
    if (first.path === undefined)
      throw invalid(
        `Invalid ${KIND}: Operator or function requires a document path; operator or function: ${name}`,
      );
    return { evaluate: (item) => first.evaluate(item) ?? second.evaluate(item) };
  }
  for (const one of [first, second]) requireType(name, one, ['L'], checking);
  return {
    evaluate(item) {
      const [a, b] = [required(first.evaluate(item)), required(second.evaluate(item))];
      if (!a.L || !b.L) throw wrongType();
      return { L: [...a.L, ...b.L] };
    },
  };
}
