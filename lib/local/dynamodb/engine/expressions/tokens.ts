// Splits expressions into tokens and reads them from left to right.
import { invalid } from '../refusals.ts';

/** The request parameter of the expression, named in errors. */
export type ExpressionKind =
  | 'ConditionExpression'
  | 'FilterExpression'
  | 'KeyConditionExpression'
  | 'ProjectionExpression'
  | 'UpdateExpression';

interface Token {
  text: string;
  from: number;
  to: number;
}

const EXPRESSION_BYTES_MAX = 4096;
const OPERATORS_MAX = 300;
/** An invalid character is a token, too: its position decides whether it is the first error. */
const TOKEN = /[A-Za-z][A-Za-z0-9_]*|[#:][A-Za-z0-9_]+|0|[1-9]\d*|<>|<=|>=|\S/uy;
const BLANK = /\s*/y;
const KEYWORDS = new Set(['AND', 'OR', 'NOT', 'BETWEEN', 'IN', 'SET', 'REMOVE', 'ADD', 'DELETE']);
/** The end of the expression. */
export const END = '<EOF>';

/** Whether a token is a keyword, in any case. */
export const isKeyword = (token: string): boolean => KEYWORDS.has(token.toUpperCase());

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; ; ) {
    BLANK.lastIndex = at;
    BLANK.exec(text);
    TOKEN.lastIndex = BLANK.lastIndex;
    const from = BLANK.lastIndex;
    const found = TOKEN.exec(text)?.[0];
    if (found === undefined) return tokens;
    at = from + found.length;
    tokens.push({ text: found, from, to: at });
  }
}

/** Reads one expression. */
export class Reader {
  readonly kind: ExpressionKind;
  /** Placeholders read so far. */
  readonly names = new Set<string>();
  readonly values = new Set<string>();
  /** Paths read so far. */
  readonly paths: (string | number)[][] = [];
  #inParentheses: object | undefined;
  readonly #text: string;
  readonly #tokens: readonly Token[];
  #at = 0;
  #operators = 0;
  #problem: Error | undefined;

  /** Throws ValidationException for a text that is empty or too long. */
  constructor(kind: ExpressionKind, text: string) {
    this.kind = kind;
    this.#text = text;
    if (text === '') throw this.invalid('The expression can not be empty;');
    const bytes = Buffer.byteLength(text);
    if (bytes > EXPRESSION_BYTES_MAX)
      throw this.invalid(`Expression size has exceeded the maximum allowed size; expression size: ${bytes}`);
    this.#tokens = tokensOf(text);
  }

  get next(): string {
    return this.#tokens[this.#at]?.text ?? END;
  }

  get afterNext(): string {
    return this.#tokens[this.#at + 1]?.text ?? END;
  }

  take(): string {
    const token = this.next;
    this.#at += 1;
    return token;
  }

  /** Consumes the token if it comes next; keywords in any case. */
  has(token: string): boolean {
    if (this.next !== token && !(KEYWORDS.has(token) && this.next.toUpperCase() === token)) return false;
    this.#at += 1;
    return true;
  }

  /** Consumes the token. Throws ValidationException when another one comes next. */
  must(token: string): void {
    if (!this.has(token)) throw this.wrong();
  }

  /** The error for the next token, with its neighbours as written. */
  wrong(): Error {
    const [before, after] = [this.#tokens[this.#at - 1], this.#tokens[this.#at + 1]];
    const near = this.#text.slice(before?.from ?? 0, after?.to);
    return this.invalid(`Syntax error; token: "${this.next}", near: "${near}"`);
  }

  /** Records a semantic error. It is thrown only if the whole text is well-formed. */
  tellLater(problem: string): void {
    this.#problem ??= this.invalid(problem);
  }

  /** Reads what is in parentheses; the opening one is already consumed. */
  inParentheses<T extends object>(read: () => T): T {
    const inner = read();
    this.must(')');
    if (inner === this.#inParentheses) this.tellLater('The expression has redundant parentheses;');
    this.#inParentheses = inner;
    return inner;
  }

  countOperator(): void {
    this.#operators += 1;
  }

  /** Throws ValidationException when tokens are left, or for a recorded error. */
  end(): void {
    if (this.next !== END) throw this.wrong();
    if (this.#problem) throw this.#problem;
    if (this.#operators > OPERATORS_MAX)
      throw this.invalid(`The expression contains too many operators; operator count: ${OPERATORS_MAX + 1}`);
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
