// Tables: items as rows whose first cell links to the record.
import type { Json } from '#contract/json.ts';
import { recordLink } from '#platform/linked-markdown.ts';
import { orderedColumns } from './column-order.ts';
import { linkedName } from './link-records.ts';
import type { ArtifactDraft, Item, StepContext } from './step.ts';
import { cellOf } from './table-cells.ts';

/** Most rows of a table. */
export const ROWS_MAX = 10_000;
const COLUMNS_MAX = 200;

/** The ends of a relationship: the field with the name, and the one with the id that it links to. */
const ENDS = [
  ['from', 'from_id'],
  ['to', 'to_id'],
] as const;

/**
 * A table of items: first column `name` with record links, then every field, those that the plan names first (the
 * record's name replaces a field `name`). Strings in cells are Markdown; a missing field is null. Warns
 * `artifact_truncated` over 10,000 rows or 200 columns.
 */
export function tableOf(
  { warn, namedFields }: Pick<StepContext, 'warn' | 'namedFields'>,
  title: string,
  items: Item[],
): Extract<ArtifactDraft, { kind: 'table' }> {
  const shown = items.slice(0, ROWS_MAX);
  const rows = shown.map(cellsOf);
  const row_ids = shown.map(({ kind, id }) => (kind === 'external' ? id : null));
  const all = orderedColumns(new Set(rows.flatMap((row) => [...row.keys()])), namedFields());
  const columns = all.slice(0, COLUMNS_MAX);
  if (rows.length < items.length || columns.length < all.length)
    warn({
      code: 'artifact_truncated',
      message: `The table ${title} holds ${rows.length} of ${items.length} rows and ${columns.length} of ${all.length} columns.`,
      details: {
        rows: items.length,
        rows_kept: rows.length,
        columns: all.length,
        columns_kept: columns.length,
      },
    });
  return {
    kind: 'table',
    title,
    columns,
    rows: rows.map((row) => Object.fromEntries(columns.map((column) => [column, row.get(column) ?? null]))),
    ...(row_ids.some((id) => id !== null) && { row_ids }),
  };
}

function cellsOf(item: Item): Map<string, Json> {
  const cells = new Map(Object.entries(item.fields).map(([key, value]) => [key, cellOf(value)]));
  if (item.kind === 'relationship') linkEnds(cells, item);
  return cells.set('name', linkedName(item));
}

function linkEnds(cells: Map<string, Json>, { fields }: Item): void {
  for (const [nameCell, idCell] of ENDS) {
    const [name, id] = [fields[nameCell], fields[idCell]];
    if (typeof name !== 'string' || typeof id !== 'string') continue;
    cells.set(nameCell, recordLink('entity', id, name));
    cells.delete(idCell);
  }
}
