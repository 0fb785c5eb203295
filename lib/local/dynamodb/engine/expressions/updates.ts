// Update expressions: how they change an item.
import {
  type AttributeValue,
  type Item,
  LEVELS_MAX,
  levelsOf,
  membersOf,
  typeOf,
  type ValueType,
} from '../attribute-values.ts';
import { addNumbers } from '../decimal.ts';
import { invalid } from '../refusals.ts';
import type { Checking } from './conditions.ts';
import { memberOf, requireApart, valueAt } from './document-paths.ts';
import type { Path, Scope } from './scope.ts';
import { type Change, type PathPart, parseUpdate } from './syntax.ts';
import { required, updateOperand, wrongType } from './update-operands.ts';

/** A checked update. */
export interface CheckedUpdate {
  /** All paths that it writes. */
  paths: Path[];
  /** Attributes that are set to a value of the request. */
  given: Item;
  /**
   * The changed item; the original is not modified. Throws ValidationException when the update does not fit the item.
   */
  applied(item: Item): Item;
}

/** A path and its new value; undefined: removed. */
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

/** Parses an update; undefined without one. Throws ValidationException. */
export function updateOf(text: unknown, scope: Scope): CheckedUpdate | undefined {
  if (text === undefined || text === null) return undefined;
  const checking: Checking = { kind: KIND, scope };
  const parsed = parseUpdate(KIND, String(text));
  const { tree } = parsed;
  scope.requireNames(KIND, parsed);
  const remove = tree.remove.map((path) => scope.path(path));
  const [setPaths, addPaths, deletePaths] = [tree.set, tree.add, tree.delete].map((clauses) =>
    clauses.map(({ path }) => scope.path(path)),
  );
  const paths = [...(setPaths ?? []), ...remove, ...(addPaths ?? []), ...(deletePaths ?? [])];
  requireApart(KIND, paths);
  scope.requireValues(KIND, parsed);
  const add = changes('ADD', tree.add, ['N', ...SETS], scope);
  const removeMembers = changes('DELETE', tree.delete, SETS, scope);
  const set = tree.set.map(({ path, operand }) => ({
    ...updateOperand(operand, checking),
    path: scope.path(path),
  }));
  const given = set.flatMap(({ path: [name, ...rest], constant }) =>
    constant && rest.length === 0 ? [[String(name), constant] as const] : [],
  );
  return {
    paths,
    given: Object.fromEntries(given),
    applied(item) {
      const writes: Write[] = [
        ...add.map(({ path, value }) => ({ path, value: sumOf(valueAt(item, path), value) })),
        ...removeMembers.map(({ path, value }) => ({ path, value: without(valueAt(item, path), value) })),
        ...set.map(({ path, evaluate }) => {
          requireHolder(item, path);
          return { path, value: required(evaluate(item)) };
        }),
        ...remove.map((path) => ({ path, value: undefined })),
      ];
      return written(item, writes);
    },
  };
}

const invalidPath = () =>
  invalid('The document path provided in the update expression is invalid for update');

/** The parent of a path's last part. Throws ValidationException if there is none. */
function requireHolder(item: Item, path: Path): void {
  const last = path.at(-1);
  const parent = path.length === 1 ? { M: item } : valueAt(item, path.slice(0, -1));
  if (typeof last === 'string' ? !parent?.M : !parent?.L) throw invalidPath();
}

/** The item with the writes applied. Only parents of changes are copied, because values may be shared between items. */
function written(item: Item, writes: readonly Write[]): Item {
  const result: Item = { ...item };
  const copies = new Set<AttributeValue>();
  const positions = writes.map(({ path, value }) => {
    if (value && path.length - 1 + levelsOf(value) > LEVELS_MAX)
      throw invalid('Nesting Levels have exceeded supported limits');
    return { parent: ownHolder(result, path, copies), last: path.at(-1), value };
  });
  for (const { parent, last, value } of inOrder(positions)) {
    if (typeof last === 'number' && parent.L) {
      if (value) parent.L[Math.min(last, parent.L.length)] = value;
      else parent.L.splice(last, 1);
    } else if (typeof last === 'string' && parent.M) {
      if (value) setMember(parent.M, last, value);
      else Reflect.deleteProperty(parent.M, last);
    } else throw invalidPath();
  }
  return result;
}

/** The parent of a path's last part, copied for this update. */
function ownHolder(item: Item, path: Path, copies: Set<AttributeValue>): AttributeValue {
  let parent: AttributeValue = { M: item };
  for (const part of path.slice(0, -1)) {
    const member = memberOf(parent, part);
    if (!member?.L && !member?.M) throw invalidPath();
    const own = copies.has(member) ? member : member.L ? { L: [...member.L] } : { M: { ...member.M } };
    copies.add(own);
    if (typeof part === 'number') parent.L?.splice(part, 1, own);
    else if (parent.M) setMember(parent.M, part, own);
    parent = own;
  }
  return parent;
}

function setMember(map: Item, name: string, value: AttributeValue): void {
  // Assigning to this name would change the prototype.
  if (name === '__proto__')
    Object.defineProperty(map, name, { value, enumerable: true, configurable: true, writable: true });
  else map[name] = value;
}

interface Position {
  parent: AttributeValue;
  last: PathPart | undefined;
  value: AttributeValue | undefined;
}

/** Sets first, by ascending index, so that values beyond the end are appended; then removals, by descending index. */
function inOrder(positions: Position[]): Position[] {
  if (positions.length < 2) return positions;
  const index = ({ last }: Position) => (typeof last === 'number' ? last : -1);
  const { set = [], gone = [] } = Object.groupBy(positions, ({ value }) => (value ? 'set' : 'gone'));
  return [...set.toSorted((a, b) => index(a) - index(b)), ...gone.toSorted((a, b) => index(b) - index(a))];
}

function changes(
  operator: 'ADD' | 'DELETE',
  clauses: readonly Change[],
  types: readonly ValueType[],
  scope: Scope,
): { path: Path; value: AttributeValue }[] {
  return clauses.map(({ path, token }) => {
    const value = scope.value(token);
    const type = typeOf(value);
    if (!types.includes(type))
      throw invalid(
        `Invalid ${KIND}: Incorrect operand type for operator or function; operator: ${operator}, operand type: ${LONG_NAMES[type]}, typeSet: ALLOWED_FOR_${operator}_OPERAND`,
      );
    return { path: scope.path(path), value };
  });
}

function sumOf(present: AttributeValue | undefined, value: AttributeValue): AttributeValue {
  if (!present) return value;
  if (present.N !== undefined && value.N !== undefined) return { N: addNumbers(present.N, value.N, 1) };
  const type = typeOf(value);
  const [old, added] = [membersOf(present), membersOf(value)];
  if (!old || !added || typeOf(present) !== type) throw wrongType();
  return { [type]: [...new Set([...old, ...added])] };
}

/** What is left of a set; undefined if nothing is. */
function without(present: AttributeValue | undefined, value: AttributeValue): AttributeValue | undefined {
  if (!present) return undefined;
  const type = typeOf(value);
  const [old, gone] = [membersOf(present), membersOf(value)];
  if (!old || !gone || typeOf(present) !== type) throw wrongType();
  const rest = old.filter((member) => !gone.includes(member));
  return rest.length > 0 ? { [type]: rest } : undefined;
}
