// Sends the records of a file in batches, and says what became of each of its lines.
import { FileProblem } from './file-problem.ts';
import type { PlacedRecord, RecordFile, RecordLine } from './record-file.ts';

/** What the service says of a batch. */
export interface BatchReply {
  created: number;
  updated: number;
  unchanged: number;
  /** By the index in the batch. */
  errors: readonly { index: number; path: string; message: string }[];
}

/** What became of a file so far. */
export interface ImportOutcome {
  created: number;
  updated: number;
  /** They had this content already, or are left as they are. */
  unchanged: number;
  /** Lines that the service refused, the first hundred of them. */
  refused: { line: number; path: string; message: string }[];
  refused_count: number;
  /** Rows that the service has seen, out of `rows`. */
  done: number;
  rows: number;
  /** The line of the last such row. */
  last_line: number;
}

/** An import that ended before the file did. What `outcome` counts is in; the same import again completes it. */
export class ImportBroken extends Error {
  readonly outcome: ImportOutcome;
  constructor(outcome: ImportOutcome, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'ImportBroken';
    this.outcome = outcome;
  }
}

/** A request has at most 1,000 records and 1 MB. */
const BATCH_MAX = 1000;
const BATCH_MAX_CHARACTERS = 300_000;
const REFUSED_SHOWN_MAX = 100;

/**
 * Imports the file, batch after batch: lines act in their order. `send` saves a batch. Throws ImportBroken with what is
 * in when a batch fails.
 */
export async function importRecords(
  file: RecordFile,
  send: (records: RecordLine[]) => Promise<BatchReply>,
  onProgress: (outcome: ImportOutcome) => void = () => undefined,
): Promise<ImportOutcome> {
  const outcome: ImportOutcome = {
    ...{ created: 0, updated: 0, unchanged: 0, refused: [], refused_count: 0 },
    ...{ done: 0, rows: file.rows, last_line: 0 },
  };
  try {
    for await (const batch of batchesOf(file.records())) {
      const reply = await send(batch.map(({ record }) => record));
      outcome.created += reply.created;
      outcome.updated += reply.updated;
      outcome.unchanged += reply.unchanged;
      outcome.refused_count += reply.errors.length;
      for (const { index, path, message } of reply.errors)
        if (outcome.refused.length < REFUSED_SHOWN_MAX)
          outcome.refused.push({ line: batch[index]?.line ?? 0, path, message });
      outcome.done += batch.length;
      outcome.last_line = batch.at(-1)?.line ?? 0;
      onProgress(outcome);
    }
  } catch (error) {
    throw new ImportBroken(outcome, error);
  }
  if (outcome.done < file.rows)
    throw new ImportBroken(outcome, new FileProblem('the file has changed: it has fewer rows than before.'));
  return outcome;
}

async function* batchesOf(records: AsyncIterable<PlacedRecord>): AsyncGenerator<PlacedRecord[]> {
  let batch: PlacedRecord[] = [];
  let size = 0;
  for await (const one of records) {
    const own = JSON.stringify(one.record).length;
    if (batch.length === BATCH_MAX || (batch.length > 0 && size + own > BATCH_MAX_CHARACTERS)) {
      yield batch;
      batch = [];
      size = 0;
    }
    batch.push(one);
    size += own;
  }
  if (batch.length > 0) yield batch;
}
