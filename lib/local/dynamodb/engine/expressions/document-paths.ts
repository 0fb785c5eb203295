// Document paths: the value at a path, and the part of an item that several paths select.
import type { AttributeValue, Item } from '../attribute-values.ts';
import { invalid } from '../refusals.ts';
import type { Path, Scope } from './scope.ts';
import type { Parsed, PathPart } from './syntax.ts';

/** The value at a path; undefined if there is none. */
export function valueAt(item: Item, path: Path): AttributeValue | undefined {
  let value: AttributeValue | undefined = { M: item };
  for (const part of path) value = value && memberOf(value, part);
  return value;
}

/** The member of a map or list; undefined if there is none. */
export function memberOf({ M, L }: AttributeValue, part: PathPart): AttributeValue | undefined {
  if (typeof part === 'number') return L?.[part];
  return M && Object.hasOwn(M, part) ? M[part] : undefined;
}

/** Throws ValidationException when two paths of an expression are equal, or one is a prefix of the other. */
export function requireApart(paths: readonly Path[]): void {
  for (const [i, one] of paths.entries())
    for (const other of paths.slice(0, i)) {
      const [short, long] = one.length < other.length ? [one, other] : [other, one];
      if (short.every((part, at) => part === long[at]))
        throw invalid(`Two paths of an expression overlap: ${one.join('.')}, ${other.join('.')}`);
    }
}

/** What a projection reads of items. */
export type Projection = (item: Item) => Item;

/** The projection of a request; undefined without one. Throws ValidationException. */
export function projectionOf(parsed: Parsed<PathPart[][]> | undefined, scope: Scope): Projection | undefined {
  if (!parsed) return undefined;
  const paths = parsed.tree.map((path) => scope.path(path));
  requireApart(paths);
  return (item) => selected(item, paths);
}

/** What is selected below a name or index; empty: everything. */
type Selection = Map<PathPart, Selection>;

/** The part of an item at the paths, in the item's structure; gaps in lists close up. */
export function selected(item: Item, paths: readonly Path[]): Item {
  const all: Selection = new Map();
  for (const path of paths) {
    let at = all;
    for (const part of path) {
      const below: Selection = at.get(part) ?? new Map();
      at.set(part, below);
      at = below;
    }
  }
  return selectedOf({ M: item }, all)?.M ?? {};
}

function selectedOf(value: AttributeValue, selection: Selection): AttributeValue | undefined {
  if (selection.size === 0) return value;
  if (value.L) {
    const list = [...selection.entries()]
      .flatMap(([part, below]) => (typeof part === 'number' ? [[part, below] as const] : []))
      .toSorted(([a], [b]) => a - b)
      .flatMap(([part, below]) => chosen(value, part, below));
    return list.length > 0 ? { L: list } : undefined;
  }
  if (!value.M) return undefined;
  const names = [...selection.entries()].flatMap(([part, below]) =>
    chosen(value, part, below).map((one) => [part, one] as const),
  );
  return names.length > 0 ? { M: Object.fromEntries(names) } : undefined;
}

function chosen(value: AttributeValue, part: PathPart, below: Selection): AttributeValue[] {
  const member = memberOf(value, part);
  const found = member && selectedOf(member, below);
  return found ? [found] : [];
}
