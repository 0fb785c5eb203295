// What the columns of a file hold, found out over all of its rows, and which of them names a record.
import { closest } from 'fastest-levenshtein';
import { CellKinds, type Kind, kindOf, type Writing } from './cell-kinds.ts';
import { FileProblem } from './file-problem.ts';
import { textKey } from './text-key.ts';

/** What is chosen for a file; the reader finds out the rest. */
export interface Choices {
  /** The type of the records; a file of lines with types needs none. */
  type?: string | undefined;
  /** The column with the name of a record. */
  name_field?: string | undefined;
  /** The column with the id that another system gave. */
  id_field?: string | undefined;
  /** Columns whose cells stay as they are written. */
  text_fields?: readonly string[] | undefined;
}

export interface Column {
  name: string;
  kind: Kind;
  /** What it is of its record; one column may be the name and the id. */
  role: 'name' | 'id' | 'field';
  /** Rows that have a value. */
  filled: number;
}

/** One column while it is read. */
export class ColumnSeen {
  readonly name: string;
  filled = 0;
  /** The line of the first row that has no value. */
  empty_line: number | undefined;
  readonly #cells: CellKinds;
  readonly #types = new Set<string>();
  /** The keys of its texts until one comes again; none where another column is the name. */
  #different: Set<number> | undefined;

  constructor(name: string, { isSemicolons, mayBeName }: { isSemicolons: boolean; mayBeName: boolean }) {
    this.name = name;
    this.#cells = new CellKinds(isSemicolons);
    this.#different = mayBeName ? new Set() : undefined;
  }

  /** Takes a value that is there. Of a CSV it is a text. */
  add(value: unknown): void {
    this.filled += 1;
    this.#types.add(Array.isArray(value) ? 'list' : typeof value);
    if (typeof value !== 'string') return;
    this.#cells.add(value);
    if (!this.#different) return;
    const key = textKey(value);
    if (this.#different.has(key)) this.#different = undefined;
    else this.#different.add(key);
  }

  /** Takes a row without a value. */
  skip(line: number): void {
    this.empty_line ??= line;
  }

  /** How its cells are written, if they are cells. */
  get writing(): Writing {
    return this.#cells.writing;
  }

  /** What its values are in a file of JSON, where they have types. */
  get jsonKind(): Kind {
    const [only, ...others] = this.#types;
    if (only === undefined || others.length > 0) return only === undefined ? 'text' : 'json';
    if (only === 'number' || only === 'boolean') return only;
    if (only !== 'string') return 'json';
    return this.writing === 'date' ? 'date' : 'text';
  }

  /** Whether it has a text in each row, and no text twice. */
  get tellsApart(): boolean {
    return this.#different !== undefined && this.empty_line === undefined && this.#types.has('string');
  }
}

/** Whether the name has to be found among the texts: no column is chosen for it, and none is called so. */
export const isNameSought = (names: readonly string[], { name_field }: Choices): boolean =>
  name_field === undefined && !names.some((name) => name.toLowerCase() === 'name');

/** The columns with their kinds and roles. Throws FileProblem if a chosen column is not there, or none is the name. */
export function columnsOf(
  seen: readonly ColumnSeen[],
  rows: number,
  choices: Choices,
  kindIn: (column: ColumnSeen) => Kind,
): Column[] {
  const { id_field, text_fields = [] } = choices;
  for (const chosen of [id_field, ...text_fields]) if (chosen !== undefined) columnNamed(seen, chosen);
  const name = rows > 0 || choices.name_field !== undefined ? nameOf(seen, choices, kindIn) : undefined;
  if (name?.empty_line !== undefined)
    throw new FileProblem(`the row has no name: its ${name.name} is empty.`, {
      line: name.empty_line,
      columns: seen.map((column) => column.name),
    });
  return seen.map((column) => ({
    name: column.name,
    kind: kindIn(column),
    role: column === name ? 'name' : column.name === id_field ? 'id' : 'field',
    filled: column.filled,
  }));
}

/** The writing of a column, unless it is chosen to stay a text. */
export const chosenWriting = ({ name, writing }: ColumnSeen, { text_fields = [] }: Choices): Writing =>
  text_fields.includes(name) ? 'text' : writing;

export const kindOfCells = (column: ColumnSeen, choices: Choices): Kind =>
  kindOf(chosenWriting(column, choices));

function nameOf(
  seen: readonly ColumnSeen[],
  { name_field, id_field }: Choices,
  kindIn: (column: ColumnSeen) => Kind,
): ColumnSeen {
  if (name_field !== undefined) return columnNamed(seen, name_field);
  const found =
    seen.find(({ name }) => name === 'name') ??
    seen.find(({ name }) => name.toLowerCase() === 'name') ??
    seen.find((one) => kindIn(one) === 'text' && one.name !== id_field && one.tellsApart) ??
    seen.find((one) => kindIn(one) === 'text' && one.tellsApart);
  if (found) return found;
  throw new FileProblem(
    `no column can be the name of the records: none is called name, and no text differs in every row. ` +
      `Choose one of ${listed(seen)}.`,
    { columns: seen.map(({ name }) => name) },
  );
}

function columnNamed(seen: readonly ColumnSeen[], name: string): ColumnSeen {
  const found = seen.find((one) => one.name === name);
  if (found) return found;
  if (seen.length === 0) throw new FileProblem(`there is no column ${name}.`);
  const nearest = closest(
    name,
    seen.map((one) => one.name),
  );
  throw new FileProblem(`there is no column ${name}. Did you mean ${nearest}?`);
}

const LISTED_MAX = 20;

function listed(seen: readonly ColumnSeen[]): string {
  const names = seen.slice(0, LISTED_MAX).map(({ name }) => name);
  return seen.length > LISTED_MAX ? `${names.join(', ')}, …` : names.join(', ');
}
