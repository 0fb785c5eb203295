// The items of a step as rows of a table.
import type { Row, StepItem } from '../../sdk/index.ts';
import { visibleText } from './cells.ts';

export interface ItemRows {
  columns: string[];
  rows: Row[];
}

/** What an item's type leads to; all others are records. */
const kinds: Readonly<Record<string, string>> = { note: 'note', artifact: 'artifact' };
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Rows with a link to each record. What the step made comes first, then the other fields as they come, and last what
 * tells the items apart: their type, where there are several, and their score.
 */
export function itemRows(items: readonly StepItem[], made: readonly string[]): ItemRows {
  const fields = new Set(items.flatMap((item) => Object.keys(item.fields)));
  const first = made.filter((name) => fields.has(name));
  const columns = [
    'name',
    ...first,
    ...[...fields].filter((name) => name !== 'name' && !first.includes(name)),
    ...(new Set(items.map(({ type }) => type)).size > 1 ? ['type'] : []),
    ...(items.some(({ score }) => score !== undefined) ? ['score'] : []),
  ];
  const rows = items.map((item) => ({
    type: item.type,
    ...(item.score !== undefined && { score: item.score }),
    ...item.fields,
    name: linked(item),
  }));
  return { columns: [...new Set(columns)], rows };
}

/** The name, as a link where it leads to a page. */
function linked({ id, name, type }: StepItem): string {
  const label = name
    .replace(/[\\`[\]()~]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;');
  return id !== null && UUID.test(id) ? `[${label}](${kinds[type] ?? 'entity'}=${id})` : visibleText(name);
}

/** The items without what leads to records: for a reader who has no key. */
export const namesAlone = (items: readonly StepItem[]): StepItem[] =>
  items.map(({ fields, ...item }) => ({
    ...item,
    id: null,
    fields: Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [
        name,
        typeof value === 'string' ? visibleText(value) : value,
      ]),
    ),
  }));

/** Where a page of a list is: `21 to 40 of 340`. */
export function pageText(offset: number, shown: number, total: number): string {
  const number = (value: number) => value.toLocaleString('en');
  return `${number(offset + 1)} to ${number(offset + shown)} of ${number(total)}`;
}
