// Update expressions: what an item becomes by one.
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
  /** Every path that it writes. */
  paths: Path[];
  /** Attributes that get a value of the request as it is. */
  given: Item;
  /**
   * The item as it becomes; what was given stays as it is. Throws ValidationException when the update does not fit it.
   */
  applied(item: Item): Item;
}

/** A path, and what is to stand there; undefined: nothing. */
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

/** The update of a text; undefined without one. Throws ValidationException. */
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

/** What holds the last part of a path. Throws ValidationException when nothing does. */
function requireHolder(item: Item, path: Path): void {
  const last = path.at(-1);
  const holder = path.length === 1 ? { M: item } : valueAt(item, path.slice(0, -1));
  if (typeof last === 'string' ? !holder?.M : !holder?.L) throw invalidPath();
}

/** The item with what is written; only what holds it is copied, so that values of the item may stand in two places. */
function written(item: Item, writes: readonly Write[]): Item {
  const result: Item = { ...item };
  const copies = new Set<AttributeValue>();
  const places = writes.map(({ path, value }) => {
    if (value && path.length - 1 + levelsOf(value) > LEVELS_MAX)
      throw invalid('Nesting Levels have exceeded supported limits');
    return { holder: ownHolder(result, path, copies), last: path.at(-1), value };
  });
  for (const { holder, last, value } of inOrder(places)) {
    if (typeof last === 'number' && holder.L) {
      if (value) holder.L[Math.min(last, holder.L.length)] = value;
      else holder.L.splice(last, 1);
    } else if (typeof last === 'string' && holder.M) {
      if (value) setMember(holder.M, last, value);
      else Reflect.deleteProperty(holder.M, last);
    } else throw invalidPath();
  }
  return result;
}

/** What holds the last part of a path, and belongs to this update alone. */
function ownHolder(item: Item, path: Path, copies: Set<AttributeValue>): AttributeValue {
  let holder: AttributeValue = { M: item };
  for (const part of path.slice(0, -1)) {
    const member = memberOf(holder, part);
    if (!member?.L && !member?.M) throw invalidPath();
    const own = copies.has(member) ? member : member.L ? { L: [...member.L] } : { M: { ...member.M } };
    copies.add(own);
    if (typeof part === 'number') holder.L?.splice(part, 1, own);
    else if (holder.M) setMember(holder.M, part, own);
    holder = own;
  }
  return holder;
}

function setMember(map: Item, name: string, value: AttributeValue): void {
  // Assigning to this name would change the object's prototype.
  if (name === '__proto__')
    Object.defineProperty(map, name, { value, enumerable: true, configurable: true, writable: true });
  else map[name] = value;
}

interface Place {
  holder: AttributeValue;
  last: PathPart | undefined;
  value: AttributeValue | undefined;
}

/**
 * First what is set, by rising index, so that what lies beyond an end is appended; then what goes, by falling index.
 */
function inOrder(places: Place[]): Place[] {
  if (places.length < 2) return places;
  const index = ({ last }: Place) => (typeof last === 'number' ? last : -1);
  const { set = [], gone = [] } = Object.groupBy(places, ({ value }) => (value ? 'set' : 'gone'));
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

/** The rest of a set; undefined when nothing is left of it. */
function without(present: AttributeValue | undefined, value: AttributeValue): AttributeValue | undefined {
  if (!present) return undefined;
  const type = typeOf(value);
  const [old, gone] = [membersOf(present), membersOf(value)];
  if (!old || !gone || typeOf(present) !== type) throw wrongType();
  const rest = old.filter((member) => !gone.includes(member));
  return rest.length > 0 ? { [type]: rest } : undefined;
}
