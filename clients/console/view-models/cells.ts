// The cells of a table as a reader sees them: one form per column, so that its values line up.
import { parseRecordLinks, type Row } from '../../sdk/index.ts';
import { dateText, labelOf } from './figures.ts';

export interface Column {
  name: string;
  label: string;
  /** All its values are numbers. */
  isNumeric: boolean;
  /** A number in the column's form. */
  write: (value: number) => string;
}

/** A value in its visible form. */
export type Cell =
  | { kind: 'empty' }
  | { kind: 'number'; text: string; exact: string }
  | { kind: 'date'; text: string; iso: string }
  | { kind: 'chips'; entries: readonly string[] }
  | { kind: 'text'; text: string; isLong: boolean };

/** Longer texts are cut until they are asked for; in a row, to one line, so that rows have one height. */
const LONG_CHARACTERS = { alone: 140, inRow: 44 } as const;

/** The columns of a table: their labels, and the form of their numbers. */
export function columnsOf(names: readonly string[], rows: readonly Row[]): Column[] {
  return names.map((name) => {
    const values = rows.map((row) => row[name]).filter((value) => !isEmpty(value));
    const numbers = values.filter((value) => typeof value === 'number');
    const { format } = numberFormat(name, numbers);
    return {
      name,
      label: labelOf(name),
      isNumeric: numbers.length > 0 && numbers.length === values.length,
      write: format,
    };
  });
}

/** Numbers that name something rather than count it. */
const NAMES_SOMETHING = /(^|[_.\s])(id|zip|postcode|code|year|phone)$/i;
const YEARS = { from: 1500, to: 2200 };

/** Years and codes have no separators; the others have the same decimals, at most as many as matter. */
function numberFormat(name: string, numbers: readonly number[]): Intl.NumberFormat {
  const largest = numbers.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
  const decimals = numbers.reduce((most, one) => Math.max(most, decimalsOf(one)), 0);
  const digits = Math.min(decimals, largest >= 10 ? 2 : largest >= 0.01 ? 4 : 9);
  const areYears = numbers.every((one) => Number.isInteger(one) && one >= YEARS.from && one <= YEARS.to);
  return new Intl.NumberFormat('en', {
    useGrouping: !areYears && !NAMES_SOMETHING.test(name),
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

function decimalsOf(value: number): number {
  const text = String(value);
  return text.includes('e-') ? 9 : (text.split('.')[1]?.length ?? 0);
}

const isEmpty = (value: unknown) =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

/** A value of a column in its visible form. */
export function cellOf(
  value: unknown,
  { write }: Pick<Column, 'write'>,
  where: keyof typeof LONG_CHARACTERS = 'alone',
): Cell {
  if (isEmpty(value)) return { kind: 'empty' };
  if (typeof value === 'number') return { kind: 'number', text: write(value), exact: String(value) };
  if (typeof value === 'object') return { kind: 'chips', entries: entriesOf(value) };
  const text = typeof value === 'string' ? value : visibleText(value);
  const date = dateText(text);
  if (date !== undefined) return { kind: 'date', text: date, iso: text };
  const lines = where === 'alone' ? 3 : 1;
  const isLong = visibleText(text).length > LONG_CHARACTERS[where] || text.split('\n').length > lines;
  return { kind: 'text', text, isLong };
}

/** The elements of a list, or the members of an object in the order of their names. */
function entriesOf(value: object | null): string[] {
  if (Array.isArray(value)) return value.map(elementText);
  return Object.entries(value ?? {})
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, member]) => `${labelOf(name)}: ${elementText(member)}`);
}

function elementText(value: unknown): string {
  const text = visibleText(value);
  return dateText(text) ?? text;
}

/** A value as plain text, which is searched and sorted: record links as their labels, nothing as an empty text. */
export function visibleText(value: unknown): string {
  if (isEmpty(value)) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'object') return entriesOf(value).join(', ');
  const text = String(value);
  if (!text.includes('](')) return text;
  return parseRecordLinks(text)
    .map((part) => (typeof part === 'string' ? part : part.label))
    .join('');
}
