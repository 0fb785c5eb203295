// A run's input as commands: pasted, they create the same run, whatever the input contains.
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { asCli, asCurl, asTypeScript, requestOf } from '../../clients/console/view-models/commands.ts';
import type { CreateRun } from '../../clients/sdk/index.ts';
import { isPosix } from '../support/platform.ts';

const BASE = 'http://127.0.0.1:8787/api/v1';
const hostile = `it's "$HOME" \`id\` $(id) \\ ; JSON\nJSON\n</script> \u2028 $\{x}`;
const request: CreateRun = { input_type: 'query', query: hostile, metadata: { "k'": hostile } };

/** What a shell hands to a program of this name. */
const handed = (program: string, script: string) =>
  execFileSync('sh', ['-c', `${program}() { printf '%s\\0' "$@"; [ -t 0 ] || cat; }\n${script}`], {
    env: { PATH: process.env.PATH, RUNS_API_KEY: 'sk_1' },
    input: '',
  }).toString();

test.runIf(isPosix)('the curl command sends the request byte by byte', () => {
  expect(handed('curl', asCurl(request, BASE)).split('\0')).toEqual([
    ...[
      '-sS',
      `${BASE}/runs`,
      '-H',
      'Authorization: Bearer sk_1',
      '-H',
      'Content-Type: application/json',
      '-d',
    ],
    ...[JSON.stringify(request), ''],
  ]);
});

test.runIf(isPosix)('the terminal command reads the request byte by byte', () => {
  expect(JSON.parse(handed('npm', asCli(request, BASE)).split('\0').at(-1) ?? '')).toEqual(request);
});

test('the program contains the request unchanged', () => {
  const [, literal = ''] = /runs\.create\(([\s\S]*)\);\nconsole/.exec(asTypeScript(request, BASE)) ?? [];
  expect(JSON.parse(literal)).toEqual(request);
});

test('what is empty is left out of the request', () => {
  const input = { input_type: 'query', query: 'q' } as const;
  expect(requestOf({ input, config: {} })).toEqual(input);
  expect(requestOf({ input, config: { xray: true }, metadata: { a: 'b' } })).toEqual({
    ...input,
    config: { xray: true },
    metadata: { a: 'b' },
  });
});
