// Conditions in words, for the titles of steps.
import { readField, type Where } from '#contract/conditions.ts';
import { humanName, shown } from '../items.ts';
import type { Question } from './read-query.ts';

const SIGNS: Readonly<Record<string, string>> = {
  '=': 'is',
  '!=': 'is not',
  '<': 'under',
  '<=': 'at most',
  '>': 'over',
  '>=': 'at least',
  contains: 'contains',
  starts_with: 'starts with',
};

/** " where total over 5000 and country is Norway, by total": what a question asks of its records; '' for nothing. */
export function inWords({ where, sort }: Pick<Question, 'where' | 'sort'>): string {
  const order = sort.map(
    ({ field, direction }) => `${named(field)}${direction === 'desc' ? ', greatest first' : ''}`,
  );
  return `${where ? ` where ${said(where)}` : ''}${order.length > 0 ? ` by ${order.join(' and ')}` : ''}`;
}

function said(where: Where, inner = false): string {
  if ('and' in where)
    return bracketed(where.and.map((one) => said(one, true)).join(' and '), inner && where.and.length > 1);
  if ('or' in where)
    return bracketed(where.or.map((one) => said(one, true)).join(' or '), inner && where.or.length > 1);
  if ('not' in where) {
    const { not } = where;
    return 'op' in not && not.op === 'exists' ? `${named(not.field)} is missing` : `not ${said(not, true)}`;
  }
  if (where.op === 'exists') return `${named(where.field)} is ${where.value ? 'known' : 'missing'}`;
  if (where.op === 'in') return `${named(where.field)} is ${where.value.map(shown).join(' or ')}`;
  return `${named(where.field)} ${SIGNS[where.op]} ${shown(where.value)}`;
}

const bracketed = (text: string, isInner: boolean) => (isInner ? `(${text})` : text);

const named = (field: string) => {
  const read = readField(field);
  return humanName('path' in read ? read.path : read.attribute);
};
