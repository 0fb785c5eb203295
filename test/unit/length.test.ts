// A test file is short enough to read in one sitting; a longer one is split by behavior.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { filesBy } from '../support/files.ts';

const LINES_MAX = 350;

test('no file of the tests is longer than 350 lines', () => {
  const long = filesBy('test/**/*.ts').filter(
    (file) => readFileSync(file, 'utf8').trimEnd().split('\n').length > LINES_MAX,
  );
  expect(long).toEqual([]);
});
