// Damaged files of the data folder: one clear line that names the file, before anything is served.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSecretFile } from '../../lib/local/runtime/secret-file.ts';
import { openSqliteFile } from '../../lib/local/runtime/sqlite-file.ts';
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

test.each(['no json', '[]', '{"key":1}'])('a secret file that holds %s is refused in one line', (content) => {
  const file = damaged('kms.json', content);
  expect(refusal(() => openSecretFile(file))).toMatch(new RegExp(`^${file}: [^\\n]+$`));
});
