// Reads the JSON files of commands.
import { readFileSync } from 'node:fs';
import { CliError } from './cli-error.ts';

/** The one JSON value of a file. Throws CliError `unreadable_file` or `invalid_file`. */
export function readJson(file: string): unknown {
  try {
    return JSON.parse(decode(readBytes(file)));
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError('invalid_file', `${file}: not valid JSON in UTF-8.`);
  }
}

function readBytes(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** The error for a file that cannot be read. */
export function unreadable(file: string, error: unknown): CliError {
  const reason = error instanceof Error ? error.message : String(error);
  return new CliError('unreadable_file', `${file} cannot be read: ${reason}`);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Throws TypeError on bytes that are not UTF-8; a byte order mark is skipped. */
export function decode(bytes: Buffer): string {
  return utf8.decode(bytes);
}
