// Room on the disk of a function: which indexes are deleted for one that is about to be built.
import { mkdtempSync, readdirSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeRoom } from '#domain/records/index-disk.ts';

const MB = 1024 * 1024;
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'room-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
  delete process.env.RECORD_INDEX_DISK_MB;
});

/** A file that was used this many seconds ago. */
function file(name: string, megabytes: number, age: number): void {
  const path = join(folder, name);
  writeFileSync(path, '');
  truncateSync(path, megabytes * MB);
  const at = Date.now() / 1000 - age;
  utimesSync(path, at, at);
}

function fill(): void {
  file('old.db', 20, 300);
  file('old.db-wal', 1, 300);
  file('busy.db', 20, 400);
  file('busy.db-wal', 1, 10);
  file('dead.db.x.copy', 20, 600);
  file('own.db', 90, 900);
}

test('the least recently used indexes are deleted until the others take half the disk, with their companion files', async () => {
  fill();
  process.env.RECORD_INDEX_DISK_MB = '60';
  await makeRoom(join(folder, 'own.db'));
  expect(readdirSync(folder).sort()).toEqual(['busy.db', 'busy.db-wal', 'own.db']);
});

test('as long as there is room nothing is deleted', async () => {
  fill();
  process.env.RECORD_INDEX_DISK_MB = '200';
  await makeRoom(join(folder, 'own.db'));
  expect(readdirSync(folder)).toHaveLength(6);
});

test('without a limit nothing is deleted', async () => {
  fill();
  await makeRoom(join(folder, 'own.db'));
  expect(readdirSync(folder)).toHaveLength(6);
});
