// The last pass over a file: sends its batches, a few at once, and records the answers.
import * as z from 'zod';
import type { Progress } from '../../../clients/cli/output/progress.ts';
import { CliError } from '../cli-error.ts';
import { type Batch, inOrder } from './batches.ts';
import { type Bytes, temporaryFile } from './temporary-file.ts';

const Typed = z.object({ type: z.string() });
const Count = z.number().int();
/** What a batch answers: the records, and what became of how many. */
export const Saved = z.object({
  created: Count,
  updated: Count,
  unchanged: Count,
  records: z.array(z.unknown()),
});
export type Saved = z.infer<typeof Saved>;

/** What to send, and how. */
export interface Sending<T> {
  file: string;
  /** Number of lines, for the progress. */
  total: number;
  batches: AsyncIterable<Batch<T>>;
  /** Saves a batch; its records are in the order of the lines. */
  save: (batch: Batch<T>) => Promise<Saved>;
  /** How many batches are sent at once. */
  atOnce?: number;
  progress: Progress;
}

/** What was saved: the number of records, also by type, and the records in order, as JSON separated by commas. */
export interface Sent {
  imported: number;
  created: number;
  updated: number;
  unchanged: number;
  by_type: Map<string, number>;
  records: Bytes;
}

/** Sends the batches. Throws CliError; unless its message says otherwise, nothing was imported. */
export async function sendBatches<T>(sending: Sending<T>): Promise<Sent> {
  const { file, total, batches, save, progress, atOnce } = sending;
  const records = temporaryFile();
  const counts = { created: 0, updated: 0, unchanged: 0 };
  const by_type = new Map<string, number>();
  const begun = Date.now();
  let imported = 0;
  let failed: { lines: number[]; error: CliError } | undefined;
  const results = inOrder(
    batches,
    async (batch) => {
      try {
        const { records: saved, ...counted } = await save(batch);
        imported += saved.length;
        counts.created += counted.created;
        counts.updated += counted.updated;
        counts.unchanged += counted.unchanged;
        for (const { data } of saved.map((one) => Typed.safeParse(one)))
          if (data) by_type.set(data.type, (by_type.get(data.type) ?? 0) + 1);
        const perSecond = Math.round((imported * 1000) / Math.max(1, Date.now() - begun));
        progress.show(`Imported ${imported} of ${total} lines, ${perSecond} a second`);
        return JSON.stringify(saved).slice(1, -1);
      } catch (error) {
        if (error instanceof CliError) failed ??= { lines: batch.lines, error };
        throw error;
      }
    },
    atOnce,
  );
  try {
    let separator = '';
    for await (const json of results) {
      if (json === '') continue;
      await records.append(separator + json);
      separator = ',';
    }
  } catch (error) {
    if (!failed) throw error;
    const { code, message } = failed.error;
    const certain = imported === 0 && code !== 'import_interrupted' && code !== 'internal_error';
    if (certain) throw failed.error;
    throw new CliError(
      code,
      `${file}: ${imported} records were imported, then lines ${failed.lines[0]} to ${failed.lines.at(-1)} failed: ${message} Importing the same file again completes it.`,
    );
  }
  return { imported, ...counts, by_type, records: records.read };
}
