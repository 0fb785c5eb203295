// Reads the JSON that a flag names: a file, or standard input.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { messageOf, misuse } from '../problem.ts';
import type { Surroundings } from '../surroundings.ts';

/** The text in a file; `-` is standard input. Throws Problem when it is unreadable. */
export async function readText({ stdin, cwd }: Surroundings, file: string, flag: string): Promise<string> {
  const bytes = file === '-' ? await buffer(stdin) : readBytes(resolve(cwd, file), flag);
  return new TextDecoder().decode(bytes);
}

/** The object in a file; `-` is standard input. Throws Problem when it is unreadable or not an object. */
export async function readJson({ stdin, cwd }: Surroundings, file: string, flag: string): Promise<object> {
  const bytes = file === '-' ? await buffer(stdin) : readBytes(resolve(cwd, file), flag);
  const value = parse(bytes, `${flag} ${file}`);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw misuse(`${flag} ${file}: not a JSON object`);
  return value;
}

function readBytes(file: string, flag: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    throw misuse(`${flag}: ${isAbsent ? `there is no file ${file}` : messageOf(error)}`);
  }
}

function parse(bytes: Buffer, what: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw misuse(`${what}: not JSON in UTF-8: ${messageOf(error)}`);
  }
}
