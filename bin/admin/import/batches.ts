// Groups the lines of a checked file into batches that one invocation takes.
import type * as z from 'zod';
import { IMPORT_MAX_LINES } from '../../../functions/admin/commands.ts';
import { CliError } from '../cli-error.ts';
import { readLines } from './read-lines.ts';
import type { Source } from './temporary-file.ts';

/** An invocation takes 6 MB; the rest is reserved for JSON syntax. */
const BATCH_MAX_BYTES = 4_000_000;

/** Values of consecutive lines, with the number of each line. */
export interface Batch<T> {
  /** How many values of the file come before. */
  offset: number;
  lines: number[];
  values: T[];
}

/** The values in order; one empty batch when there is none, so that the workspace is still checked. Throws CliError `invalid_file`. */
export async function* batchesOf<T>(
  file: string,
  source: Source,
  schema: z.ZodType<T>,
): AsyncGenerator<Batch<T>> {
  let batch: Batch<T> = { offset: 0, lines: [], values: [] };
  let bytes = 0;
  for await (const read of readLines(source(), schema)) {
    if ('issue' in read)
      throw new CliError('invalid_file', `${file}: line ${read.line} was changed meanwhile: ${read.issue}`);
    const size = Buffer.byteLength(JSON.stringify(read.value));
    const count = batch.values.length;
    if (count === IMPORT_MAX_LINES || (count > 0 && bytes + size > BATCH_MAX_BYTES)) {
      yield batch;
      batch = { offset: batch.offset + count, lines: [], values: [] };
      bytes = 0;
    }
    batch.lines.push(read.line);
    batch.values.push(read.value);
    bytes += size;
  }
  yield batch;
}
