// Reads the files of commands: JSON, and NDJSON with errors by line.
import { readFileSync } from 'node:fs';
import type * as z from 'zod';
import { issueLines } from '../../functions/admin/commands.ts';
import { CliError } from './cli-error.ts';

/** A value of an NDJSON file and its line number, from 1. */
export interface Line<T> {
  line: number;
  value: T;
}

const MAX_ISSUES = 20;

/** The one JSON value of a file. Throws CliError `unreadable_file` or `invalid_file`. */
export function readJson(file: string): unknown {
  try {
    return JSON.parse(decode(readBytes(file)));
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError('invalid_file', `${file}: not valid JSON in UTF-8.`);
  }
}

/**
 * Every line of an NDJSON file that is not blank, checked. Throws CliError `unreadable_file`, or `invalid_file` with the numbers of the
 * malformed lines (of the first 20).
 */
export function readLines<T>(file: string, schema: z.ZodType<T>): Line<T>[] {
  const lines: Line<T>[] = [];
  const issues: string[] = [];
  for (const { line, bytes } of split(readBytes(file))) {
    const read = readLine(bytes, schema);
    if ('issue' in read) issues.push(`line ${line}: ${read.issue}`);
    else lines.push({ line, value: read.value });
  }
  if (issues.length > 0) throw invalidLines(file, issues);
  return lines;
}

/** The error over the lines of a file that cannot be imported; at most 20 are named. */
export function invalidLines(file: string, issues: string[]): CliError {
  const more = issues.length > MAX_ISSUES ? `; and ${issues.length - MAX_ISSUES} more` : '';
  return new CliError(
    'invalid_file',
    `${file}: nothing was imported. ${issues.slice(0, MAX_ISSUES).join('; ')}${more}`,
  );
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

function readBytes(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliError('unreadable_file', `${file} cannot be read: ${reason}`);
  }
}

/** Throws TypeError on bytes that are not UTF-8; a byte order mark is skipped. */
function decode(bytes: Buffer): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}

const NEWLINE = 10;

function* split(bytes: Buffer): Generator<{ line: number; bytes: Buffer }> {
  for (let start = 0, line = 1; start < bytes.length; line += 1) {
    const found = bytes.indexOf(NEWLINE, start);
    const end = found < 0 ? bytes.length : found;
    const part = bytes.subarray(start, end);
    if (part.some((byte) => !BLANKS.has(byte))) yield { line, bytes: part };
    start = end + 1;
  }
}
const BLANKS = new Set([9, 13, 32]);
