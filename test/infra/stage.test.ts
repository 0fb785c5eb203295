// Settings of a stage: defaults, text from the command line, and one clear line for a wrong one.
import { spawnSync } from 'node:child_process';
import { App } from 'aws-cdk-lib';
import { describe, expect, test } from 'vitest';
import { readStage, settingNames } from '../../lib/stage.ts';
import { stageSettings } from '../support/stage-settings.ts';

const readOnly = (context: Record<string, unknown>) => readStage(new App({ context }).node);
const read = (context: Record<string, unknown> = {}) => readOnly({ model: 'offline', ...context });

test('the judges of the template see every setting', () => {
  expect(new Set(stageSettings.flatMap(Object.keys))).toEqual(new Set(settingNames));
  for (const settings of stageSettings) expect(() => readOnly(settings)).not.toThrow();
});

describe('stage settings', () => {
  test('a stage must name its model, and learns which ones there are', () => {
    const choices = /model: .*-c model=SPEC, one of offline, bedrock:<model id>, openai:<model>@<base url>/;
    expect(() => readOnly({})).toThrow(choices);
    expect(() => readOnly({ model: 'offline' })).not.toThrow();
  });

  test('the CDK commands refuse a stage without a model in one line', () => {
    const { status, stderr } = spawnSync(process.execPath, ['bin/service.ts'], { encoding: 'utf8' });
    expect({ status, lines: stderr.trim().split('\n') }).toEqual({
      status: 1,
      lines: [expect.stringMatching(/^Wrong stage settings .*-c model=SPEC/)],
    });
  });

  test('nothing else has to be set', () => {
    expect(read()).toEqual({
      model: 'offline',
      slice_seconds: 480,
      model_wait_seconds: 3600,
      max_parallel_calls: 8,
      step_memory_mb: 1024,
      index_memory_mb: 3008,
      log_retention_days: 30,
      vectors: 'table',
      stack: 'RunService',
      deletion_protection: true,
      allow_older_release: false,
      account_concurrency: 1000,
      api_gateway_log_role: false,
      reserved_concurrency: { Stream: 200, Download: 100 },
      requests_per_second: 1000,
      route_requests_per_second: {},
    });
  });

  test('text from the command line is understood', () => {
    expect(read({ slice_seconds: '60', steps_per_slice: '1', log_retention_days: '7' })).toMatchObject({
      slice_seconds: 60,
      steps_per_slice: 1,
      log_retention_days: 7,
    });
  });

  test('prices may be a table or its JSON', () => {
    const prices = { 'some-model': { input: 1, cached_input: 0.1, output: 4 } };
    expect(read({ prices }).prices).toEqual(prices);
    expect(read({ prices: JSON.stringify(prices) }).prices).toEqual(prices);
  });

  test('a price has at most six decimals and may say when it was read', () => {
    const price = { input: 0.000001, cached_input: 0, output: 4, as_of: '2026-11-01' };
    expect(read({ prices: { some: price } }).prices).toEqual({ some: price });
    expect(() => read({ prices: { some: { ...price, input: 0.0000001 } } })).toThrow('6 decimals');
  });

  test.each([
    'offline',
    'bedrock:anthropic.claude-sonnet-4-5-20250929-v1:0',
    'bedrock:eu.amazon.nova-lite-v1:0',
    'openai:llama3.1:8b@http://127.0.0.1:11434/v1',
    'openai:gpt-x@https://models.example/v1',
  ])('model %s is accepted', (model) => {
    expect(read({ model }).model).toBe(model);
  });

  test.each([
    ['model', 'gpt'],
    ['model', 'bedrock:'],
    ['model', 'openai:m'],
    ['model', 'openai:m@ftp://x'],
    ['prices', '{"m":{"input":1}}'],
    ['prices', 'not json'],
    ['prices', { m: { input: -1, cached_input: 0, output: 0 } }],
    ['site_url', 'https://runs.example/'],
    ['slice_seconds', 0],
    ['slice_seconds', 900],
    ['slice_seconds', 'long'],
    ['steps_per_slice', '0'],
    ['max_parallel_calls', 0],
    ['step_memory_mb', 256],
    ['restored_table', 'a table'],
    ['canary_minutes', 7],
    ['retain_days', 30],
    ['stack', '1st'],
    ['deletion_protection', 'maybe'],
    ['reserved_concurrency', '{"NoFunction":1}'],
    ['reserved_concurrency', '{"Sweep":-1}'],
    ['reserved_concurrency', '{"Stream":901}'],
    ['route_requests_per_second', '{"CreateRun":0}'],
    ['waf_requests_per_5_minutes', 9],
    ['waf_address_header', 'X Forwarded For'],
  ])('%s %j is refused by name', (name, value) => {
    expect(() => read({ [name]: value })).toThrow(new RegExp(`stage settings.*${name}`));
  });

  test('a price table that would not fit next to the other variables is refused', () => {
    const rows = Array.from({ length: 50 }, (_, i) => [
      `model-${i}`,
      { input: 1, cached_input: 1, output: 1 },
    ]);
    expect(() => read({ prices: Object.fromEntries(rows) })).toThrow(/2500/);
  });

  test('reservations leave a hundred executions of the account to all other functions', () => {
    const reserved_concurrency = { Stream: 800, Sweep: 100 };
    expect(read({ reserved_concurrency }).reserved_concurrency).toEqual(reserved_concurrency);
    expect(() => read({ reserved_concurrency, account_concurrency: 999 })).toThrow(/must leave 100/);
  });

  test.each([
    [10, {}],
    [100, {}],
    [499, {}],
    [500, { Stream: 100, Download: 50 }],
    [10_000, { Stream: 2000, Download: 1000 }],
  ])(
    'an account of %i executions reserves what readers can hold by default',
    (account_concurrency, reserved) => {
      expect(read({ account_concurrency }).reserved_concurrency).toEqual(reserved);
    },
  );

  test('a stage that sets reservations has those alone, even none', () => {
    for (const reserved_concurrency of [{ Sweep: 2 }, {}])
      expect(read({ reserved_concurrency }).reserved_concurrency).toEqual(reserved_concurrency);
  });

  test('every wrong setting is named at once', () => {
    expect(() => read({ model: 'gpt', slice_seconds: 0 })).toThrow(/model: .*; slice_seconds: /);
  });
});
