// Damaged files of the data folder: one clear line that names the file, before anything is served.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSecretFile } from '../../lib/local/files/secret-file.ts';
import { locationProblem, openSqliteFile } from '../../lib/local/files/sqlite-file.ts';
import { SetupError } from '../../lib/local/setup-error.ts';

function damaged(name: string, content: string | Buffer): string {
  const file = join(mkdtempSync(join(tmpdir(), 'damaged-')), name);
  writeFileSync(file, content);
  return file;
}

/** The one line with which `open` refuses. */
function refusal(open: () => unknown): string {
  try {
    open();
  } catch (error) {
    if (error instanceof SetupError) return error.message;
    throw error;
  }
  throw new Error('it was opened');
}

test('a SQLite file that is none is refused in one line', () => {
  const file = damaged('queues.db', Buffer.alloc(8192, 'garbage'));
  expect(refusal(() => openSqliteFile(file, ''))).toMatch(new RegExp(`^${file} is damaged [^\\n]+$`));
});

test('a SQLite file with a damaged page is refused in one line', () => {
  const file = damaged('executions.db', '');
  const database = openSqliteFile(file, 'CREATE TABLE t (a TEXT); CREATE INDEX i ON t (a);');
  for (let i = 0; i < 500; i += 1) database.prepare('INSERT INTO t VALUES (?)').run(`${i}`.repeat(20));
  database.close();
  const bytes = readFileSync(file);
  bytes.fill(0xff, 4096 * 2, 4096 * 3);
  writeFileSync(file, bytes);
  expect(refusal(() => openSqliteFile(file, ''))).toMatch(new RegExp(`^${file} is damaged [^\\n]+$`));
});

test('a SQLite file that cannot grow on a full disk is not reported as damaged: a reset would lose it', () => {
  const file = damaged('queues.db', '');
  const told = refusal(() => openSqliteFile(file, 'PRAGMA max_page_count = 1; CREATE TABLE t (a)'));
  expect(told).toBe(`${file} cannot be used: the disk is full: make room, then start again`);
});

test('a SQLite file that cannot be made is not called damaged', () => {
  const file = join(damaged('file', ''), 'queues.db');
  expect(refusal(() => openSqliteFile(file, ''))).toBe(`${file} cannot be used: it cannot be opened or made`);
});

test.each([
  ['a lock that the file system does not know', 3850],
  ['shared memory that the file system does not know', 5386],
  ['a lock protocol that fails', 15],
])('%s is the place’s fault, and a folder on a local disk the remedy', (_, errcode) => {
  const problem = locationProblem(Object.assign(new Error('disk I/O error'), { errcode }));
  expect(problem).toMatch(/lacks locks.*a folder on a disk of this machine/);
});

test.each(['no json', '[]', '{"key":1}'])('a secret file that holds %s is refused in one line', (content) => {
  const file = damaged('kms.json', content);
  expect(refusal(() => openSecretFile(file))).toMatch(new RegExp(`^${file}: [^\\n]+$`));
});
