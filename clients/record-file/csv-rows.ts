// The rows of a file of cells (RFC 4180), whatever separates them.
import { CsvError, type Info, type Parser, parse } from 'csv-parse';
import { FileProblem } from './file-problem.ts';

export type Separator = ',' | ';' | '\t' | '|';

/** A row and the line on which it begins, from 1. */
export interface CsvRow {
  line: number;
  cells: string[];
}

/** No row is longer: a quote that is never closed would take the rest of the file into memory. */
const ROW_MAX_CHARACTERS = 8_000_000;
const SAMPLE_CHARACTERS = 64 * 1024;
const SAMPLE_ROWS = 20;

const separators: readonly Separator[] = [',', ';', '\t', '|'];

/** What separates the cells: it divides the first rows into the most cells, each row into as many as the first. */
export async function separatorOf(text: AsyncIterable<string>): Promise<Separator> {
  let sample = '';
  for await (const part of text) {
    sample += part;
    if (sample.length > SAMPLE_CHARACTERS) break;
  }
  const named = SEPARATOR_LINE.exec(sample)?.[1];
  const own = separators.find((one) => one === named);
  if (own) return own;
  const tried = await Promise.all(
    separators.map(async (one) => [one, await columnsBy(sample, one)] as const),
  );
  const [best] = tried.toSorted(([, a], [, b]) => b - a);
  return best && best[1] > 1 ? best[0] : ',';
}

/** Excel writes and reads such a first line. */
const SEPARATOR_LINE = /^sep=(.)\r?\n/;

/** How many cells the rows of the sample have; 0 where they differ from the first. */
async function columnsBy(sample: string, separator: Separator): Promise<number> {
  const counts: number[] = [];
  try {
    for await (const { cells } of csvRows(oneText(sample), separator)) {
      counts.push(cells.length);
      if (counts.length === SAMPLE_ROWS) break;
    }
  } catch {
    // The sample may end within a quote.
  }
  const [first = 0, ...others] = counts;
  return others.filter((count) => count <= first && count > 1).length * 2 >= others.length ? first : 0;
}

async function* oneText(text: string): AsyncGenerator<string> {
  yield text;
}

/** The rows that are not blank. Throws FileProblem for a quote that is not closed, and for a row that is too long. */
export async function* csvRows(text: AsyncIterable<string>, separator: Separator): AsyncGenerator<CsvRow> {
  const rows = new RowParser(separator);
  let isFirst = true;
  for await (const part of text) {
    const line = isFirst ? (SEPARATOR_LINE.exec(part)?.[0] ?? '') : '';
    if (line !== '') rows.skipLine();
    isFirst = false;
    yield* rows.after((parser, done) => parser.write(part.slice(line.length), done));
  }
  yield* rows.after((parser, done) => parser.end(done));
}

type Done = (error?: Error | null) => void;

class RowParser {
  readonly #parser: Parser;
  /** Lines that the parser does not get. */
  #skipped = 0;
  /** The line on which the next row begins. */
  #next = 1;

  constructor(separator: Separator) {
    this.#parser = parse({
      delimiter: separator,
      info: true,
      relax_column_count: true,
      // A sign of inches within a cell is read as it stands.
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: ROW_MAX_CHARACTERS,
      record_delimiter: ['\r\n', '\n', '\r'],
    });
    // It is thrown where a part is written.
    this.#parser.on('error', () => undefined);
  }

  skipLine(): void {
    this.#skipped += 1;
    this.#next += 1;
  }

  /** The rows that a step gives. The parser takes no more while rows are unread, so they are read before its end. */
  async *after(step: (parser: Parser, done: Done) => void): AsyncGenerator<CsvRow> {
    const finished = new Promise<void>((resolve, reject) =>
      step(this.#parser, (error) => (error ? reject(this.#problemOf(error)) : resolve())),
    );
    finished.catch(() => undefined);
    yield* this.#read();
    await finished;
    yield* this.#read();
  }

  *#read(): Generator<CsvRow> {
    for (;;) {
      const found: { record: string[]; info: Info } | null = this.#parser.read();
      if (found === null) return;
      const { record: cells, info } = found;
      const ends = info.lines + this.#skipped;
      const line = ends - cells.reduce((sum, cell) => sum + breaksIn(cell), 0);
      this.#next = ends + 1;
      if (cells.some((cell) => cell.trim() !== '')) yield { line, cells };
    }
  }

  #problemOf(error: Error): Error {
    if (!(error instanceof CsvError)) return error;
    const column = typeof error.column === 'number' ? error.column + 1 : undefined;
    const at = { line: this.#next, ...(column !== undefined && { column }) };
    const words: Partial<Record<string, string>> = {
      CSV_QUOTE_NOT_CLOSED: 'the cell begins with a quote that is never closed. A quote within a cell is "".',
      CSV_MAX_RECORD_SIZE: `the row has more than ${ROW_MAX_CHARACTERS} characters. Is a quote not closed?`,
    };
    return new FileProblem(words[error.code] ?? error.message, at);
  }
}

const breaksIn = (cell: string) =>
  cell.includes('\n') || cell.includes('\r') ? (cell.match(/\r\n|\n|\r/g) ?? []).length : 0;
