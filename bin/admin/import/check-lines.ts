// The first pass over a file: nothing of it is sent before every line is checked.
import { createHash, type Hash } from 'node:crypto';
import type * as z from 'zod';
import { LineIssues } from './line-issues.ts';
import type { Progress } from './progress.ts';
import { readLines } from './read-lines.ts';
import { seenIds } from './seen-ids.ts';
import type { Source } from './temporary-file.ts';

export interface Checked {
  /** Lines that are not blank. */
  lines: number;
  /** Those of them that do not have an id. */
  without_id: number;
  sha256: string;
}

/** Checks every line. Throws CliError `unreadable_file`, or `invalid_file` with the numbers of the malformed lines (of the first 20). */
export async function checkLines(
  file: string,
  source: Source,
  schema: z.ZodType<object>,
  progress: Progress,
): Promise<Checked> {
  const issues = new LineIssues(file);
  const seen = seenIds();
  const hash = createHash('sha256');
  const checked = { lines: 0, without_id: 0 };
  for await (const read of readLines(hashed(source(), hash), schema)) {
    checked.lines += 1;
    progress.show(`Checked ${checked.lines} lines`);
    if ('issue' in read) {
      issues.add(read.line, read.issue);
      continue;
    }
    const id = idOf(read.value);
    if (id === undefined) checked.without_id += 1;
    const first = id === undefined ? undefined : seen.add(id, read.line);
    if (first !== undefined) issues.add(read.line, `has the id of line ${first}`);
  }
  seen.close();
  issues.refuse();
  return { ...checked, sha256: hash.digest('hex') };
}

function idOf(value: object): string | undefined {
  return 'id' in value && typeof value.id === 'string' ? value.id : undefined;
}

async function* hashed(bytes: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    hash.update(chunk);
    yield chunk;
  }
}
