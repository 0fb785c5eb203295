// Import files: every malformed line is reported by its number, and none of the file is used.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { CliError } from '../../../bin/admin/cli-error.ts';
import { checkLines } from '../../../bin/admin/import/check-lines.ts';
import { openSource, readLines } from '../../../bin/admin/import/read-lines.ts';
import { readJson } from '../../../bin/admin/read-file.ts';
import { progressOn } from '../../../clients/cli/output/progress.ts';
import { ImportEntity } from '../../../functions/domain/records/checked-lines.ts';
import { isPosix } from '../../support/platform.ts';

const folder = mkdtempSync(join(tmpdir(), 'admin-files-'));
afterAll(() => rmSync(folder, { recursive: true }));

const GOOD = '{"type":"company","name":"Acme"}';

function file(content: string | Buffer): string {
  const path = join(folder, 'lines.ndjson');
  writeFileSync(path, content);
  return path;
}

async function check(path: string): Promise<unknown> {
  const silent = progressOn({ write: () => undefined });
  return checkLines(await openSource(path), ImportEntity, silent);
}

async function errorOf(read: () => unknown): Promise<CliError> {
  try {
    await read();
  } catch (error) {
    if (error instanceof CliError) return error;
    throw error;
  }
  throw new Error('the file was accepted');
}

describe('NDJSON files', () => {
  test('blank lines count but have no content; line ends of either kind and a byte order mark are fine', async () => {
    const source = await openSource(file(`\ufeff${GOOD}\r\n\r\n  \n${GOOD}`));
    const lines: unknown[] = [];
    for await (const line of readLines(source.bytes(), ImportEntity)) lines.push(line);
    const value = { type: 'company', name: 'Acme' };
    expect(lines).toEqual([
      { line: 1, value },
      { line: 4, value },
    ]);
  });

  test('an empty file has no lines', async () => {
    expect(await check(file(''))).toMatchObject({ lines: 0 });
  });

  test('each malformed line is named with its fault', async () => {
    const { code, message } = await errorOf(() =>
      check(file(`${GOOD}\n{"type":"company"\n${GOOD}\n{"type":"company"}\n[]`)),
    );
    expect(code).toBe('invalid_file');
    expect(message).toContain('nothing was imported');
    expect(message).toContain('line 2: not valid JSON');
    expect(message).toContain('line 4: name: is missing');
    expect(message).toContain('line 5: ');
    expect(message).not.toMatch(/line [13]:/);
  });

  test('bytes that are not UTF-8 are a fault of their line', async () => {
    const bytes = Buffer.concat([
      Buffer.from(`${GOOD}\n{"type":"a","name":"`),
      Buffer.from([0xff]),
      Buffer.from('"}'),
    ]);
    expect((await errorOf(() => check(file(bytes)))).message).toContain('line 2: not valid JSON in UTF-8');
  });

  test('of many malformed lines the first 20 are named and the rest counted', async () => {
    const { message } = await errorOf(() => check(file('x\n'.repeat(33))));
    expect(message).toContain('line 20:');
    expect(message).not.toContain('line 21:');
    expect(message).toContain('and 13 more');
  });

  test('a file that cannot be read is reported', async () => {
    expect((await errorOf(() => check(join(folder, 'none')))).code).toBe('unreadable_file');
    expect((await errorOf(() => check(folder))).code).toBe('unreadable_file');
  });

  test('a line longer than any record is refused by its number and not read into memory', async () => {
    const path = file(`${GOOD}\n${'x'.repeat(9_000_000)}\n${GOOD}\n{}`);
    const { message } = await errorOf(() => check(path));
    expect(message).toContain('line 2: longer than 8000000 bytes');
    expect(message).toContain('line 4: ');
    expect(message).not.toMatch(/line [13]:/);
  });

  test('fields nested too deep or too large are refused by the number of their line', async () => {
    const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: nested(depth - 1) });
    const sized = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) });
    const all = [{ a: nested(20) }, { a: nested(21) }, sized(358_400), sized(358_401)];
    const path = file(
      all.map((fields) => `{"type":"t","name":"n","fields":${JSON.stringify(fields)}}`).join('\n'),
    );
    const { message } = await errorOf(() => check(path));
    expect(message).toContain('line 2: fields: nested deeper than 20 levels');
    expect(message).toContain('line 4: fields: larger than 358400 bytes of JSON');
    expect(message).not.toMatch(/line [13]:/);
  });

  test.runIf(isPosix)('a pipe is read, though it can be read only once', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const writing = writeFile(pipe, `${GOOD}\n${GOOD}\n`);
    const source = await openSource(pipe);
    await writing;
    for (let i = 0; i < 2; i += 1) {
      let lines = 0;
      for await (const read of readLines(source.bytes(), ImportEntity)) if ('value' in read) lines += 1;
      expect(lines).toBe(2);
    }
  });
});

test('a JSON file must hold one document', async () => {
  expect(readJson(file('{"name":"crm"}\n'))).toEqual({ name: 'crm' });
  expect((await errorOf(() => readJson(file('{} {}')))).code).toBe('invalid_file');
});
