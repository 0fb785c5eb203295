// rules.md: models 2, models 21. Models that answer in turn.
import { expect, test } from 'vitest';
import { ModelListSetting } from '#contract/models.ts';
import { packVariable } from '#contract/packed-variable.ts';
import { createModel } from '#models/create-model.ts';
import { keyOf } from '#models/endpoint-keys.ts';
import { settingsOf } from '#models/endpoint-settings.ts';

const list =
  'openai:a@http://127.0.0.1:1/v1,openai:b@http://127.0.0.1:1/v1?x=1,bedrock:c,openai:d@http://127.0.0.2:1/v1';

test('a list has its models in order', () => {
  expect(createModel(list).namesFor('filter')).toEqual(['a', 'b', 'c', 'd']);
});

test.each([
  ['openai:a@http://h/v1,openai:a@http://i/v1', '"a" is there twice'],
  ['bedrock:a,openai:a@http://h/v1', '"a" is there twice'],
  ['bedrock:a,bedrock:b,bedrock:c,bedrock:d,bedrock:e', '5 models, at most 4'],
  ['bedrock:a,offline', '"offline" stands alone'],
  ['offline,offline', '"offline" is there twice'],
  ['bedrock:a,openai:b', 'is none of'],
  ['openai:a@http://h/v1,opnai:b@http://i/v1', '"opnai:b@http://i/v1" is none of'],
  ['openai:a@http://h/v1,', '"" is none of'],
  ['bedrock:a,,bedrock:b', '"" is none of'],
  ['', 'is none of'],
])('the list %s is refused: %s', (setting, message) => {
  const checked = ModelListSetting.safeParse(setting);
  expect(checked.error?.issues.map((issue) => issue.message).join()).toContain(message);
});

test('the key of the short form goes to the host of the first model with an address, and to no other', async () => {
  const { chat } = settingsOf({ MODEL: list });
  const keys = await Promise.all(
    chat.map((one) => keyOf(one, { MODEL_API_KEY: 'secret' }, async () => undefined)),
  );
  expect(keys).toEqual(['secret', 'secret', undefined, undefined]);
});

test('a models file lists its first chat, and those that no task names, to four', () => {
  const chat = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => ({
    ...{ name, provider: 'bedrock', model: name, price: { input: 1, cached_input: 1, output: 1 } },
  }));
  const model = createModel(undefined, {
    MODELS: packVariable({ chat, tasks: { plan: 'a', filter: 'c', dossier: 'd' } }),
  });
  expect(model.namesFor('analyze')).toEqual(['a', 'b', 'e', 'f']);
  expect(model.namesFor('plan')).toEqual(['a', 'b', 'e', 'f']);
  expect(model.namesFor('filter')).toEqual(['c', 'a', 'b', 'e', 'f']);
});
