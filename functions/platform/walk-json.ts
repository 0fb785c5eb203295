// Walks JSON values of any depth.
/** Names of members and indexes of elements, starting at the root. */
export type JsonPath = (string | number)[];

/** An object or array being walked. An array has no names. */
interface Open {
  names: string[] | undefined;
  members: unknown[];
  next: number;
}

/**
 * Calls `visit` for a value and every value in it, each before its members, in the order of the text, until it returns
 * something. Returns that. `path` is the same array each time, because copies would take longer than the walk. Not
 * recursive: hostile nesting would overflow the stack.
 */
export function walkJson<R>(
  root: unknown,
  visit: (value: unknown, path: JsonPath) => R | undefined,
): R | undefined {
  const path: JsonPath = [];
  const open: Open[] = [];
  for (let value = root; ; ) {
    const result = visit(value, path);
    if (result !== undefined) return result;
    if (typeof value === 'object' && value !== null) open.push(openMembers(value));
    let last = open.at(-1);
    while (last && last.next === last.members.length) {
      open.pop();
      last = open.at(-1);
    }
    if (!last) return undefined;
    path[open.length - 1] = last.names?.[last.next] ?? last.next;
    path.length = open.length;
    value = last.members[last.next];
    last.next += 1;
  }
}

function openMembers(value: object): Open {
  if (Array.isArray(value)) return { names: undefined, members: value, next: 0 };
  return { names: Object.keys(value), members: Object.values(value), next: 0 };
}
