// The first pass over a file: checks every line before any is sent.
import { createHash, type Hash } from 'node:crypto';
import * as z from 'zod';
import type { Progress } from '../../../clients/cli/output/progress.ts';
import { CliError } from '../cli-error.ts';
import { numbersOnDisk } from './numbers-on-disk.ts';
import { readLines, type Source } from './read-lines.ts';

export interface Checked {
  /** Number of lines that are not blank. */
  lines: number;
  /** Number of lines without an id. */
  without_id: number;
  /** Whether two lines have one outside name: the later must not be saved before the earlier. */
  repeats_names: boolean;
  sha256: string;
}

/** Checks every line. Throws CliError `unreadable_file`, or `invalid_file` that lists the first 20 malformed lines. */
export async function checkLines(
  source: Source,
  schema: z.ZodType<object>,
  progress: Progress,
): Promise<Checked> {
  const issues = lineIssues(source.file);
  const firstLines = numbersOnDisk();
  const hash = createHash('sha256');
  const checked = { lines: 0, without_id: 0, repeats_names: false };
  for await (const read of readLines(hashed(source.bytes(), hash), schema)) {
    checked.lines += 1;
    progress.show(`Checked ${checked.lines} lines`);
    if ('issue' in read) issues.add(read.line, read.issue);
    else {
      const { id, named } = namesOf(read.value);
      if (id === undefined) checked.without_id += 1;
      else {
        const first = firstLines.of(id, read.line);
        if (first !== read.line) issues.add(read.line, `has the id of line ${first}`);
      }
      for (const name of named)
        if (firstLines.of(name, read.line) !== read.line) checked.repeats_names = true;
    }
  }
  firstLines.close();
  issues.refuse();
  return { ...checked, sha256: hash.digest('hex') };
}

const Named = z.object({
  id: z.string().toLowerCase().optional(),
  external_uri: z.string().optional(),
  external_id: z.string().optional(),
  source: z.string().optional(),
});

/** The id of a line, and its outside names as texts that no id is. */
function namesOf(line: object): { id: string | undefined; named: string[] } {
  const { id, external_uri, external_id, source } = Named.parse(line);
  const named = [
    ...(external_uri === undefined ? [] : [`uri ${external_uri}`]),
    ...(external_id === undefined || source === undefined ? [] : [`${source} ${external_id}`]),
  ];
  return { id, named };
}

async function* hashed(bytes: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    hash.update(chunk);
    yield chunk;
  }
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
