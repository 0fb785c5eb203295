// The grammar of the expressions that the store sends. Anything else is refused by its first token. Each text is
// parsed once.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.OperatorsAndFunctions.html
import { invalid, unknown } from '../refusals.ts';
import { isReserved } from './reserved-words.ts';

/** A name as written, `#placeholder` or plain, or a list index. */
export type PathPart = string | number;

type Operand = { kind: 'path'; path: PathPart[] } | { kind: 'value'; token: string };
/** An operand of a condition. */
export type Measured = Operand | { kind: 'size'; path: PathPart[] };
/** What SET gives a path. */
export type Assigned =
  | Operand
  | { kind: 'if_not_exists'; path: PathPart[]; otherwise: Operand }
  | { kind: 'list_append' | '+' | '-'; left: Assigned; right: Assigned };

export type Comparator = '=' | '<>' | '<' | '<=' | '>' | '>=';

export type Condition =
  | { kind: 'compare'; operator: Comparator; left: Measured; right: Measured }
  | { kind: 'between'; operand: Measured; low: Measured; high: Measured }
  | { kind: 'exists'; path: PathPart[]; expected: boolean }
  | { kind: 'begins_with'; operand: Measured; prefix: Measured }
  | { kind: 'not'; inner: Condition }
  | { kind: 'and' | 'or'; left: Condition; right: Condition };

/** ADD and DELETE: `token` is the placeholder of the value. */
interface Change {
  path: PathPart[];
  token: string;
}

export interface Update {
  SET: { path: PathPart[]; value: Assigned }[];
  REMOVE: PathPart[][];
  ADD: Change[];
  DELETE: Change[];
}

/** An expression, the placeholders that it uses, and its paths. */
export interface Parsed<T> {
  text: string;
  tree: T;
  placeholders: ReadonlySet<string>;
  paths: readonly PathPart[][];
}

const EXPRESSION_BYTES_MAX = 4096;
const TOKEN = /[A-Za-z]\w*|[#:]\w+|\d+|<>|<=|>=|\S/g;
const COMPARATORS: readonly string[] = ['=', '<>', '<', '<=', '>', '>='];
const SECTIONS = ['SET', 'REMOVE', 'ADD', 'DELETE'] as const;
const END = 'the end';

class Reader {
  readonly placeholders = new Set<string>();
  readonly paths: PathPart[][] = [];
  readonly text: string;
  /** The condition that parentheses enclosed last. */
  enclosed: Condition | undefined;
  readonly #tokens: string[];
  #at = 0;

  constructor(text: string) {
    if (Buffer.byteLength(text) > EXPRESSION_BYTES_MAX) throw invalid('An expression has at most 4 KB');
    this.text = text;
    this.#tokens = text.match(TOKEN) ?? [];
  }

  get next(): string {
    return this.#tokens[this.#at] ?? END;
  }

  take(): string {
    const token = this.next;
    this.#at += 1;
    return token;
  }

  /** Consumes the token if it comes next. */
  has(token: string): boolean {
    if (this.next !== token) return false;
    this.#at += 1;
    return true;
  }

  /** Consumes these tokens. Throws ValidationException when another one comes next. */
  must(...tokens: string[]): void {
    for (const token of tokens) if (!this.has(token)) throw this.wrong();
  }

  wrong(): Error {
    return unknown(`${JSON.stringify(this.next)} at token ${this.#at} of the expression`, this.text);
  }

  list<T>(read: () => T): T[] {
    const all = [read()];
    while (this.has(',')) all.push(read());
    return all;
  }

  name(): string {
    const token = this.next;
    if (token.startsWith('#') && token.length > 1) this.placeholders.add(token);
    else if (!/^[A-Za-z]/.test(token) || token === END || isReserved(token)) throw this.wrong();
    return this.take();
  }

  path(): PathPart[] {
    const path: PathPart[] = [this.name()];
    for (;;) {
      if (this.has('.')) path.push(this.name());
      else if (this.has('[')) {
        if (!/^\d+$/.test(this.next)) throw this.wrong();
        path.push(Number(this.take()));
        this.must(']');
      } else break;
    }
    this.paths.push(path);
    return path;
  }

  value(): string {
    if (!this.next.startsWith(':') || this.next.length < 2) throw this.wrong();
    this.placeholders.add(this.next);
    return this.take();
  }

  operand(): Operand {
    return this.next.startsWith(':')
      ? { kind: 'value', token: this.value() }
      : { kind: 'path', path: this.path() };
  }

  /** The arguments of a function, in parentheses. */
  call<T>(read: () => T): T {
    this.must('(');
    const args = read();
    this.must(')');
    return args;
  }
}

function readMeasured(reader: Reader): Measured {
  if (!reader.has('size')) return reader.operand();
  return { kind: 'size', path: reader.call(() => reader.path()) };
}

function readTest(reader: Reader): Condition {
  if (reader.next === '(') return readParentheses(reader);
  for (const expected of [true, false])
    if (reader.has(expected ? 'attribute_exists' : 'attribute_not_exists'))
      return { kind: 'exists', path: reader.call(() => reader.path()), expected };
  if (reader.has('begins_with'))
    return reader.call(() => {
      const operand = reader.operand();
      reader.must(',');
      return { kind: 'begins_with', operand, prefix: reader.operand() };
    });
  const left = readMeasured(reader);
  if (reader.has('BETWEEN')) {
    const low = readMeasured(reader);
    reader.must('AND');
    return { kind: 'between', operand: left, low, high: readMeasured(reader) };
  }
  const operator = reader.next;
  if (!isComparator(operator)) throw reader.wrong();
  reader.take();
  return { kind: 'compare', operator, left, right: readMeasured(reader) };
}

function readParentheses(reader: Reader): Condition {
  const inner = reader.call(() => readCondition(reader));
  // DynamoDB refuses two pairs of parentheses around the same condition.
  if (reader.enclosed === inner) throw unknown('the second pair of parentheses in', reader.text);
  reader.enclosed = inner;
  return inner;
}

const isComparator = (token: string): token is Comparator => COMPARATORS.includes(token);

function readNot(reader: Reader): Condition {
  return reader.has('NOT') ? { kind: 'not', inner: readNot(reader) } : readTest(reader);
}

function joined(reader: Reader, word: 'AND' | 'OR', read: (reader: Reader) => Condition): Condition {
  const kind = word === 'AND' ? 'and' : 'or';
  let left = read(reader);
  while (reader.has(word)) left = { kind, left, right: read(reader) };
  return left;
}

const readCondition = (reader: Reader): Condition =>
  joined(reader, 'OR', (one) => joined(one, 'AND', readNot));

function readAddend(reader: Reader): Assigned {
  if (reader.has('if_not_exists'))
    return reader.call(() => {
      const path = reader.path();
      reader.must(',');
      return { kind: 'if_not_exists', path, otherwise: reader.operand() };
    });
  if (reader.has('list_append'))
    return reader.call(() => {
      const left = readAddend(reader);
      reader.must(',');
      return { kind: 'list_append', left, right: readAddend(reader) };
    });
  return reader.operand();
}

function readAssigned(reader: Reader): Assigned {
  const left = readAddend(reader);
  const kind = reader.next;
  if (kind !== '+' && kind !== '-') return left;
  reader.take();
  return { kind, left, right: readAddend(reader) };
}

function readUpdate(reader: Reader): Update {
  const update: Update = { SET: [], REMOVE: [], ADD: [], DELETE: [] };
  const change = () => ({ path: reader.path(), token: reader.value() });
  do {
    const section = SECTIONS.find((one) => one === reader.next);
    if (!section || update[section].length > 0) throw reader.wrong();
    reader.take();
    if (section === 'SET')
      update.SET = reader.list(() => {
        const path = reader.path();
        reader.must('=');
        return { path, value: readAssigned(reader) };
      });
    else if (section === 'REMOVE') update.REMOVE = reader.list(() => reader.path());
    else update[section] = reader.list(change);
  } while (reader.next !== END);
  return update;
}

/** Expressions with list indexes have unlimited variants, so the cache is bounded. */
const KNOWN_MAX = 1000;

function once<T>(read: (reader: Reader) => T): (text: unknown) => Parsed<T> | undefined {
  const known = new Map<string, Parsed<T>>();
  return (given) => {
    if (given === undefined) return undefined;
    const text = String(given);
    const found = known.get(text);
    if (found) return found;
    const reader = new Reader(text);
    const tree = read(reader);
    reader.must(END);
    const parsed = { text, tree, placeholders: reader.placeholders, paths: reader.paths };
    if (known.size < KNOWN_MAX) known.set(text, parsed);
    return parsed;
  };
}

/** Parses a condition; undefined without one. Throws ValidationException. */
export const parseCondition = once(readCondition);
/** Parses an update; undefined without one. Throws ValidationException. */
export const parseUpdate = once(readUpdate);
/** Parses a projection; undefined without one. Throws ValidationException. */
export const parseProjection = once((reader) => reader.list(() => reader.path()));
