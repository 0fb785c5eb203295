// `npm run routes`: the API on one screen.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { routes } from '../../functions/contract/routes.ts';

test('the page of routes has a line for each, with its handler, its function and its right', () => {
  const [head = '', ...lines] = execFileSync(process.execPath, ['bin/routes.ts'])
    .toString()
    .trim()
    .split('\n');
  expect(head.split(/ +/)).toEqual(['METHOD', 'PATH', 'HANDLER', 'FUNCTION', 'RIGHT']);
  const cells = lines.map((line) => line.split(/ {2,}/));
  const rows = Object.values(routes);
  expect(cells.map(([, path, , name]) => [path, name])).toEqual(rows.map((row) => [row.path, row.function]));
  for (const [, , handler] of cells) expect(existsSync(`functions/${handler}`), handler).toBe(true);
  expect(cells.map(([, , , , right]) => right)).toEqual(
    expect.arrayContaining(['any key', 'runs:create', 'runs:read or event_token', 'signature']),
  );
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(130);
});
