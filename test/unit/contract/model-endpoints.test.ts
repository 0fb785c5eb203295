// rules.md: models 1. A models file, and the one line about a wrong one.
import { describe, expect, test } from 'vitest';
import { parseModelsFile } from '#contract/model-endpoints.ts';

const price = { input: 1, cached_input: 0.1, output: 4 };
const small = { name: 'small', provider: 'openai', model: 'm', base_url: 'http://127.0.0.1:1/v1', price };
const claude = {
  name: 'claude',
  provider: 'bedrock',
  model: 'anthropic.claude',
  region: 'eu-central-1',
  price,
};
const embedding = { ...small, name: 'e', dimensions: 384 };
const chat = (...changes: object[]) => ({ chat: changes.map((change) => ({ ...small, ...change })) });

test('a whole file is understood, with what it leaves out', () => {
  const file = {
    chat: [{ ...small, key_env: 'SMALL_KEY', context_tokens: 8192, options: { temperature: 0 } }, claude],
    embedding,
    tasks: { plan: 'claude', reconstitute: 'claude' },
  };
  expect(parseModelsFile(file)).toEqual({
    ...file,
    chat: file.chat.map((one) => ({ parallel: 8, timeout_ms: 120_000, ...one })),
    embedding: { parallel: 8, timeout_ms: 120_000, ...embedding },
  });
});

describe('one line names the place of', () => {
  test.each<[string, object, RegExp]>([
    ['a price that is no number', chat({ price: { ...price, input: 'much' } }), /^chat\.0\.price\.input: /],
    [
      'a price that is missing',
      { chat: [small, { ...small, name: 'b', price: undefined }] },
      /^chat\.1\.price: /,
    ],
    ['an unknown member', chat({ temperature: 0 }), /^chat\.0\.temperature: /],
    ['an empty list', { chat: [] }, /^chat: /],
    ['too many', chat(...Array.from({ length: 17 }, (_, i) => ({ name: `n${i}` }))), /^chat: /],
    ['a name that is there twice', chat({}, {}), /^chat\.1\.name: "small" is there twice$/],
    [
      'a name of chat and embedding',
      { ...chat({}), embedding: { ...embedding, name: 'small' } },
      /^embedding\.name: /,
    ],
    [
      'a task for no chat',
      { ...chat({}), tasks: { plan: 'large' } },
      /^tasks\.plan: "large" is the name of no chat$/,
    ],
    ['an unknown task', { ...chat({}), tasks: { think: 'small' } }, /^tasks(\.think)?: /],
    [
      'no room for the input',
      chat({ context_tokens: 2048, max_output_tokens: 1025 }),
      /^chat\.0\.context_tokens: .*1023/,
    ],
    ['a small context', chat({ context_tokens: 1364 }), /^chat\.0\.context_tokens: /],
    ['too many calls at once', chat({ parallel: 65 }), /^chat\.0\.parallel: /],
    ['a short time', chat({ timeout_ms: 999 }), /^chat\.0\.timeout_ms: /],
    ['no address', chat({ base_url: undefined }), /^chat\.0\.base_url: /],
    ['a password in the address', chat({ base_url: 'https://a:b@h/v1' }), /^chat\.0\.base_url: /],
    ['an address of Bedrock', { chat: [{ ...claude, base_url: 'https://h/v1' }] }, /^chat\.0\.base_url: /],
    [
      'an embedding without dimensions',
      { ...chat({}), embedding: { ...small, name: 'e' } },
      /^embedding\.dimensions: /,
    ],
  ])('%s', (_, file, line) => {
    expect(() => parseModelsFile(file)).toThrow(line);
  });
  test('a file that is no object', () => {
    expect(() => parseModelsFile([])).toThrow(/expected object/);
  });
});

test('a context of 1,365 tokens leaves 1,024 beside a quarter for the output', () => {
  expect(() => parseModelsFile(chat({ context_tokens: 1365 }))).not.toThrow();
});
