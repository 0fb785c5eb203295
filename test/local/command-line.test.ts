// The command line: one clear line for each mistake.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
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
    checksModels: true,
    dynamodbEndpoint: undefined,
    metrics: false,
  });
  expect(readFlags(['--metrics']).metrics).toBe(true);
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
  [['--otlp-endpoint', 'collector'], '--otlp-endpoint'],
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
  const page = usagePage('npm start --');
  for (const flag of [
    '--port N',
    '--host H',
    '--data-dir D',
    '--reset',
    '--no-seed',
    '--allow-local-callbacks',
  ])
    expect(page).toContain(flag);
  for (const flag of [
    '--model SPEC',
    '--prices FILE',
    '--dynamodb-endpoint URL',
    '--otlp-endpoint URL',
    '--help',
  ])
    expect(page).toContain(flag);
  expect(page).toMatch(/--port N .*\(default 8787\)/);
});

const models = {
  chat: [
    {
      ...{ name: 'm', provider: 'openai', model: 'm', base_url: 'http://127.0.0.1:1/v1' },
      price: { input: 1, cached_input: 0.1, output: 4 },
    },
  ],
};
function modelsFile(content: object): string {
  const file = join(newFolder(), 'models.json');
  writeFileSync(file, JSON.stringify(content));
  return file;
}

test('a models file is read, in place of the flags in the short form (rules.md: models 1)', () => {
  const file = modelsFile(models);
  expect(readFlags(['--models', file, '--no-model-check'])).toMatchObject({ models, checksModels: false });
  for (const flag of ['--model', '--embedding'])
    expect(() => readFlags(['--models', file, flag, 'offline'])).toThrow(
      `--models has everything: leave out ${flag}`,
    );
});

test.each([
  [{ chat: [{ ...models.chat[0], price: { input: 'much' } }] }, 'chat.0.price.input'],
  [{ chat: [{ ...models.chat[0], key_env: 'NO_SUCH_VARIABLE' }] }, 'chat.0.key_env'],
  [{ ...models, tasks: { plan: 'other' } }, 'tasks.plan'],
])('a wrong models file is refused in one line with its place: %j', (content, place) => {
  const file = modelsFile(content);
  expect(() => readFlags(['--models', file])).toThrow(new RegExp(`^--models [^\n]*: ${place}: [^\n]+$`));
});

test.each([
  ['bedrock:amazon.nova-micro-v1:0,bedrock:nameless', 'nameless has no price'],
  ['bedrock:amazon.nova-micro-v1:0,bedrock:amazon.nova-micro-v1:0', 'is there twice'],
  ['bedrock:amazon.nova-micro-v1:0,offline', 'stands alone'],
])('a wrong list of models is refused in one line: %s (rules.md: models 21)', (list, message) => {
  expect(() => readFlags(['--model', list])).toThrow(new RegExp(`^--model: [^\n]*${message}[^\n]*$`));
});

test('an embedding is chosen by its own flag', () => {
  expect(readFlags(['--embedding', 'openai:e@http://127.0.0.1:1/v1']).embedding).toBe(
    'openai:e@http://127.0.0.1:1/v1',
  );
  expect(() => readFlags(['--embedding', 'minilm'])).toThrow(/^--embedding: /);
});
