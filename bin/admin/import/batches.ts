// Groups the lines of a checked file into batches of one invocation each, and processes a few at once.
import type * as z from 'zod';
import { IMPORT_MAX_LINES } from '../../../functions/admin/commands.ts';
import { CliError } from '../cli-error.ts';
import { readLines, type Source } from './read-lines.ts';

/** An invocation accepts 6 MB; the rest is reserved for JSON syntax. */
const BATCH_MAX_BYTES = 4_000_000;
/** While the service writes one batch, it reads and embeds the next ones. */
const BATCHES_AT_ONCE = 3;

/** Values of consecutive lines, with the number of each line. */
export interface Batch<T> {
  /** The number of values before this batch. */
  offset: number;
  lines: number[];
  values: T[];
}

/** The values in order, or one empty batch so that the workspace is still checked. Throws CliError `invalid_file`. */
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
 * The results of `work`, in the order of the batches. A batch is read only when a slot is free. Throws the first error
 * of `work`, after all batches in flight have ended.
 */
export async function* inOrder<T, Result>(
  batches: AsyncIterable<Batch<T>>,
  work: (batch: Batch<T>) => Promise<Result>,
  atOnce = BATCHES_AT_ONCE,
): AsyncGenerator<Result> {
  const inFlight: Promise<Result>[] = [];
  try {
    for await (const batch of batches) {
      const result = work(batch);
      // Awaited later: until then a failure must not count as an unhandled rejection.
      result.catch(() => undefined);
      inFlight.push(result);
      if (inFlight.length === atOnce) yield* awaited(inFlight.splice(0, 1));
    }
    yield* awaited(inFlight);
  } finally {
    await Promise.allSettled(inFlight);
  }
}

async function* awaited<Result>(results: readonly Promise<Result>[]): AsyncGenerator<Result> {
  for (const result of results) yield await result;
}
