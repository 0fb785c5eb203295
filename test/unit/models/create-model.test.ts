// The model setting.
import { expect, test } from 'vitest';
import { modelName, parseModelSpec } from '#contract/models.ts';
import { createModel } from '#models/create-model.ts';

test.each([
  ['offline', { provider: 'offline' }],
  ['bedrock:eu.amazon.nova-micro-v1:0', { provider: 'bedrock', model: 'eu.amazon.nova-micro-v1:0' }],
  [
    'openai:llama3.2@http://127.0.0.1:11434/v1',
    { provider: 'openai', model: 'llama3.2', base_url: 'http://127.0.0.1:11434/v1' },
  ],
  [
    'openai:org/m@v2@https://api.example/v1',
    { provider: 'openai', model: 'org/m@v2', base_url: 'https://api.example/v1' },
  ],
])('the setting %s is understood', (setting, spec) => {
  expect(parseModelSpec(setting)).toEqual(spec);
});

test.each(['', 'ollama', 'bedrock:', 'openai:m', 'openai:@http://h', 'openai:m@ftp://h', 'offline:x'])(
  'the setting "%s" is refused with the forms it may have',
  (setting) => {
    expect(() => createModel(setting)).toThrow('offline, bedrock:<model id>, openai:<model>@<base url>');
  },
);

test('the price table knows a model by its own name', () => {
  expect(modelName(parseModelSpec('bedrock:amazon.nova-lite-v1:0'))).toBe('amazon.nova-lite-v1:0');
  expect(createModel('openai:small@http://127.0.0.1:1/v1').name).toBe('small');
  expect(createModel('offline')).toMatchObject({ name: 'offline', embeddingName: null });
});
