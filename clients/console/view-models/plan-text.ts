// The params of a planned step in words.
import { isObject } from './draft.ts';
import { labelOf } from './figures.ts';

/** A param as a label and a text: `Where`, `total > 5000 and not (country = Norway)`. Steps count from 1. */
export function paramText(name: string, value: unknown): { label: string; text: string } {
  if (!Array.isArray(value)) return { label: labelOf(name), text: textOf(value) };
  const isSteps = value.every((one) => typeof one === 'number');
  const texts = value.map((one) => (isSteps ? `step ${Number(one) + 1}` : textOf(one)));
  return { label: labelOf(name.replace(/^steps_to_.*|^context_step_ids$/, 'reads')), text: texts.join(', ') };
}

function textOf(value: unknown): string {
  if (!isObject(value)) return String(value);
  const { and, or, not, field, op, as, direction } = value;
  if (Array.isArray(and)) return and.map(inner).join(' and ');
  if (Array.isArray(or)) return or.map(inner).join(' or ');
  if (not !== undefined) return `not ${inner(not)}`;
  if (as !== undefined) return `${as} = ${op}${field === undefined ? '' : ` of ${field}`}`;
  if (op !== undefined) return `${field} ${String(op).replace('_', ' ')} ${scalarsOf(value.value)}`;
  if (field !== undefined) return `${field} ${direction === 'desc' ? 'descending' : 'ascending'}`;
  return Object.values(value).join(' ');
}

/** A condition inside another one; groups in parentheses. */
const inner = (value: unknown) =>
  isObject(value) && ('and' in value || 'or' in value) ? `(${textOf(value)})` : textOf(value);

const scalarsOf = (value: unknown) => (Array.isArray(value) ? value.join(', ') : String(value));
