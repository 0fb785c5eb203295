// No function calls itself with the rest of a path, or of a text, for each way to split it: that takes time beyond all
// bounds. `valuesByPath` reads a record once instead.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { filesBy } from '../support/files.ts';

const root = resolve(import.meta.dirname, '../..');

/** The functions of a file that call themselves with a slice of something. */
function searching(text: string): string[] {
  const functions = [...text.matchAll(/^(?:export )?(?:async )?function\*? (\w+)[\s\S]*?^\}/gm)];
  return functions.flatMap(([body, name = '']) =>
    new RegExp(`\\b${name}\\([^;]*?\\.slice\\([^)]`).test(body.slice(body.indexOf('{'))) ? [name] : [],
  );
}

test('no function searches through the ways to split a path', () => {
  const found = filesBy(['functions/**/*.ts', 'lib/**/*.ts'], root).flatMap((file) =>
    searching(readFileSync(resolve(root, file), 'utf8')).map((name) => `${file}: ${name}`),
  );
  expect(found).toEqual([]);
});

test('such a function is found', () => {
  const search = `function valueAt(fields: JsonObject, path: string): Json | undefined {
  for (let dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
    const value = valueAt(fields[path.slice(0, dot)], path.slice(dot + 1));
    if (value !== undefined) return value;
  }
}
`;
  expect(searching(search)).toEqual(['valueAt']);
});
