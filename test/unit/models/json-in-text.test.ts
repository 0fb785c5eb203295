// rules.md: models 6. What is taken out of the text of a model.
import { describe, expect, test } from 'vitest';
import { jsonInText } from '../../../functions/models/ai-sdk/json-in-text.ts';

describe('the object is', () => {
  test.each([
    ['bare', ' {"a":1}\n'],
    ['behind a byte order mark', '\uFEFF{"a":1}'],
    ['in a fence with a language', '```json\n{"a":1}\n```'],
    ['in a fence that does not end', '```json\n{"a":1}'],
    ['behind thoughts with JSON in them', '<think>{"b":2}</think>{"a":1}'],
    ['behind thoughts without a beginning', 'So {"b":2} is wrong.</think>\n{"a":1}'],
    ['behind thoughts, in a fence', '<thinking>Hm.</thinking>\n```\n{"a":1}\n```'],
    ['between sentences with brackets', 'As [you] asked {see}: {"a":1} (done [1])'],
    ['next to a list', 'Of [1,2] I made {"a":1}.'],
  ])('%s', (_, text) => {
    expect(jsonInText(text)).toEqual({ a: 1 });
  });
  test('whole when its texts have fences and brackets in them', () => {
    const object = { message: '```js\nf({})\n```', note: 'a } b ] "c"' };
    expect(jsonInText(`Here:\n${JSON.stringify(object)}\nDone.`)).toEqual(object);
  });
});

test.each([
  ['no JSON', 'I cannot say.'],
  ['two objects', '{"a":1} or {"a":2}'],
  ['a list', '[{"a":1}]'],
  ['a list within prose', 'Here: [{"a":1}].'],
  ['a text', '"a"'],
  ['nothing', ''],
  ['an object that was cut off, with whole ones in it', '{"list":[{"a":1}, {"a'],
  ['thoughts alone', '<think>{"a":1}</think>'],
])('there is none in %s', (_, text) => {
  expect(jsonInText(text)).toBeUndefined();
});

test('a long text of brackets that never close is given up', () => {
  expect(jsonInText(`${'{ x '.repeat(500_000)}`)).toBeUndefined();
});
