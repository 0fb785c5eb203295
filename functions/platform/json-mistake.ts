// Where a text stops being JSON, and what is missing there. The messages of JSON.parse name no place for short texts.

export interface JsonMistake {
  /** From 1, as editors count. */
  line: number;
  column: number;
  /** What should be there. */
  expected: string;
}

const SPACE = /[ \t\n\r]*/y;
/** Controls up to U+001F are escaped in a text, later ones need not be. */
const PLAIN = String.raw`[[^"\\\p{Cc}]\u007f-\u009f]*`;
const TEXT = new RegExp(String.raw`"${PLAIN}(?:\\(?:["\\\/bfnrt]|u[0-9a-fA-F]{4})${PLAIN})*"`, 'yv');
const ATOM = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|true\b|false\b|null\b/y;

/** What may come next: in an object a name, after it a colon; anywhere a value; after one a comma or the end. */
type Next = 'value' | 'value or ]' | 'name' | 'name or }' | ':' | 'after';

const words: Readonly<Record<Exclude<Next, 'after'>, string>> = {
  value: 'a value',
  'value or ]': 'a value or `]`',
  name: 'a name in double quotes',
  'name or }': 'a name in double quotes or `}`',
  ':': '`:`',
};

/** Reads a text that JSON.parse refuses. */
class Reading {
  readonly #text: string;
  /** What closes the objects and lists that are open. */
  readonly #open: ('}' | ']')[] = [];
  #at = 0;
  #next: Next = 'value';

  constructor(text: string) {
    this.#text = text;
  }

  mistake(): JsonMistake {
    do this.#take(SPACE);
    while (this.#step());
    const before = this.#text.slice(0, this.#at);
    const line = before.split('\n').length;
    return { line, column: this.#at - before.lastIndexOf('\n'), expected: this.#expected() };
  }

  #expected(): string {
    if (this.#next !== 'after') return words[this.#next];
    const closing = this.#open.at(-1);
    return closing === undefined ? 'the end' : `\`,\` or \`${closing}\``;
  }

  /** Takes one token; false if it is not one that may come. */
  #step(): boolean {
    const sign = this.#text[this.#at];
    const isName = this.#next === 'name' || this.#next === 'name or }';
    if (this.#next === 'after' || sign === ']' || sign === '}') return this.#separate(sign);
    if (this.#next === ':') return sign === ':' && this.#pass('value');
    if (isName) return this.#take(TEXT) && this.#become(':');
    if (sign === '{') return this.#enter('}', 'name or }');
    if (sign === '[') return this.#enter(']', 'value or ]');
    return (this.#take(TEXT) || this.#take(ATOM)) && this.#become('after');
  }

  /** A comma, or the end of what is open. */
  #separate(sign: string | undefined): boolean {
    const closing = this.#open.at(-1);
    if (closing === undefined || sign === undefined) return false;
    if (sign === ',' && this.#next === 'after') return this.#pass(closing === '}' ? 'name' : 'value');
    const mayClose = this.#next === 'after' || this.#next.endsWith(` or ${closing}`);
    if (sign !== closing || !mayClose) return false;
    this.#open.pop();
    return this.#pass('after');
  }

  #enter(closing: '}' | ']', next: Next): boolean {
    this.#open.push(closing);
    return this.#pass(next);
  }

  #pass(next: Next): boolean {
    this.#at += 1;
    return this.#become(next);
  }

  #become(next: Next): true {
    this.#next = next;
    return true;
  }

  #take(token: RegExp): boolean {
    token.lastIndex = this.#at;
    if (!token.test(this.#text)) return false;
    this.#at = token.lastIndex;
    return true;
  }
}

/** The first mistake of a text that is not JSON. */
export function jsonMistake(text: string): JsonMistake {
  return new Reading(text).mistake();
}
