// An artifact in the format that its reader wants, written while it is read (rules.md: exports).
import { Artifact, type TableRow } from '#contract/artifacts.ts';
import type { ExportFormat } from '#contract/exports.ts';
import { wrongParam } from '#domain/runs/wrong-param.ts';
import { cardMarkdown } from './card-markdown.ts';
import { csvLine } from './csv.ts';
import { markdownHead, markdownRow } from './markdown-table.ts';
import { type OpenArtifact, type OpenTable, openTable } from './open-artifact.ts';
import { cellOf, plainCells, plainColumns } from './plain-rows.ts';

/** The part of a table that a reader wants: all of it where nothing is given. */
interface Part {
  /** Names of columns, in the order wanted. */
  fields?: readonly string[] | undefined;
  offset?: number | undefined;
  limit?: number | undefined;
}

export interface ExportOptions extends Part {
  format: ExportFormat;
  /** Leaves cells of CSV that a spreadsheet would compute. */
  keepFormulas: boolean;
  /** CSV with a byte order mark, by which Excel knows UTF-8. */
  withMark: boolean;
  /** JSON with `entity_refs`. */
  withLinks: boolean;
}

type Pieces = AsyncIterable<string | Buffer>;

/**
 * The text of an artifact in a format of its kind, piece by piece. Throws schema_validation_failed for a part of what
 * is no table, and for a column that the table does not have.
 */
export async function exportArtifact(artifact: OpenArtifact, options: ExportOptions): Promise<Pieces> {
  const { format, withLinks } = options;
  const wanted = (['fields', 'offset', 'limit'] as const).find((name) => options[name] !== undefined);
  const links = withLinks ? { entity_refs: artifact.entity_refs } : {};
  if (artifact.kind !== 'table') {
    if (wanted) throw wrongParam(wanted, 'an artifact of kind table', artifact.kind, 'Only a table has rows');
    return format === 'md' ? markdownOf(artifact) : withMembers(artifact.text, links);
  }
  if (format === 'json' && !wanted) return withMembers(artifact.text, links);
  const table = await openTable(artifact);
  const columns = columnsOf(table, options);
  const form = formOf(table, columns, options, links);
  return writeTable(form, partOf(table.rows, options));
}

function columnsOf({ head }: OpenTable, { fields }: Part): readonly string[] {
  const unknown = fields?.find((name) => !head.columns.includes(name));
  if (unknown === undefined) return fields ? [...new Set(fields)] : head.columns;
  throw wrongParam('fields', 'columns of the table', JSON.stringify(unknown), 'The table has no such column');
}

const BYTE_ORDER_MARK = '\uFEFF';

/** How a table is written. */
interface Form {
  begin: string;
  row: (row: TableRow, index: number) => string;
  end: string;
}

function formOf(
  { head }: OpenTable,
  columns: readonly string[],
  { format, keepFormulas, withMark }: ExportOptions,
  links: object,
): Form {
  const plain = plainColumns(columns);
  switch (format) {
    case 'csv':
      return {
        begin: (withMark ? BYTE_ORDER_MARK : '') + csvLine(plain, keepFormulas),
        row: (row) => csvLine(plainCells(plain, row), keepFormulas),
        end: '',
      };
    case 'jsonl':
      return { begin: '', row: (row) => `${objectOf(plain, plainCells(plain, row))}\n`, end: '' };
    case 'md':
      return { begin: markdownHead(columns), row: (row) => markdownRow(columns, row), end: '' };
    case 'json':
      return {
        begin: JSON.stringify({ ...links, ...head, columns, rows: [] }).slice(0, -2),
        row: (row, index) =>
          (index > 0 ? ',' : '') +
          objectOf(
            columns,
            columns.map((column) => cellOf(row, column)),
          ),
        end: ']}',
      };
  }
}

/** A row as JSON. */
const objectOf = (columns: readonly string[], cells: readonly unknown[]) =>
  JSON.stringify(Object.fromEntries(columns.map((column, i) => [column, cells[i]])));

async function* partOf(groups: AsyncIterable<TableRow[]>, { offset = 0, limit }: Part) {
  const end = limit === undefined ? Number.POSITIVE_INFINITY : offset + limit;
  let before = 0;
  for await (const rows of groups) {
    yield rows.slice(Math.max(0, offset - before), Math.max(0, end - before));
    before += rows.length;
    if (before >= end) return;
  }
}

/** One piece for each group of rows. */
async function* writeTable(
  { begin, row, end }: Form,
  groups: AsyncIterable<TableRow[]>,
): AsyncGenerator<string> {
  let index = 0;
  let text = begin;
  for await (const rows of groups) {
    for (const one of rows) {
      text += row(one, index);
      index += 1;
    }
    if (text !== '') yield text;
    text = '';
  }
  if (text + end !== '') yield text + end;
}

/** A text or card as Markdown, in one piece: both are short. */
async function* markdownOf({ text }: OpenArtifact): AsyncGenerator<string> {
  const pieces: Buffer[] = [];
  for await (const piece of text) pieces.push(piece);
  const artifact = Artifact.parse(JSON.parse(Buffer.concat(pieces).toString()));
  if (artifact.kind === 'text') yield `${artifact.content.trimEnd()}\n`;
  if (artifact.kind === 'entity_card') yield cardMarkdown(artifact.content);
}

/** The JSON text of an object with other members before its own. */
async function* withMembers(json: AsyncIterable<Buffer>, members: object): AsyncGenerator<string | Buffer> {
  let begun = Object.keys(members).length === 0;
  for await (const piece of json) {
    if (!begun) yield `${JSON.stringify(members).slice(0, -1)},`;
    yield begun ? piece : piece.subarray(1);
    begun = true;
  }
}
