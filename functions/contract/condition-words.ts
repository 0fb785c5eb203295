// Conditions in words, for messages and titles.
import { type Condition, numberField, type Scalar, type Where } from './conditions.ts';

/** How a condition reads, before its value. */
const operatorPhrases: Record<Exclude<Condition['op'], 'exists'>, string> = {
  '=': 'is',
  '!=': 'is not',
  '<': 'is less than',
  '<=': 'is at most',
  '>': 'is more than',
  '>=': 'is at least',
  in: 'is one of',
  contains: 'contains',
  starts_with: 'starts with',
};

/** A condition as people read it: `total is more than 5000 and status is "paid"`. */
export function conditionInWords(where: Where): string {
  if ('and' in where) return where.and.map(memberInWords).join(' and ');
  if ('or' in where) return where.or.map(memberInWords).join(' or ');
  if ('not' in where) return `not (${conditionInWords(where.not)})`;
  if (numberField(where) !== undefined) return `${where.field} is a number`;
  if (where.op === 'exists') return `${where.field} has ${where.value ? 'a' : 'no'} value`;
  return `${where.field} ${operatorPhrases[where.op]} ${listInWords([where.value].flat().map(scalar), 'or')}`;
}

/** A member of a group; groups in it get brackets. */
function memberInWords(where: Where): string {
  const words = conditionInWords(where);
  return 'and' in where || 'or' in where ? `(${words})` : words;
}

const scalar = (value: Scalar) => (typeof value === 'string' ? quote(value) : String(value));
/** A text in quotation marks. */
export const quote = (text: string) => `"${text}"`;

/** Texts with commas between them, and the word before the last. */
export function listInWords(texts: string[], word: string): string {
  if (texts.length < 2) return texts.join('');
  return `${texts.slice(0, -1).join(', ')} ${word} ${texts.at(-1)}`;
}
