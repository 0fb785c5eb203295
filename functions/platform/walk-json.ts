// Walks JSON values of any depth, and says what the store cannot return unchanged.

/** Names of members and indexes of elements, starting at the root. */
export type JsonPath = (string | number)[];

/** An object or array being walked. An array has no names. */
interface Open {
  value: object;
  names: string[] | undefined;
  length: number;
  next: number;
}

/**
 * Yields a value and every value in it, each before its members, in the order of the text. `path` is where the value
 * last yielded is; one array serves all of them, because a copy for each would take longer than the walk. Not
 * recursive: hostile nesting would overflow the stack.
 */
export function* walkJson(root: unknown, path: JsonPath = []): Generator<unknown, void> {
  const open: Open[] = [];
  const enter = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) open.push({ value, names: undefined, length: value.length, next: 0 });
    else {
      const names = Object.keys(value);
      open.push({ value, names, length: names.length, next: 0 });
    }
  };
  yield root;
  enter(root);
  for (let last = open.at(-1); last; last = open.at(-1)) {
    if (last.next === last.length) {
      open.pop();
      continue;
    }
    const key = last.names ? (last.names[last.next] ?? '') : last.next;
    last.next += 1;
    path.length = open.length - 1;
    path.push(key);
    const member: unknown = Reflect.get(last.value, key);
    yield member;
    enter(member);
  }
}

/**
 * Whether the store returns a number or text unchanged. True for every other value: its members are judged one by one.
 */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value !== 'string' || value.isWellFormed();
}

/** Whether the store returns a member of this name. */
export function isStorableName(name: string): boolean {
  return name !== '__proto__' && name.isWellFormed();
}
