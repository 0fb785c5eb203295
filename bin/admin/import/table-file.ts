// A file of rows as the lines that an import reads.

import type { Progress } from '../../../clients/cli/output/progress.ts';
import type { Choices } from '../../../clients/record-file/columns.ts';
import { FileProblem } from '../../../clients/record-file/file-problem.ts';
import { isOwnLine, readRecordFile } from '../../../clients/record-file/record-file.ts';
import { CliError } from '../cli-error.ts';
import type { Source } from './read-lines.ts';
import { temporaryFile } from './temporary-file.ts';

export interface Lines {
  source: Source;
  /** Whether the lines were rows of a table. */
  are_rows: boolean;
}

const FIRST_LINE_MAX_BYTES = 1_000_000;
const WRITTEN_CHARACTERS = 1_000_000;

/**
 * The lines of a file: its own if it has {type, name, fields} on each, else one for each row of its CSV, TSV or JSON,
 * with the number that it has in the file. Throws CliError `invalid_file`.
 */
export async function linesOf(source: Source, choices: Choices, progress: Progress): Promise<Lines> {
  if (await hasOwnLines(source, choices)) return { source, are_rows: false };
  const file = { name: source.file, bytes: source.bytes };
  const converted = temporaryFile();
  try {
    progress.show('Reading the file');
    const { records } = await readRecordFile(file, choices);
    let written = 1;
    let text = '';
    for await (const { line, record } of records()) {
      text += `${'\n'.repeat(Math.max(0, line - written))}${JSON.stringify(record)}\n`;
      written = Math.max(written, line) + 1;
      if (text.length < WRITTEN_CHARACTERS) continue;
      await converted.append(text);
      text = '';
    }
    await converted.append(text);
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    throw new CliError('invalid_file', `${source.file}: nothing was imported. ${error.message}`);
  }
  return { source: { file: source.file, bytes: converted.read }, are_rows: true };
}

/** Whether the first line is such a line, or is meant to be one and is broken. A file without lines has none. */
async function hasOwnLines(source: Source, choices: Choices): Promise<boolean> {
  const first = await firstLine(source);
  if (first === '') return choices.type === undefined;
  if (!first.startsWith('{')) return false;
  try {
    return isOwnLine(JSON.parse(first), choices);
  } catch {
    return true;
  }
}

async function firstLine({ bytes }: Source): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of bytes()) {
    parts.push(part);
    size += part.length;
    const text = Buffer.concat(parts).toString().trimStart();
    const end = text.indexOf('\n');
    if (end >= 0) return text.slice(0, end);
    if (size > FIRST_LINE_MAX_BYTES) break;
  }
  return Buffer.concat(parts).toString().trimStart();
}
