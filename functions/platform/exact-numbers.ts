// Numbers of a JSON text that a double does not keep: parsed as they are, another number would be written again.
import { newNonce } from './ids.ts';

const [QUOTE, BACKSLASH, MINUS, ZERO, NINE] = [0x22, 0x5c, 0x2d, 0x30, 0x39];
/** So many characters without an exponent always have a double. */
const ALWAYS_EXACT = 15;
/** Longer ones are not looked at: no double is written with so many. */
const LITERAL_MAX = 400;
const LITERAL = /^-?(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** Begins a text that stands for a literal. No client can know it. */
const MARK = newNonce();

/** The text, in which each number that would change is a string that `inexactLiteral` recognizes. */
export function markInexact(text: string): string {
  const pieces: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) at = endOfString(text, at);
    else if (sign === MINUS || isDigit(sign)) {
      const end = endOfNumber(text, at);
      if (isInexact(text.slice(at, end))) {
        pieces.push(
          text.slice(from, at),
          JSON.stringify(MARK + text.slice(at, Math.min(end, at + LITERAL_MAX))),
        );
        from = end;
      }
      at = end - 1;
    }
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(from);
}

/** The literal for which a value of a marked text stands, if it stands for one. */
export function inexactLiteral(value: unknown): string | undefined {
  return typeof value === 'string' && value.startsWith(MARK) ? value.slice(MARK.length) : undefined;
}

const isDigit = (sign: number) => sign >= ZERO && sign <= NINE;

function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (let sign = text.charCodeAt(at); at < text.length && sign !== QUOTE; sign = text.charCodeAt(at))
    at += sign === BACKSLASH ? 2 : 1;
  return at;
}

function endOfNumber(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && /[\d.eE+-]/.test(text.charAt(at))) at += 1;
  return at;
}

/** What is malformed is left to the parser, and what is infinite to those who judge values. */
function isInexact(literal: string): boolean {
  if (literal.length <= ALWAYS_EXACT && !/[eE]/.test(literal)) return false;
  if (!LITERAL.test(literal) || !Number.isFinite(Number(literal))) return false;
  return literal.length > LITERAL_MAX || decimal(literal) !== decimal(String(Number(literal)));
}

/** The one spelling of a number: its digits without zeros at the edges, and the power of ten of the last one. */
function decimal(literal: string): string {
  const [, whole = '', fraction = '', exponent = '0'] = LITERAL.exec(literal) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return `${literal.startsWith('-') ? '-' : ''}${significant}e${power}`;
}
