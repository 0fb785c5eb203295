// `npm run eval` as a command: its output and its exit codes, with the offline model and with a provider.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenAiServer, openAiServer } from '../support/openai-server.ts';

let folder: string;
let server: OpenAiServer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'evaluation-'));
  server = await openAiServer();
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

function evaluation(...args: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['test/proofs/eval/main.ts', ...args], (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

function file(content: unknown): string {
  const path = join(folder, 'models.json');
  writeFileSync(path, JSON.stringify(content));
  return path;
}
const chat = () => ({
  ...{ name: 'scripted', provider: 'openai', model: 'test', parallel: 2 },
  base_url: server.spec.replace('openai:test@', ''),
  price: { input: 1, cached_input: 0.1, output: 4 },
});

test('prints a line for each set, a sentence, and one JSON object; exit code 0', async () => {
  const { code, stdout, stderr } = await evaluation('--limit', '1');
  expect(code).toBe(0);
  const { model, sets, says } = JSON.parse(stdout);
  expect(model).toBe('offline');
  expect(sets.map(({ set }: { set: string }) => set)).toEqual([
    ...['questions', 'filter', 'transform', 'grounding', 'injection'],
  ]);
  expect(stderr.trimEnd().split('\n').at(-1)).toBe(says);
  expect(stderr).toMatch(/^set +answers +right +honest +wrong +unusable/);
});

test('asks the provider of a models file, and counts what it used', async () => {
  const { code, stdout } = await evaluation(
    '--models',
    file({ chat: [chat()] }),
    '--only',
    'filter',
    '--limit',
    '2',
  );
  expect(code).toBe(0);
  const [filter] = JSON.parse(stdout).sets;
  // The provider keeps what is in Berlin.
  expect(filter).toMatchObject({ set: 'filter', answers: 16, calls: 2, unusable: 0, input_tokens: 2000 });
  expect(filter.cost_usd).toBeGreaterThan(0);
});

describe('exit code', () => {
  test('1 below the bar', async () => {
    const args = ['--models', file({ chat: [chat()] }), '--only', 'transform', '--limit', '2'];
    expect((await evaluation(...args, '--bar', '100')).code).toBe(1);
    expect((await evaluation(...args, '--bar', '0')).code).toBe(0);
  });
  test.each([
    ['a flag that there is not', ['--wrong'], /--wrong/],
    ['a set that there is not', ['--only', 'poems'], /--only poems: none of questions, filter/],
    ['a bar above 100', ['--bar', '101'], /--bar 101/],
    ['a limit of none', ['--limit', '0'], /--limit 0/],
    ['a file that is not there', ['--models', '/nowhere.json'], /nowhere\.json/],
  ])('2 for %s', async (_, args, said) => {
    const { code, stdout, stderr } = await evaluation(...args);
    expect({ code, stdout, lines: stderr.trimEnd().split('\n').length }).toEqual({
      code: 2,
      stdout: '',
      lines: 1,
    });
    expect(stderr).toMatch(said);
  });
  test('2 for a wrong file, with the place of the fault', async () => {
    const { price: _, ...unpriced } = chat();
    const { code, stderr } = await evaluation('--models', file({ chat: [unpriced] }));
    expect(code).toBe(2);
    expect(stderr).toContain('chat.0.price');
  });
  test('2 for a key whose variable is not set', async () => {
    const { code, stderr } = await evaluation(
      '--models',
      file({ chat: [{ ...chat(), key_env: 'NO_SUCH_KEY' }] }),
    );
    expect(code).toBe(2);
    expect(stderr).toContain('chat.0.key_env');
  });
});
