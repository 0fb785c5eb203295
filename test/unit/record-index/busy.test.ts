// An index that others keep locked is behind; it is not broken.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { failureOf } from '#record-index/index-errors.ts';

test('a locked file is told from a damaged one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'run-service-busy-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'x.db');
  const [holder, other] = [new DatabaseSync(path), new DatabaseSync(path, { timeout: 0 })];
  holder.exec('CREATE TABLE t(x); BEGIN EXCLUSIVE');
  const failure = (work: () => unknown) => {
    try {
      return work();
    } catch (error) {
      return error;
    }
  };
  const locked = failure(() => other.exec('INSERT INTO t VALUES (1)'));
  expect(failureOf(locked)).toMatchObject({ kind: 'busy' });
  holder.exec('COMMIT');
  const damaged = failure(() => other.prepare('SELECT * FROM absent'));
  expect(failureOf(damaged)).toMatchObject({ kind: 'damaged' });
  holder.close();
  other.close();
});
