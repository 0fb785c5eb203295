// DynamoDB's expressions, as far as the store uses them: conditions, updates and projections, compiled once each.
import type { Item } from '#store/table.ts';
import { InvalidRequest, order, stored, sumOf } from './values.ts';

/** What the placeholders of an expression stand for. */
export interface Placeholders {
  ExpressionAttributeNames?: Record<string, string> | undefined;
  ExpressionAttributeValues?: Record<string, unknown> | undefined;
}

type Operand = (item: Item, given: Placeholders) => unknown;
type Test = (item: Item, given: Placeholders) => boolean;
type Path = (given: Placeholders) => (string | number)[];
type Assignment = (item: Item, given: Placeholders) => { path: (string | number)[]; value: unknown };

/** An update: everything is read from the item before, then written. */
interface Update {
  set: Assignment[];
  remove: Path[];
}

const TOKENS = /\s*([#:]?[A-Za-z_]\w*|\d+|<>|<=|>=|[=<>()[\],.+-])/y;

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  TOKENS.lastIndex = 0;
  while (TOKENS.lastIndex < text.trimEnd().length) {
    const [, token] = TOKENS.exec(text) ?? [];
    if (token === undefined) throw new InvalidRequest(`cannot read ${text}`);
    tokens.push(token);
  }
  return tokens;
}

/** Reads the tokens of one expression from left to right. */
class Reader {
  readonly #tokens: string[];
  #at = 0;
  constructor(text: string) {
    this.#tokens = tokensOf(text);
  }
  get next(): string {
    return this.#tokens[this.#at] ?? '';
  }
  take(): string {
    this.#at += 1;
    return this.#tokens[this.#at - 1] ?? '';
  }
  /** Takes the token if it comes next. */
  has(token: string): boolean {
    if (this.next.toUpperCase() !== token) return false;
    this.#at += 1;
    return true;
  }
  must(token: string): void {
    if (!this.has(token)) throw new InvalidRequest(`${token} is missing before ${this.next}`);
  }
  /** One or more of a kind, between commas. */
  list<T>(read: () => T): T[] {
    const all = [read()];
    while (this.has(',')) all.push(read());
    return all;
  }
}

function nameOf(token: string, { ExpressionAttributeNames: names = {} }: Placeholders): string {
  const name = token.startsWith('#') ? names[token] : token;
  if (name === undefined) throw new InvalidRequest(`${token} is not defined`);
  return name;
}

function givenValue(token: string, { ExpressionAttributeValues: values = {} }: Placeholders): unknown {
  if (!(token in values)) throw new InvalidRequest(`${token} is not defined`);
  return stored(values[token]);
}

function readPath(reader: Reader): Path {
  const parts: ((given: Placeholders) => string | number)[] = [];
  const name = () => {
    const token = reader.take();
    parts.push((given) => nameOf(token, given));
  };
  name();
  for (;;) {
    if (reader.has('.')) name();
    else if (reader.has('[')) {
      const index = Number(reader.take());
      parts.push(() => index);
      reader.must(']');
    } else return (given) => parts.map((part) => part(given));
  }
}

/** What stands at a path; undefined where nothing does. */
export function valueAt(item: Item, path: (string | number)[]): unknown {
  return path.reduce<unknown>((value, part) => {
    if (Array.isArray(value)) return value[Number(part)];
    return typeof value === 'object' && value !== null ? Reflect.get(value, part) : undefined;
  }, item);
}

const functions: Record<string, (args: unknown[]) => unknown> = {
  size: ([value]) => {
    if (typeof value === 'string' || Array.isArray(value)) return value.length;
    return value === undefined ? undefined : Object.keys(Object(value)).length;
  },
  if_not_exists: ([value, otherwise]) => value ?? otherwise,
  list_append: ([left, right]) => {
    if (Array.isArray(left) && Array.isArray(right)) return [...left, ...right];
    throw new InvalidRequest('list_append takes two lists');
  },
  attribute_exists: ([value]) => value !== undefined,
  attribute_not_exists: ([value]) => value === undefined,
  begins_with: ([text, prefix]) => typeof text === 'string' && text.startsWith(String(prefix)),
};

function readOperand(reader: Reader): Operand {
  const call = functions[reader.next];
  if (call) {
    reader.take();
    reader.must('(');
    const args = reader.list(() => readOperand(reader));
    reader.must(')');
    return (item, given) => call(args.map((arg) => arg(item, given)));
  }
  if (reader.next.startsWith(':')) {
    const token = reader.take();
    return (_, given) => givenValue(token, given);
  }
  const path = readPath(reader);
  return (item, given) => valueAt(item, path(given));
}

const comparisons: Record<string, (left: unknown, right: unknown) => boolean> = {
  '=': (left, right) => order(left, right) === 0,
  '<>': (left, right) => order(left, right) !== 0,
  '<': (left, right) => (order(left, right) ?? 0) < 0,
  '>': (left, right) => (order(left, right) ?? 0) > 0,
  '<=': (left, right) => (order(left, right) ?? 1) <= 0,
  '>=': (left, right) => (order(left, right) ?? -1) >= 0,
};

function readTest(reader: Reader): Test {
  if (reader.has('(')) {
    const inner = readAny(reader);
    reader.must(')');
    return inner;
  }
  const left = readOperand(reader);
  if (reader.has('BETWEEN')) {
    const low = readOperand(reader);
    reader.must('AND');
    const high = readOperand(reader);
    return (item, given) =>
      (order(left(item, given), low(item, given)) ?? -1) >= 0 &&
      (order(left(item, given), high(item, given)) ?? 1) <= 0;
  }
  const compare = comparisons[reader.next];
  if (!compare) return (item, given) => left(item, given) === true;
  reader.take();
  const right = readOperand(reader);
  return (item, given) => compare(left(item, given), right(item, given));
}

function readAll(reader: Reader): Test {
  const tests = [readTest(reader)];
  while (reader.has('AND')) tests.push(readTest(reader));
  return (item, given) => tests.every((test) => test(item, given));
}

function readAny(reader: Reader): Test {
  const tests = [readAll(reader)];
  while (reader.has('OR')) tests.push(readAll(reader));
  return (item, given) => tests.some((test) => test(item, given));
}

function readSum(reader: Reader): Operand {
  const left = readOperand(reader);
  const sign = reader.has('+') ? 1 : reader.has('-') ? -1 : undefined;
  if (!sign) return left;
  const right = readOperand(reader);
  return (item, given) => sumOf(left(item, given), right(item, given), sign);
}

function readAssignment(reader: Reader): Assignment {
  const path = readPath(reader);
  reader.must('=');
  const value = readSum(reader);
  return (item, given) => ({ path: path(given), value: value(item, given) });
}

/** `ADD path :value` is a sum with what is there, or with nothing. */
function readAddition(reader: Reader): Assignment {
  const path = readPath(reader);
  const value = readOperand(reader);
  return (item, given) => {
    const at = path(given);
    return { path: at, value: sumOf(valueAt(item, at) ?? 0, value(item, given), 1) };
  };
}

function readUpdate(reader: Reader): Update {
  const update: Update = { set: [], remove: [] };
  while (reader.next !== '') {
    if (reader.has('SET')) update.set.push(...reader.list(() => readAssignment(reader)));
    else if (reader.has('ADD')) update.set.push(...reader.list(() => readAddition(reader)));
    else if (reader.has('REMOVE')) update.remove.push(...reader.list(() => readPath(reader)));
    else throw new InvalidRequest(`${reader.next} is no clause`);
  }
  return update;
}

function compiled<T>(read: (reader: Reader) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const found = known.get(text);
    if (found) return found;
    const reader = new Reader(text);
    const made = read(reader);
    if (reader.next !== '') throw new InvalidRequest(`${reader.next} is too much in ${text}`);
    // Texts that name positions differ without end.
    if (known.size < 1000) known.set(text, made);
    return made;
  };
}

/** The condition of a text. */
export const conditionOf: (text: string) => Test = compiled(readAny);
/** The update of a text. */
export const updateOf: (text: string) => Update = compiled(readUpdate);
/** The paths of a projection. */
export const projectionOf: (text: string) => Path[] = compiled((reader) =>
  reader.list(() => readPath(reader)),
);
