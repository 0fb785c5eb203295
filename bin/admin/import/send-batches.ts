// The last pass over a file: sends its batches, a few at once, and keeps what the service answers.
import * as z from 'zod';
import { CliError } from '../cli-error.ts';
import type { Batch } from './batches.ts';
import { inOrder } from './in-order.ts';
import type { Progress } from './progress.ts';
import { type Source, temporaryFile } from './temporary-file.ts';

/** While the service writes one batch it reads and embeds the next ones. */
export const BATCHES_AT_ONCE = 3;

const Saved = z.array(z.unknown());

/** What is sent, and how. */
export interface Sending<T> {
  file: string;
  /** Lines of the file, for the progress. */
  total: number;
  batches: AsyncIterable<Batch<T>>;
  /** Saves a batch; returns the saved records in the order of the lines. */
  save: (batch: Batch<T>) => Promise<unknown>;
  progress: Progress;
}

/**
 * Sends the batches; returns the saved records in order, as JSON separated by commas, and their number. Throws CliError; nothing was
 * imported then unless its message says what was.
 */
export async function sendBatches<T>({
  file,
  total,
  batches,
  save,
  progress,
}: Sending<T>): Promise<{ imported: number; records: Source }> {
  const records = temporaryFile();
  const begun = Date.now();
  let imported = 0;
  let failed: { batch: Batch<T>; error: CliError } | undefined;
  const results = inOrder(batches, BATCHES_AT_ONCE, async (batch) => {
    try {
      const saved = Saved.parse(await save(batch));
      imported += saved.length;
      const perSecond = Math.round((imported * 1000) / Math.max(1, Date.now() - begun));
      progress.show(`Imported ${imported} of ${total} lines, ${perSecond} a second`);
      return JSON.stringify(saved).slice(1, -1);
    } catch (error) {
      if (error instanceof CliError) failed ??= { batch, error };
      throw error;
    }
  });
  try {
    let separator = '';
    for await (const json of results) {
      await records.append(separator + json);
      separator = ',';
    }
  } catch (error) {
    throw failed ? interrupted(file, failed.error, failed.batch, imported) : error;
  }
  return { imported, records: records.read };
}

/** The service's own error; where part of the file may be imported already, with what part that is. */
function interrupted(file: string, error: CliError, { lines }: Batch<unknown>, imported: number): CliError {
  const certain = imported === 0 && error.code !== 'import_interrupted' && error.code !== 'internal_error';
  if (certain) return error;
  return new CliError(
    error.code,
    `${file}: ${imported} records were imported, then lines ${lines[0]} to ${lines.at(-1)} failed: ${error.message} Importing the same file again completes it.`,
  );
}
