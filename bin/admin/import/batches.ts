// Groups the lines of a checked file into batches that one invocation takes, and works on a few batches at once.
import type * as z from 'zod';
import { IMPORT_MAX_LINES } from '../../../functions/admin/commands.ts';
import { CliError } from '../cli-error.ts';
import { readLines, type Source } from './read-lines.ts';

/** An invocation takes 6 MB; the rest is reserved for JSON syntax. */
const BATCH_MAX_BYTES = 4_000_000;
/** While the service writes one batch it reads and embeds the next ones. */
const BATCHES_AT_ONCE = 3;

/** Values of consecutive lines, with the number of each line. */
export interface Batch<T> {
  /** How many values of the file come before. */
  offset: number;
  lines: number[];
  values: T[];
}

/** The values in order; one empty batch when there is none, so that the workspace is still checked. Throws CliError `invalid_file`. */
export async function* batchesOf<T>({ file, bytes }: Source, schema: z.ZodType<T>): AsyncGenerator<Batch<T>> {
  let batch: Batch<T> = { offset: 0, lines: [], values: [] };
  let batchBytes = 0;
  for await (const read of readLines(bytes(), schema)) {
    if ('issue' in read)
      throw new CliError('invalid_file', `${file}: line ${read.line} was changed meanwhile: ${read.issue}`);
    const size = Buffer.byteLength(JSON.stringify(read.value));
    const count = batch.values.length;
    if (count === IMPORT_MAX_LINES || (count > 0 && batchBytes + size > BATCH_MAX_BYTES)) {
      yield batch;
      batch = { offset: batch.offset + count, lines: [], values: [] };
      batchBytes = 0;
    }
    batch.lines.push(read.line);
    batch.values.push(read.value);
    batchBytes += size;
  }
  yield batch;
}

/**
 * The results of `work`, in the order of the batches. A few are in flight; no further batch is read before there is room for it. Throws
 * what the first failed work throws, once nothing is in flight any more.
 */
export async function* inOrder<T, Result>(
  batches: AsyncIterable<Batch<T>>,
  work: (batch: Batch<T>) => Promise<Result>,
): AsyncGenerator<Result> {
  const inFlight: Promise<Result>[] = [];
  try {
    for await (const batch of batches) {
      const result = work(batch);
      // It is awaited later; a failure before that is not an unhandled one.
      result.catch(() => undefined);
      inFlight.push(result);
      if (inFlight.length === BATCHES_AT_ONCE) yield* awaited(inFlight.splice(0, 1));
    }
    yield* awaited(inFlight);
  } finally {
    await Promise.allSettled(inFlight);
  }
}

async function* awaited<Result>(results: readonly Promise<Result>[]): AsyncGenerator<Result> {
  for (const result of results) yield await result;
}
