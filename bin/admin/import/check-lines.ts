// The first pass over a file: checks every line before any is sent.
import { createHash, type Hash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import type * as z from 'zod';
import { CliError } from '../cli-error.ts';
import type { Progress } from './progress.ts';
import { readLines, type Source } from './read-lines.ts';

export interface Checked {
  /** Number of lines that are not blank. */
  lines: number;
  /** Number of lines without an id. */
  without_id: number;
  sha256: string;
}

/** Checks every line. Throws CliError `unreadable_file`, or `invalid_file` that lists the first 20 malformed lines. */
export async function checkLines(
  source: Source,
  schema: z.ZodType<object>,
  progress: Progress,
): Promise<Checked> {
  const issues = lineIssues(source.file);
  const ids = seenIds();
  const hash = createHash('sha256');
  const checked = { lines: 0, without_id: 0 };
  for await (const read of readLines(hashed(source.bytes(), hash), schema)) {
    checked.lines += 1;
    progress.show(`Checked ${checked.lines} lines`);
    if ('issue' in read) issues.add(read.line, read.issue);
    else if (!('id' in read.value) || typeof read.value.id !== 'string') checked.without_id += 1;
    else {
      const first = ids.firstLine(read.value.id, read.line);
      if (first !== read.line) issues.add(read.line, `has the id of line ${first}`);
    }
  }
  ids.close();
  issues.refuse();
  return { ...checked, sha256: hash.digest('hex') };
}

async function* hashed(bytes: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    hash.update(chunk);
    yield chunk;
  }
}

/** The ids of a file, ignoring case. They are on disk: a file may have millions. */
function seenIds() {
  // A database without a name is a temporary file.
  const database = new DatabaseSync('');
  database.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
    CREATE TABLE seen (id BLOB PRIMARY KEY, line INTEGER) WITHOUT ROWID; BEGIN`);
  const insert = database.prepare('INSERT OR IGNORE INTO seen VALUES (?, ?)');
  const find = database.prepare('SELECT line FROM seen WHERE id = ?');
  return {
    /** Adds the id of a line; returns the first line that has it. */
    firstLine(id: string, line: number): number {
      const bytes = Buffer.from(id.replaceAll('-', ''), 'hex');
      return insert.run(bytes, line).changes > 0 ? line : Number(find.get(bytes)?.line);
    },
    close: () => database.close(),
  };
}

const MAX_NAMED = 20;

/** Collects the issues of a file: lists the first 20, counts the rest. */
export function lineIssues(file: string) {
  const named: string[] = [];
  let count = 0;
  return {
    add(line: number | undefined, issue: string): void {
      count += 1;
      if (count <= MAX_NAMED) named.push(`line ${line}: ${issue}`);
    },
    /** Throws CliError `invalid_file` if there is an issue. */
    refuse(): void {
      if (count === 0) return;
      const more = count > MAX_NAMED ? `; and ${count - MAX_NAMED} more` : '';
      throw new CliError('invalid_file', `${file}: nothing was imported. ${named.join('; ')}${more}`);
    },
  };
}
