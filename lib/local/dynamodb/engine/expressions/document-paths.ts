// Document paths: the value at a path, and the part of an item that several paths select.
import type { AttributeValue, Item } from '../attribute-values.ts';
import { invalid } from '../refusals.ts';
import { type Path, type Scope, shownPath } from './scope.ts';
import { type PathPart, parseProjection } from './syntax.ts';
import type { ExpressionKind } from './tokens.ts';

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

/**
 * Throws ValidationException when two paths are equal, one is a prefix of the other, or they treat one position as
 * both map and list.
 */
export function requireApart(kind: ExpressionKind, paths: readonly Path[]): void {
  for (const [i, one] of paths.entries())
    for (const other of paths.slice(0, i)) {
      const problem = clash(other, one);
      if (problem)
        throw invalid(
          `Invalid ${kind}: Two document paths ${problem} with each other; must remove or rewrite one of these paths; path one: ${shownPath(other)}, path two: ${shownPath(one)}`,
        );
    }
}

function clash(one: Path, other: Path): 'overlap' | 'conflict' | undefined {
  for (let i = 0; ; i += 1) {
    const [a, b] = [one[i], other[i]];
    if (a === undefined || b === undefined) return 'overlap';
    if (typeof a !== typeof b) return 'conflict';
    if (a !== b) return undefined;
  }
}

/** The part of an item that a read returns. */
export interface Projection {
  paths: readonly Path[];
  of(item: Item): Item;
}

/** Parses a projection; undefined without one. Throws ValidationException. */
export function projectionOf(text: unknown, scope: Scope): Projection | undefined {
  if (text === undefined || text === null) return undefined;
  const kind = 'ProjectionExpression';
  const parsed = parseProjection(kind, String(text));
  scope.requireNames(kind, parsed);
  const paths = parsed.tree.map((path) => scope.path(path));
  requireApart(kind, paths);
  return { paths, of: (item) => selected(item, paths) };
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
