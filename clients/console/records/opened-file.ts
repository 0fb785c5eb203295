// A file of the browser for the reader of records, which the page loads together with it.
import type { OpenFile } from '../../record-file/file-text.ts';
import { type RecordFile, type RecordLine, readRecordFile } from '../../record-file/record-file.ts';
import { type ImportChoices, PREVIEW_ROWS } from '../view-models/import-view.ts';

/** A file that is understood, with its first records. */
export interface ReadFile {
  file: RecordFile;
  first: RecordLine[];
}

/** The type of each row until it is chosen: reading a file again for it would take as long as the first time. */
const NO_TYPE_YET = 'record';

/** Reads the file once. Throws FileProblem, and the reason of `signal`. */
export async function readFile(
  file: File,
  { name_field, id_field }: ImportChoices,
  signal: AbortSignal,
): Promise<ReadFile> {
  const read = await readRecordFile(opened(file, signal), { name_field, id_field, type: NO_TYPE_YET });
  const first: RecordLine[] = [];
  for await (const { record } of read.records()) {
    first.push(record);
    if (first.length === PREVIEW_ROWS) break;
  }
  return { file: read, first };
}

function opened(file: File, signal: AbortSignal): OpenFile {
  return {
    name: file.name,
    async *bytes() {
      // Not every browser iterates a stream.
      const reader = file.stream().getReader();
      try {
        for (;;) {
          const { done, value } = await reader.read();
          signal.throwIfAborted();
          if (done) return;
          yield value;
        }
      } finally {
        await reader.cancel();
      }
    },
  };
}
