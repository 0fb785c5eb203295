// The command line and the data folder: one clear line for each mistake.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDataFolder } from '../../lib/local/cli/data-folder.ts';
import { readFlags, usagePage } from '../../lib/local/cli/flags.ts';

const newFolder = () => mkdtempSync(join(tmpdir(), 'folder-'));

test('the defaults are those of the contract', () => {
  expect(readFlags([])).toEqual({
    port: 8787,
    host: '127.0.0.1',
    dataDir: '.local',
    reset: false,
    seed: true,
    allowLocalCallbacks: false,
    model: 'offline',
    prices: undefined,
    dynamodbEndpoint: undefined,
  });
});

test.each([
  [['--bogus'], '--bogus'],
  [['extra'], 'extra'],
  [['--port'], '--port'],
  [['--port', 'x'], '--port'],
  [['--port', '65536'], '--port'],
  [['--port', '-1'], '--port'],
  [['--host', ''], '--host'],
  [['--model', 'gpt'], '--model'],
  [['--model', 'openai:m@nowhere'], '--model'],
  [['--prices', '/nowhere/prices.json'], '--prices'],
  [['--dynamodb-endpoint', 'ftp://x'], '--dynamodb-endpoint'],
])('%j is refused in one line', (args, named) => {
  expect(() => readFlags(args)).toThrow(named);
  expect(() => readFlags(args)).toThrow(/^[^\n]+$/);
});

test.each([
  'no json',
  '[]',
  '{"m":{"input":1}}',
  '{"m":{"input":1,"cached_input":-1,"output":1}}',
  '{"m":{"input":1,"cached_input":1,"output":1,"x":1}}',
])('the price table %s is refused', (text) => {
  const file = join(newFolder(), 'prices.json');
  writeFileSync(file, text);
  expect(() => readFlags(['--prices', file])).toThrow('--prices');
});

test('a price table is read', () => {
  const file = join(newFolder(), 'prices.json');
  writeFileSync(file, '{"m":{"input":1,"cached_input":0.1,"output":4}}');
  expect(readFlags(['--prices', file]).prices).toEqual({ m: { input: 1, cached_input: 0.1, output: 4 } });
});

test('a price may say when it was read, as in the example of the README', () => {
  const prices = { 'llama3.2': { input: 0, cached_input: 0, output: 0, as_of: '2026-11-01' } };
  const file = join(newFolder(), 'prices.json');
  writeFileSync(file, JSON.stringify(prices));
  expect(readFlags(['--prices', file]).prices).toEqual(prices);
});

test('what is wrong with a price table is named by model and price', () => {
  const file = join(newFolder(), 'prices.json');
  writeFileSync(file, '{"m":{"input":1,"cached_input":-1,"output":1,"x":1}}');
  expect(() => readFlags(['--prices', file])).toThrow(/^--prices .*"m"."cached_input": .*"x"[^\n]*$/);
});

test.each([
  ['--prot', '--port'],
  ['--dir', '--data-dir'],
  ['--noseed', '--no-seed'],
  ['--prize', '--prices'],
])('the unknown flag %s is answered with the nearest one', (flag, near) => {
  expect(() => readFlags([flag, 'x'])).toThrow(`unknown flag ${flag}; did you mean ${near}?`);
});

test('the usage page shows every flag with its default', () => {
  const page = usagePage();
  for (const flag of [
    '--port N',
    '--host H',
    '--data-dir D',
    '--reset',
    '--no-seed',
    '--allow-local-callbacks',
  ])
    expect(page).toContain(flag);
  for (const flag of ['--model SPEC', '--prices FILE', '--dynamodb-endpoint URL', '--help'])
    expect(page).toContain(flag);
  expect(page).toMatch(/--port N .*\(default 8787\)/);
});

test('a folder that a living service holds is refused', async () => {
  const path = newFolder();
  const held = await openDataFolder(path, false);
  await expect(openDataFolder(path, false)).rejects.toThrow(`pid ${process.pid}`);
  held.release();
  (await openDataFolder(path, false)).release();
});

test('a lock left by a killed service does not count, also when its pid lives again', async () => {
  const path = newFolder();
  writeFileSync(join(path, 'service.pid'), JSON.stringify({ pid: process.pid, started: 'another moment' }));
  (await openDataFolder(path, false)).release();
});

test('a stale local.json is removed at the start', async () => {
  const path = newFolder();
  writeFileSync(join(path, 'local.json'), '{}');
  (await openDataFolder(path, false)).release();
  expect(existsSync(join(path, 'local.json'))).toBe(false);
});

test('reset empties the folder', async () => {
  const path = newFolder();
  mkdirSync(join(path, 'old', 'deep'), { recursive: true });
  writeFileSync(join(path, 'old.json'), '{}');
  (await openDataFolder(path, true)).release();
  expect(readdirSync(path)).toEqual(['logs']);
});

test('reset refuses a folder that is a project', async () => {
  const path = newFolder();
  writeFileSync(join(path, 'package.json'), '{}');
  await expect(openDataFolder(path, true)).rejects.toThrow('--reset');
});

test.each(['/dev/null/x', '/proc/x'])('a folder that cannot be made (%s) is refused', async (path) => {
  await expect(openDataFolder(path, false)).rejects.toThrow('cannot be used');
});
