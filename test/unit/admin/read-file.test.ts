// Import files: every malformed line is reported by its number, and none of the file is used.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { CliError } from '../../../bin/admin/cli-error.ts';
import { readJson, readLines } from '../../../bin/admin/read-file.ts';
import { ImportEntity } from '../../../functions/admin/commands.ts';

const folder = mkdtempSync(join(tmpdir(), 'admin-files-'));
afterAll(() => rmSync(folder, { recursive: true }));

const GOOD = '{"type":"company","name":"Acme"}';

function file(content: string | Buffer): string {
  const path = join(folder, 'lines.ndjson');
  writeFileSync(path, content);
  return path;
}

function errorOf(read: () => unknown): CliError {
  try {
    read();
  } catch (error) {
    if (error instanceof CliError) return error;
    throw error;
  }
  throw new Error('the file was accepted');
}

describe('NDJSON files', () => {
  test('blank lines count but say nothing; line ends of either kind and a byte order mark are fine', () => {
    const lines = readLines(file(`\ufeff${GOOD}\r\n\r\n  \n${GOOD}`), ImportEntity);
    expect(lines.map(({ line }) => line)).toEqual([1, 4]);
    expect(lines[0]?.value).toEqual({ type: 'company', name: 'Acme', fields: {} });
  });

  test('an empty file has no lines', () => {
    expect(readLines(file(''), ImportEntity)).toEqual([]);
  });

  test('each malformed line is named with its fault', () => {
    const { code, message } = errorOf(() =>
      readLines(file(`${GOOD}\n{"type":"company"\n${GOOD}\n{"type":"company"}\n[]`), ImportEntity),
    );
    expect(code).toBe('invalid_file');
    expect(message).toContain('nothing was imported');
    expect(message).toContain('line 2: not valid JSON');
    expect(message).toContain('line 4: name: is missing');
    expect(message).toContain('line 5: ');
    expect(message).not.toMatch(/line [13]:/);
  });

  test('bytes that are not UTF-8 are a fault of their line', () => {
    const bytes = Buffer.concat([
      Buffer.from(`${GOOD}\n{"type":"a","name":"`),
      Buffer.from([0xff]),
      Buffer.from('"}'),
    ]);
    expect(errorOf(() => readLines(file(bytes), ImportEntity)).message).toContain(
      'line 2: not valid JSON in UTF-8',
    );
  });

  test('of many malformed lines the first 20 are named and the rest counted', () => {
    const { message } = errorOf(() => readLines(file('x\n'.repeat(33)), ImportEntity));
    expect(message).toContain('line 20:');
    expect(message).not.toContain('line 21:');
    expect(message).toContain('and 13 more');
  });

  test('a file that cannot be read is reported', () => {
    expect(errorOf(() => readLines(join(folder, 'none'), ImportEntity)).code).toBe('unreadable_file');
    expect(errorOf(() => readLines(folder, ImportEntity)).code).toBe('unreadable_file');
  });
});

test('a JSON file must hold one document', () => {
  expect(readJson(file('{"name":"crm"}\n'))).toEqual({ name: 'crm' });
  expect(errorOf(() => readJson(file('{} {}'))).code).toBe('invalid_file');
});
