// Reads a file of records in two passes: the first finds out what it is and refuses what is wrong, the second gives
// its records. Both read piece by piece, so a file may be larger than memory.
import { cellValue, type Writing } from './cell-kinds.ts';
import {
  type Choices,
  type Column,
  ColumnSeen,
  chosenWriting,
  columnsOf,
  isNameSought,
  kindOfCells,
} from './columns.ts';
import { csvRows, type Separator, separatorOf } from './csv-rows.ts';
import { FileProblem } from './file-problem.ts';
import { type Encoding, encodingOf, type OpenFile, textOf } from './file-text.ts';
import { arrayRows, type JsonMap, type JsonRow, ndjsonRows } from './json-rows.ts';
import { textKey } from './text-key.ts';

/** A record as an import takes it. */
export interface RecordLine {
  id?: string;
  type: string;
  name: string;
  fields?: Record<string, unknown>;
  external_uri?: string;
  external_id?: string;
  source?: string;
  occurrence?: number;
}

/** A record and where it stands: the line of the file, in an array its number. */
export interface PlacedRecord {
  line: number;
  record: RecordLine;
}

export interface RecordFile {
  format: 'csv' | 'tsv' | 'json' | 'ndjson';
  encoding: Encoding;
  rows: number;
  /** Empty for a file whose lines have types and fields themselves. */
  columns: Column[];
  /** The records in order, again at each call. Throws FileProblem if the file has changed. */
  records(): AsyncGenerator<PlacedRecord>;
}

const COLUMNS_MAX = 1000;

/** Finds out what a file is. Throws FileProblem with the first thing that is wrong with it. */
export async function readRecordFile(file: OpenFile, choices: Choices): Promise<RecordFile> {
  const encoding = await encodingOf(file);
  const text = () => textOf(file, encoding);
  const first = await firstSign(text());
  if (first === '') throw new FileProblem('the file is empty.');
  const [ending] = /\.(?:csv|tsv|tab|json|ndjson|jsonl)$/i.exec(file.name) ?? [];
  const isTable = ending ? !/json/i.test(ending) : !/[[{]/.test(first);
  const read = isTable
    ? await readCells(text, choices)
    : await readJson(first === '[' ? 'json' : 'ndjson', text, choices);
  return { encoding, ...read, records: () => distinct(read.records()) };
}

type Text = () => AsyncGenerator<string>;
type Found = Omit<RecordFile, 'encoding'>;

async function firstSign(text: AsyncGenerator<string>): Promise<string> {
  for await (const part of text) {
    const sign = part.trimStart()[0];
    if (sign !== undefined) return sign;
  }
  return '';
}

/** Numbers the records without names of other systems: twins differ by their order (rules.md: admin 12). */
async function* distinct(records: AsyncGenerator<PlacedRecord>): AsyncGenerator<PlacedRecord> {
  const counts = new Map<number, number>();
  for await (const { line, record } of records) {
    const { id, external_uri, external_id, source } = record;
    const isNamed = id !== undefined || external_uri !== undefined;
    if (isNamed || (external_id !== undefined && source !== undefined)) yield { line, record };
    else {
      const key = textKey(JSON.stringify([record.type, record.name]));
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      yield { line, record: { ...record, occurrence: record.occurrence ?? count } };
    }
  }
}

/** Refuses an id that comes twice: the later row would take the place of the earlier one. */
class IdsSeen {
  readonly #lines = new Map<number, number>();

  add(id: string, line: number): void {
    const key = textKey(id);
    const first = this.#lines.get(key);
    if (first !== undefined) throw new FileProblem(`the id ${id} is that of line ${first}, too.`, { line });
    this.#lines.set(key, line);
  }
}

async function readCells(text: Text, choices: Choices): Promise<Found> {
  const separator = await separatorOf(text());
  const type = typeFor(choices);
  const seen: ColumnSeen[] = [];
  const ids = new IdsSeen();
  let rows = -1;
  let idAt = -1;
  for await (const { line, cells } of csvRows(text(), separator)) {
    rows += 1;
    if (rows === 0) {
      const names = headerOf(cells, line);
      const traits = { isSemicolons: separator === ';', mayBeName: isNameSought(names, choices) };
      seen.push(...names.map((name) => new ColumnSeen(name, traits)));
      idAt = seen.findIndex(({ name }) => name === choices.id_field);
      continue;
    }
    const length = cells.findLastIndex(filled) + 1;
    if (length > seen.length) throw tooMany(length, seen.length, line);
    for (const [i, column] of seen.entries())
      if (filled(cells[i])) column.add(cells[i]);
      else column.skip(line);
    if (filled(cells[idAt])) ids.add(String(cells[idAt]).trim(), line);
  }
  const columns = columnsOf(seen, rows, choices, (column) => kindOfCells(column, choices));
  const writings = seen.map((column) => chosenWriting(column, choices));
  return {
    format: separator === '\t' ? 'tsv' : 'csv',
    rows,
    columns,
    records: () =>
      recordsOfCells(text, separator, { type, id_field: choices.id_field, columns, writings, rows }),
  };
}

const tooMany = (cells: number, columns: number, line: number) =>
  new FileProblem(
    `the row has ${cells} cells, the header has ${columns}. Is a text with a separator not quoted?`,
    {
      line,
      column: columns + 1,
    },
  );

function typeFor({ type }: Choices): string {
  if (type === undefined || type.trim() === '')
    throw new FileProblem('rows need the type of their records: --type TYPE.');
  return type;
}

function headerOf(cells: readonly string[], line: number): string[] {
  if (cells.length > COLUMNS_MAX)
    throw new FileProblem(`the header has ${cells.length} columns. At most ${COLUMNS_MAX} are read.`, {
      line,
    });
  const last = cells.findLastIndex((cell) => cell.trim() !== '');
  const names = cells.slice(0, last + 1).map((cell) => cell.trim());
  for (const [i, name] of names.entries()) {
    const at = { line, column: i + 1 };
    if (name === '') throw new FileProblem('the column has no name.', at);
    const before = names.indexOf(name);
    if (before < i) throw new FileProblem(`column ${before + 1} is called ${name}, too.`, at);
  }
  return names;
}

const filled = (cell: string | undefined) => cell !== undefined && cell.trim() !== '';

interface CellsToRecords {
  type: string;
  id_field: string | undefined;
  columns: readonly Column[];
  writings: readonly Writing[];
  rows: number;
}

async function* recordsOfCells(
  text: Text,
  separator: Separator,
  { columns, writings, rows, ...typed }: CellsToRecords,
): AsyncGenerator<PlacedRecord> {
  let row = -1;
  for await (const { line, cells } of csvRows(text(), separator)) {
    row += 1;
    if (row === 0) continue;
    if (row > rows) return;
    const values = columns.flatMap(({ name, role }, i) => {
      const cell = cells[i];
      if (cell === undefined || !filled(cell)) return [];
      return [{ name, role, value: role === 'field' ? cellValue(cell, writings[i] ?? 'text') : cell.trim() }];
    });
    yield { line, record: recordOf(values, typed, line) };
  }
}

interface NamedValue {
  name: string;
  role: Column['role'];
  value: unknown;
}

function recordOf(
  values: readonly NamedValue[],
  { type, id_field }: Pick<CellsToRecords, 'type' | 'id_field'>,
  line: number,
): RecordLine {
  const name = values.find(({ role }) => role === 'name')?.value;
  const id = values.find((one) => one.name === id_field)?.value;
  // It had one in the first pass.
  if (name === undefined) throw new FileProblem('the row has no name: the file has changed.', { line });
  const fields = values.filter(({ role }) => role === 'field').map(({ name: key, value }) => [key, value]);
  return {
    type,
    name: String(name),
    fields: Object.fromEntries(fields),
    ...(id !== undefined && { external_id: String(id), source: 'custom' }),
  };
}

/** The names of a line that says itself what its record is (the admin command's format). */
const OWN_NAMES: ReadonlySet<string> = new Set(
  'id type name fields external_uri external_id source occurrence'.split(' '),
);

/** Without a chosen type, a line without fields says what it is, too. */
export function isOwnLine(value: JsonMap, { type }: Choices): boolean {
  const { type: ownType, name, fields } = value;
  const hasFields = typeof fields === 'object' && fields !== null && !Array.isArray(fields);
  return (
    typeof ownType === 'string' &&
    typeof name === 'string' &&
    (hasFields || (fields === undefined && type === undefined)) &&
    Object.keys(value).every((key) => OWN_NAMES.has(key))
  );
}

async function readJson(format: 'json' | 'ndjson', text: Text, choices: Choices): Promise<Found> {
  const values = () => (format === 'json' ? arrayRows(text) : ndjsonRows(text()));
  const seen = new Map<string, ColumnSeen>();
  const ids = new IdsSeen();
  let rows = 0;
  let areOwn = false;
  for await (const { line, value } of values()) {
    const isOwn = isOwnLine(value, choices);
    if (rows === 0) areOwn = isOwn;
    if (areOwn && !isOwn)
      throw new FileProblem('this is no {type, name, fields}, though the lines before it are.', { line });
    rows += 1;
    if (areOwn) continue;
    for (const [name, one] of Object.entries(value)) {
      if (!isThere(one) || seen.has(name)) continue;
      const mayBeName = isNameSought([...seen.keys(), ...Object.keys(value)], choices);
      const column = new ColumnSeen(name, { isSemicolons: false, mayBeName });
      if (rows > 1) column.skip(1);
      seen.set(name, column);
    }
    for (const [name, column] of seen)
      if (isThere(value[name])) column.add(value[name]);
      else column.skip(line);
    if (seen.size > COLUMNS_MAX)
      throw new FileProblem(`the rows have more than ${COLUMNS_MAX} names.`, { line });
    const id = value[choices.id_field ?? ''];
    if (choices.id_field !== undefined && isThere(id)) ids.add(textIn(id, line), line);
  }
  if (areOwn || rows === 0) return { format, rows, columns: [], records: () => ownLines(values(), rows) };
  const type = typeFor(choices);
  const columns = columnsOf([...seen.values()], rows, choices, ({ jsonKind }) => jsonKind);
  return {
    format,
    rows,
    columns,
    records: () => recordsOfJson(values(), { type, id_field: choices.id_field, columns, rows }),
  };
}

const isThere = (value: unknown) =>
  value !== undefined && value !== null && !(typeof value === 'string' && value.trim() === '');

function textIn(value: unknown, line: number): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value).trim();
  throw new FileProblem('a name or an id is a text or a number.', { line });
}

async function* ownLines(values: AsyncGenerator<JsonRow>, rows: number): AsyncGenerator<PlacedRecord> {
  let row = 0;
  for await (const { line, value } of values) {
    row += 1;
    if (row > rows) return;
    const { type, name } = value;
    yield { line, record: { ...value, type: String(type), name: String(name) } };
  }
}

async function* recordsOfJson(
  values: AsyncGenerator<JsonRow>,
  { columns, rows, ...typed }: Omit<CellsToRecords, 'writings'>,
): AsyncGenerator<PlacedRecord> {
  const roles = new Map(columns.map(({ name, role }) => [name, role]));
  let row = 0;
  for await (const { line, value } of values) {
    row += 1;
    if (row > rows) return;
    const named = Object.entries(value).flatMap(([name, one]) => {
      const role = roles.get(name) ?? 'field';
      if (!isThere(one)) return [];
      return [{ name, role, value: role === 'field' ? one : textIn(one, line) }];
    });
    yield { line, record: recordOf(named, typed, line) };
  }
}
