// The grammar of DynamoDB's expressions: texts become trees, each text once.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.OperatorsAndFunctions.html
import { invalid } from '../refusals.ts';
import { isReserved } from './reserved-words.ts';

/** A name as it is written, `#placeholder` or plain, or an index of a list. */
export type PathPart = string | number;

export type Operand =
  | { kind: 'path'; path: PathPart[] }
  | { kind: 'value'; token: string }
  | { kind: 'call'; name: string; args: Operand[] }
  | { kind: 'sum'; sign: '+' | '-'; left: Operand; right: Operand };

export type Comparator = '=' | '<>' | '<' | '<=' | '>' | '>=';

export type Condition =
  | { kind: 'compare'; operator: Comparator; left: Operand; right: Operand }
  | { kind: 'between'; operand: Operand; low: Operand; high: Operand }
  | { kind: 'in'; operand: Operand; among: Operand[] }
  | { kind: 'call'; name: string; args: Operand[] }
  | { kind: 'not'; inner: Condition }
  | { kind: 'and' | 'or'; left: Condition; right: Condition };

export interface Update {
  set: { path: PathPart[]; operand: Operand }[];
  remove: PathPart[][];
  add: { path: PathPart[]; operand: Operand }[];
  delete: { path: PathPart[]; operand: Operand }[];
}

/** The parameter that an expression came in, as errors name it. */
export type ExpressionKind =
  | 'ConditionExpression'
  | 'FilterExpression'
  | 'KeyConditionExpression'
  | 'ProjectionExpression'
  | 'UpdateExpression';

const EXPRESSION_BYTES_MAX = 4096;
const TOKEN = /\s*(?:([A-Za-z_][A-Za-z0-9_]*|[#:][A-Za-z0-9_]+|\d+|<>|<=|>=|[=<>()[\],.+-])|(\S))/y;
const COMPARATORS: readonly string[] = ['=', '<>', '<', '<=', '>', '>='];
const KEYWORDS = new Set(['AND', 'OR', 'NOT', 'BETWEEN', 'IN', 'SET', 'REMOVE', 'ADD', 'DELETE']);
const END = '<EOF>';
const NAME = /^[A-Za-z_#]/;
const PATH_LEVELS_MAX = 32;

/** Reads the tokens of one expression from left to right. */
class Reader {
  readonly kind: ExpressionKind;
  /** What the last pair of parentheses held. */
  parenthesized: Condition | undefined;
  readonly #tokens: string[] = [];
  #at = 0;

  constructor(kind: ExpressionKind, text: string) {
    this.kind = kind;
    if (text.trim() === '') throw invalid(`Invalid ${kind}: The expression can not be empty;`);
    if (Buffer.byteLength(text) > EXPRESSION_BYTES_MAX)
      throw invalid(
        `Invalid ${kind}: Expression size has exceeded the maximum allowed size; expression size: ${Buffer.byteLength(text)}`,
      );
    TOKEN.lastIndex = 0;
    const length = text.trimEnd().length;
    while (TOKEN.lastIndex < length) {
      const [, token, wrong] = TOKEN.exec(text) ?? [];
      this.#tokens.push(token ?? wrong ?? '');
      if (token === undefined) {
        this.#at = this.#tokens.length - 1;
        throw this.wrong();
      }
    }
  }

  get next(): string {
    return this.#tokens[this.#at] ?? END;
  }

  get afterNext(): string {
    return this.#tokens[this.#at + 1] ?? END;
  }

  take(): string {
    const token = this.next;
    this.#at += 1;
    return token;
  }

  /** Takes the token if it comes next; keywords in any case. */
  has(token: string): boolean {
    if (this.next !== token && !(KEYWORDS.has(token) && this.next.toUpperCase() === token)) return false;
    this.#at += 1;
    return true;
  }

  must(token: string): void {
    if (!this.has(token)) throw this.wrong();
  }

  /** The refusal of the token that comes next. */
  wrong(): Error {
    const near = [this.#tokens[this.#at - 1], this.#tokens[this.#at], this.#tokens[this.#at + 1]];
    const text = near.filter((token) => token !== undefined).join(' ');
    return this.invalid(`Syntax error; token: "${this.next}", near: "${text}"`);
  }

  invalid(problem: string): Error {
    return invalid(`Invalid ${this.kind}: ${problem}`);
  }

  list<T>(read: () => T): T[] {
    const all = [read()];
    while (this.has(',')) all.push(read());
    return all;
  }
}

function readName(reader: Reader): string {
  const token = reader.next;
  if (!NAME.test(token) || KEYWORDS.has(token.toUpperCase())) throw reader.wrong();
  reader.take();
  if (isReserved(token))
    throw reader.invalid(`Attribute name is a reserved keyword; reserved keyword: ${token}`);
  return token;
}

function readPath(reader: Reader): PathPart[] {
  const path: PathPart[] = [readName(reader)];
  for (;;) {
    if (reader.has('.')) path.push(readName(reader));
    else if (reader.has('[')) {
      if (!/^\d+$/.test(reader.next)) throw reader.wrong();
      path.push(Number(reader.take()));
      reader.must(']');
    } else {
      if (path.length > PATH_LEVELS_MAX)
        throw reader.invalid('The document path has too many nesting elements;');
      return path;
    }
  }
}

function readCall(reader: Reader): { kind: 'call'; name: string; args: Operand[] } {
  const name = reader.take();
  reader.must('(');
  const args = reader.list(() => readOperand(reader));
  reader.must(')');
  return { kind: 'call', name, args };
}

function readOperand(reader: Reader): Operand {
  if (reader.next.startsWith(':')) return { kind: 'value', token: reader.take() };
  if (reader.afterNext === '(' && /^[A-Za-z_]/.test(reader.next)) return readCall(reader);
  return { kind: 'path', path: readPath(reader) };
}

function isComparator(token: string): token is Comparator {
  return COMPARATORS.includes(token);
}

function readTest(reader: Reader): Condition {
  if (reader.has('(')) {
    const inner = readAny(reader);
    reader.must(')');
    if (inner === reader.parenthesized) throw reader.invalid('The expression has redundant parentheses;');
    reader.parenthesized = inner;
    return inner;
  }
  const operand = readOperand(reader);
  if (reader.has('BETWEEN')) {
    const low = readOperand(reader);
    reader.must('AND');
    return { kind: 'between', operand, low, high: readOperand(reader) };
  }
  if (reader.has('IN')) {
    reader.must('(');
    const among = reader.list(() => readOperand(reader));
    reader.must(')');
    return { kind: 'in', operand, among };
  }
  if (isComparator(reader.next)) {
    const operator = reader.next;
    reader.take();
    return { kind: 'compare', operator, left: operand, right: readOperand(reader) };
  }
  if (operand.kind === 'call') return operand;
  throw reader.wrong();
}

function readNot(reader: Reader): Condition {
  return reader.has('NOT') ? { kind: 'not', inner: readNot(reader) } : readTest(reader);
}

function readAll(reader: Reader): Condition {
  let left = readNot(reader);
  while (reader.has('AND')) left = { kind: 'and', left, right: readNot(reader) };
  return left;
}

function readAny(reader: Reader): Condition {
  let left = readAll(reader);
  while (reader.has('OR')) left = { kind: 'or', left, right: readAll(reader) };
  return left;
}

function readSum(reader: Reader): Operand {
  const left = readOperand(reader);
  const sign = reader.next;
  if (sign !== '+' && sign !== '-') return left;
  reader.take();
  return { kind: 'sum', sign, left, right: readOperand(reader) };
}

function readAssignment(reader: Reader): Update['set'][number] {
  const path = readPath(reader);
  reader.must('=');
  return { path, operand: readSum(reader) };
}

function readChange(reader: Reader): Update['add'][number] {
  return { path: readPath(reader), operand: readOperand(reader) };
}

function readUpdate(reader: Reader): Update {
  const update: Update = { set: [], remove: [], add: [], delete: [] };
  const seen = new Set<string>();
  while (reader.next !== END) {
    const section = reader.next.toUpperCase();
    if (seen.has(section))
      throw reader.invalid(`The "${section}" section can only be used once in an update expression;`);
    seen.add(section);
    if (reader.has('SET')) update.set = reader.list(() => readAssignment(reader));
    else if (reader.has('REMOVE')) update.remove = reader.list(() => readPath(reader));
    else if (reader.has('ADD')) update.add = reader.list(() => readChange(reader));
    else if (reader.has('DELETE')) update.delete = reader.list(() => readChange(reader));
    else throw reader.wrong();
  }
  return update;
}

/** Texts that name positions differ without end. */
const KNOWN_MAX = 1000;

function once<T>(read: (reader: Reader) => T): (kind: ExpressionKind, text: string) => T {
  const known = new Map<string, T>();
  return (kind, text) => {
    const found = known.get(text);
    if (found) return found;
    const reader = new Reader(kind, text);
    const tree = read(reader);
    if (reader.next !== END) throw reader.wrong();
    if (known.size < KNOWN_MAX) known.set(text, tree);
    return tree;
  };
}

/** The tree of a condition. Throws ValidationException for a text that is none. */
export const parseCondition = once(readAny);
/** The tree of an update. Throws ValidationException for a text that is none. */
export const parseUpdate = once(readUpdate);
/** The paths of a projection. Throws ValidationException for a text that is none. */
export const parseProjection = once((reader) => reader.list(() => readPath(reader)));
