// Reads an NDJSON file line by line, in bounded memory.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type * as z from 'zod';
import { issueLines } from '../../../functions/admin/commands.ts';
import { decode, unreadable } from '../read-file.ts';
import { type Bytes, temporaryFile } from './temporary-file.ts';

/** A value of an NDJSON file and its line number, from 1. */
export interface Line<T> {
  line: number;
  value: T;
}

/** No valid line is longer, even with every character escaped. */
const LINE_MAX_BYTES = 8_000_000;
const NEWLINE = 10;
const BLANKS = new Set([9, 13, 32]);

/** A file that is read once per pass, and its name in messages. */
export interface Source {
  file: string;
  bytes: Bytes;
}

/** Opens a file. Copies it first if it can be read only once, like a pipe. Throws CliError `unreadable_file`. */
export async function openSource(file: string): Promise<Source> {
  if (await isPlain(file)) return { file, bytes: () => bytesOf(file) };
  const copy = temporaryFile();
  for await (const chunk of bytesOf(file)) await copy.append(chunk);
  return { file, bytes: copy.read };
}

async function isPlain(file: string): Promise<boolean> {
  try {
    return (await stat(file)).isFile();
  } catch (error) {
    throw unreadable(file, error);
  }
}

async function* bytesOf(file: string): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(file);
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** Every line that is not blank, with its value or its error. */
export async function* readLines<T>(
  bytes: AsyncIterable<Buffer>,
  schema: z.ZodType<T>,
): AsyncGenerator<Line<T> | { line: number; issue: string }> {
  for await (const { line, bytes: part } of split(bytes)) {
    if (part === undefined) yield { line, issue: `longer than ${LINE_MAX_BYTES} bytes` };
    else if (part.some((byte) => !BLANKS.has(byte))) yield { line, ...readLine(part, schema) };
  }
}

function readLine<T>(bytes: Buffer, schema: z.ZodType<T>): { value: T } | { issue: string } {
  let value: unknown;
  try {
    value = JSON.parse(decode(bytes));
  } catch {
    return { issue: 'not valid JSON in UTF-8' };
  }
  const result = schema.safeParse(value);
  return result.success ? { value: result.data } : { issue: issueLines(result.error).join(', ') };
}

/** The lines without their newlines; undefined for a line that is too long. */
async function* split(
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<{ line: number; bytes: Buffer | undefined }> {
  let line = 1;
  let parts: Buffer[] = [];
  let size = 0;
  const take = () => {
    const bytes = size > LINE_MAX_BYTES ? undefined : Buffer.concat(parts);
    parts = [];
    size = 0;
    return { line: line++, bytes };
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      parts.push(chunk.subarray(start, end));
      size += end - start;
      start = end + 1;
      yield take();
    }
    size += chunk.length - start;
    if (size > LINE_MAX_BYTES) parts = [];
    else parts.push(chunk.subarray(start));
  }
  if (size > 0) yield take();
}
