// Files in memory for the reader of records.
import type { Choices } from '../../../clients/record-file/columns.ts';
import type { OpenFile } from '../../../clients/record-file/file-text.ts';
import {
  type RecordFile,
  type RecordLine,
  readRecordFile,
} from '../../../clients/record-file/record-file.ts';

/** A file that is read in parts of a few bytes, so that everything is cut somewhere. */
export function fileOf(content: string | Uint8Array, name = 'file', partBytes = 7): OpenFile {
  const all = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return {
    name,
    async *bytes() {
      for (let at = 0; at < all.length; at += partBytes) yield all.subarray(at, at + partBytes);
    },
  };
}

export const read = (content: string | Uint8Array, choices: Choices = {}, name = 'file.csv') =>
  readRecordFile(fileOf(content, name), { type: 'thing', ...choices });

/** The records of a file, without their lines. */
export async function recordsOf(file: RecordFile): Promise<RecordLine[]> {
  const found: RecordLine[] = [];
  for await (const { record } of file.records()) found.push(record);
  return found;
}

/** The fields of each record. */
export async function fieldsOf(content: string | Uint8Array, choices: Choices = {}): Promise<unknown[]> {
  return (await recordsOf(await read(content, choices))).map(({ fields }) => fields);
}

/** The kind of each column, by its name. */
export async function kindsOf(content: string, choices: Choices = {}): Promise<Record<string, string>> {
  const { columns } = await read(content, choices);
  return Object.fromEntries(columns.map(({ name, kind }) => [name, kind]));
}
