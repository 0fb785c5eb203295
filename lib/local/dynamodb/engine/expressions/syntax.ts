// The grammar of DynamoDB's expressions. Each text is parsed once.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.OperatorsAndFunctions.html
import { isReserved } from './reserved-words.ts';
import { END, type ExpressionKind, isKeyword, Reader } from './tokens.ts';

/** A name as written, `#placeholder` or plain, or a list index. */
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

export interface Change {
  path: PathPart[];
  /** The placeholder of the value. */
  token: string;
}

export interface Update {
  set: { path: PathPart[]; operand: Operand }[];
  remove: PathPart[][];
  add: Change[];
  delete: Change[];
}

/** An expression and its placeholders. */
export interface Parsed<T> {
  tree: T;
  names: readonly string[];
  values: readonly string[];
  /** All its paths. */
  paths: readonly PathPart[][];
}

const COMPARATORS: readonly string[] = ['=', '<>', '<', '<=', '>', '>='];
const PATH_LEVELS_MAX = 32;
const INDEX = /^\d+$/;
const INDEX_MAX = 2 ** 31 - 1;

function readName(reader: Reader): string {
  const token = reader.next;
  const isPlaceholder = token.length > 1 && token.startsWith('#');
  if (!isPlaceholder && (!/^[A-Za-z]/.test(token) || isKeyword(token))) throw reader.wrong();
  reader.take();
  if (isPlaceholder) reader.names.add(token);
  else if (isReserved(token))
    reader.tellLater(`Attribute name is a reserved keyword; reserved keyword: ${token}`);
  return token;
}

function readPath(reader: Reader): PathPart[] {
  const path: PathPart[] = [readName(reader)];
  reader.paths.push(path);
  for (;;) {
    if (reader.has('.')) path.push(readName(reader));
    else if (reader.has('[')) {
      if (!INDEX.test(reader.next)) throw reader.wrong();
      const index = reader.take();
      if (Number(index) > INDEX_MAX)
        reader.tellLater(`List index is not within the allowable range; index: [${index}]`);
      path.push(Number(index));
      reader.must(']');
    } else {
      if (path.length > PATH_LEVELS_MAX)
        reader.tellLater(`The document path has too many nesting levels; nesting levels: ${path.length}`);
      return path;
    }
  }
}

function readValue(reader: Reader): string {
  const token = reader.next;
  if (token.length < 2 || !token.startsWith(':')) throw reader.wrong();
  reader.values.add(token);
  return reader.take();
}

function readCall(reader: Reader): { kind: 'call'; name: string; args: Operand[] } {
  const name = reader.take();
  reader.countOperator();
  reader.must('(');
  const args = reader.list(() => readOperand(reader));
  reader.must(')');
  return { kind: 'call', name, args };
}

function readOperand(reader: Reader): Operand {
  if (reader.has('(')) return reader.inParentheses(() => readOperand(reader));
  if (reader.next.startsWith(':')) return { kind: 'value', token: readValue(reader) };
  if (reader.afterNext === '(' && /^[A-Za-z]/.test(reader.next) && !isKeyword(reader.next))
    return readCall(reader);
  return { kind: 'path', path: readPath(reader) };
}

/** Parentheses may turn out to enclose the operand of what follows. */
type Found = Condition | Extract<Operand, { kind: 'path' | 'value' | 'sum' }>;

function isCondition(found: Found): found is Condition {
  return found.kind !== 'path' && found.kind !== 'value' && found.kind !== 'sum';
}

function asCondition(found: Found, reader: Reader): Condition {
  if (isCondition(found)) return found;
  throw reader.wrong();
}

function isOperand(found: Found): found is Operand & Found {
  return !isCondition(found) || found.kind === 'call';
}

function isComparator(token: string): token is Comparator {
  return COMPARATORS.includes(token);
}

const beginsTest = (token: string) => isComparator(token) || ['BETWEEN', 'IN'].includes(token.toUpperCase());

function readTest(reader: Reader): Found {
  if (!reader.has('(')) return readRest(readOperand(reader), reader);
  const inner = reader.inParentheses(() => readAny(reader));
  if (isOperand(inner) && beginsTest(reader.next)) return readRest(inner, reader);
  return inner;
}

/** The comparison that follows an operand, or the operand itself before a closing parenthesis. */
function readRest(operand: Operand, reader: Reader): Found {
  if (beginsTest(reader.next)) reader.countOperator();
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
  if (operand.kind === 'call' || reader.next === ')') return operand;
  throw reader.wrong();
}

function readNot(reader: Reader): Found {
  if (!reader.has('NOT')) return readTest(reader);
  reader.countOperator();
  return { kind: 'not', inner: asCondition(readNot(reader), reader) };
}

function joined(reader: Reader, word: 'AND' | 'OR', read: (reader: Reader) => Found): Found {
  const kind = word === 'AND' ? 'and' : 'or';
  let found = read(reader);
  while (reader.next.toUpperCase() === word) {
    const left = asCondition(found, reader);
    reader.take();
    reader.countOperator();
    found = { kind, left, right: asCondition(read(reader), reader) };
  }
  return found;
}

function readAny(reader: Reader): Found {
  return joined(reader, 'OR', (one) => joined(one, 'AND', readNot));
}

/** A value of SET. Parentheses may enclose an operand or the whole sum. */
function readSum(reader: Reader): Operand {
  if (reader.has('(')) {
    const inner = reader.inParentheses(() => readSum(reader));
    return inner.kind === 'sum' ? inner : readAddend(inner, reader);
  }
  return readAddend(readOperand(reader), reader);
}

function readAddend(left: Operand, reader: Reader): Operand {
  const sign = reader.next;
  if (sign !== '+' && sign !== '-') return left;
  reader.take();
  reader.countOperator();
  return { kind: 'sum', sign, left, right: readOperand(reader) };
}

function readAssignment(reader: Reader): Update['set'][number] {
  const path = readPath(reader);
  reader.must('=');
  return { path, operand: readSum(reader) };
}

function readUpdate(reader: Reader): Update {
  const update: Update = { set: [], remove: [], add: [], delete: [] };
  const change = () => ({ path: readPath(reader), token: readValue(reader) });
  const seen = new Set<string>();
  do {
    const section = reader.next.toUpperCase();
    if (reader.has('SET')) update.set = reader.list(() => readAssignment(reader));
    else if (reader.has('REMOVE')) update.remove = reader.list(() => readPath(reader));
    else if (reader.has('ADD')) update.add = reader.list(change);
    else if (reader.has('DELETE')) update.delete = reader.list(change);
    else throw reader.wrong();
    if (seen.has(section))
      reader.tellLater(`The "${section}" section can only be used once in an update expression;`);
    seen.add(section);
  } while (reader.next !== END);
  return update;
}

/** Expressions with list indexes have unlimited variants, so the cache is bounded. */
const KNOWN_MAX = 1000;

function once<T>(read: (reader: Reader) => T): (kind: ExpressionKind, text: string) => Parsed<T> {
  const known = new Map<string, Parsed<T>>();
  return (kind, text) => {
    const found = known.get(text);
    if (found) return found;
    const reader = new Reader(kind, text);
    const tree = read(reader);
    reader.end();
    const parsed = { tree, names: [...reader.names], values: [...reader.values], paths: reader.paths };
    if (known.size < KNOWN_MAX) known.set(text, parsed);
    return parsed;
  };
}

/** Parses a condition. Throws ValidationException for a syntax error. */
export const parseCondition = once((reader) => asCondition(readAny(reader), reader));
/** Parses an update. Throws ValidationException for a syntax error. */
export const parseUpdate = once(readUpdate);
/** Parses a projection. Throws ValidationException for a syntax error. */
export const parseProjection = once((reader) => reader.list(() => readPath(reader)));
