// Update expressions: how they change an item.
import { type AttributeValue, type Item, requireLevels, setMember } from '../attribute-values.ts';
import { addNumbers } from '../decimal.ts';
import { invalid } from '../refusals.ts';
import { memberOf, requireApart, valueAt } from './document-paths.ts';
import type { Path, Scope } from './scope.ts';
import type { Assigned, Parsed, PathPart, Update } from './syntax.ts';

/** A checked update. */
export interface CheckedUpdate {
  /** All paths that it writes. */
  paths: Path[];
  /** The changed item; the original is not modified. Throws ValidationException when the update does not fit. */
  apply(item: Item): Item;
}

/** A path and its new value; undefined: removed. */
interface Write {
  path: Path;
  value: AttributeValue | undefined;
}

const unfit = (path: Path) => invalid(`The update does not fit the item at ${path.join('.')}`);

/** The update of a request. Throws ValidationException for paths that overlap. */
export function updateOf({ tree }: Parsed<Update>, scope: Scope): CheckedUpdate {
  const placed = <T extends { path: PathPart[] }>(parts: T[]) =>
    parts.map((part) => ({ ...part, path: scope.path(part.path) }));
  const [set, add, remove] = [placed(tree.SET), placed(tree.ADD), placed(tree.DELETE)];
  const removed = tree.REMOVE.map((path) => scope.path(path));
  const paths = [...[...set, ...add, ...remove].map(({ path }) => path), ...removed];
  requireApart(paths);
  return {
    paths,
    apply: (item) =>
      written(item, [
        ...set.map(({ path, value }) => ({ path, value: assigned(item, value, scope) })),
        ...add.map(({ path, token }) => ({ path, value: sum(item, path, scope.value(token)) })),
        ...remove.map(({ path, token }) => ({ path, value: without(item, path, scope.value(token)) })),
        ...removed.map((path) => ({ path, value: undefined })),
      ]),
  };
}

/** What SET gives a path. Throws ValidationException if the item lacks what it is made of. */
function assigned(item: Item, value: Assigned, scope: Scope): AttributeValue {
  switch (value.kind) {
    case 'value':
      return scope.value(value.token);
    case 'if_not_exists':
      return valueAt(item, scope.path(value.path)) ?? assigned(item, value.otherwise, scope);
    case 'path': {
      const path = scope.path(value.path);
      const found = valueAt(item, path);
      if (!found) throw unfit(path);
      return found;
    }
    case 'list_append': {
      const [a, b] = [assigned(item, value.left, scope), assigned(item, value.right, scope)];
      if (!a.L || !b.L) throw invalid('list_append takes lists');
      return { L: [...a.L, ...b.L] };
    }
    default: {
      const [a, b] = [assigned(item, value.left, scope), assigned(item, value.right, scope)];
      if (a.N === undefined || b.N === undefined) throw invalid(`${value.kind} takes numbers`);
      return { N: addNumbers(a.N, b.N, value.kind === '+' ? 1 : -1) };
    }
  }
}

/** ADD: a number is added, members join a set. */
function sum(item: Item, path: Path, added: AttributeValue): AttributeValue {
  const present = valueAt(item, path) ?? (added.N === undefined ? { SS: [] } : { N: '0' });
  if (present.N !== undefined && added.N !== undefined) return { N: addNumbers(present.N, added.N, 1) };
  if (!present.SS || !added.SS) throw unfit(path);
  return { SS: [...new Set([...present.SS, ...added.SS])] };
}

/** DELETE: what is left of a set; undefined if nothing is. */
function without(item: Item, path: Path, removed: AttributeValue): AttributeValue | undefined {
  const present = valueAt(item, path) ?? { SS: [] };
  if (!present.SS || !removed.SS) throw unfit(path);
  const rest = present.SS.filter((member) => !removed.SS?.includes(member));
  return rest.length > 0 ? { SS: rest } : undefined;
}

/** The item with the writes applied. Only parents of changes are copied, because values may be shared between items. */
function written(item: Item, writes: readonly Write[]): Item {
  const result: Item = { ...item };
  const copies = new Set<AttributeValue>();
  const positions = writes.map(({ path, value }) => ({
    ...{ path, value },
    parent: ownParent(result, path, copies),
    last: path.at(-1),
  }));
  // Values beyond the end of a list are appended in the order of their indexes; removals come last, from the end.
  const index = ({ last }: { last: PathPart | undefined }) => (typeof last === 'number' ? last : -1);
  const { set = [], gone = [] } = Object.groupBy(positions, ({ value }) => (value ? 'set' : 'gone'));
  const inOrder = [
    ...set.toSorted((a, b) => index(a) - index(b)),
    ...gone.toSorted((a, b) => index(b) - index(a)),
  ];
  for (const { path, parent, last, value } of inOrder) {
    if (typeof last === 'number' && parent.L) {
      if (value) parent.L[Math.min(last, parent.L.length)] = value;
      else parent.L.splice(last, 1);
    } else if (typeof last === 'string' && parent.M) {
      if (value) setMember(parent.M, last, value);
      else Reflect.deleteProperty(parent.M, last);
    } else throw unfit(path);
  }
  requireLevels(result);
  return result;
}

/** The parent of a path's last part, copied for this update. */
function ownParent(item: Item, path: Path, copies: Set<AttributeValue>): AttributeValue {
  let parent: AttributeValue = { M: item };
  for (const part of path.slice(0, -1)) {
    const member = memberOf(parent, part);
    if (!member?.L && !member?.M) throw unfit(path);
    const own = copies.has(member) ? member : member.L ? { L: [...member.L] } : { M: { ...member.M } };
    copies.add(own);
    if (typeof part === 'number') parent.L?.splice(part, 1, own);
    else if (parent.M) setMember(parent.M, part, own);
    parent = own;
  }
  return parent;
}
