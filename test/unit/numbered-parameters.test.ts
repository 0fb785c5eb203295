// The first Node that the packaged service takes binds no parameter such as `?1`: it takes them for named ones.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { filesBy } from '../support/files.ts';

const root = resolve(import.meta.dirname, '../..');
const numbered = (text: string) => /(?:[=(,<>]|LIMIT) *\?\d/.test(text);

test('no statement has numbered parameters', () => {
  const files = filesBy(['functions/**/*.ts', 'lib/**/*.ts', 'clients/**/*.ts', 'bin/**/*.ts'], root);
  expect(files.filter((file) => numbered(readFileSync(resolve(root, file), 'utf8')))).toEqual([]);
});

test.each(['WHERE slot = ?1 LIMIT 2', 'VALUES (?1, ?2)', 'json_each(?1)'])('such one is found: %s', (sql) => {
  expect(numbered(sql)).toBe(true);
});
