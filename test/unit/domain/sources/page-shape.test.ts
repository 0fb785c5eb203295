// rules.md: sources 12, sources 13. What is no page is refused with its place, and what is one is kept as it was sent.
import { describe, expect, test } from 'vitest';
import { wrongStatus } from '#domain/sources/source-failure.ts';
import { jsonOf, pageOf, textOf } from '#domain/sources/source-pages.ts';

const pageIn = async (text: string) => pageOf(await jsonOf(text));
const item = (rest: string) => `{"items":[{"name":"a"},{"id":1,"name":"b"},{"name":"c"},${rest}]}`;

describe('what is wrong with a reply is told with its place:', () => {
  test.each([
    [item('{"name":null}'), 'items[3].name is null'],
    [item('{"id":1}'), 'items[3].name is missing'],
    [item('{"name":7}'), 'items[3].name is a number, not a text'],
    [item('{"name":""}'), 'items[3].name is too short: at least 1 characters'],
    [item(`{"name":"${'n'.repeat(501)}"}`), 'items[3].name is too long: at most 500 characters'],
    [item('{"id":true,"name":"x"}'), 'items[3].id is a boolean, not a text or a number'],
    [item(`{"id":"${'n'.repeat(501)}","name":"x"}`), 'items[3].id is too long: at most 500 characters'],
    [item('{"name":"x","fields":["list"]}'), 'items[3].fields is a list, not an object'],
    [item('7'), 'items[3] is a number, not an object'],
    [item('null'), 'items[3] is null'],
    ['{"items":"many"}', 'items is a text, not a list'],
    ['{"items":9007199254740993}', 'items is a number, not a list'],
    ['{"data":[]}', 'items is missing'],
    ['[]', 'the reply is a list, not an object'],
    ['null', 'the reply is null'],
    ['<html>', 'the reply is not JSON'],
    ['{"items":', 'the reply is not JSON'],
    ['{"items":[],"next_cursor":[5]}', 'next_cursor is a list, not a text or a number'],
    ['{"items":[],"next_cursor":"\\ud800"}', 'next_cursor has text that is not well-formed Unicode'],
    [item('{"name":"\\ud800"}'), 'items[3]: has text that is not well-formed Unicode'],
    [item('{"name":"x","fields":{"n":1e999}}'), 'items[3].fields: has a number beyond 2^53'],
  ])('%s', async (text, message) => {
    await expect(pageIn(text)).rejects.toMatchObject({
      reason: 'shape',
      transient: false,
      message: expect.stringContaining(message),
    });
  });

  test('bytes that are not UTF-8', () => {
    expect(() => textOf(Buffer.from([0x7b, 0xff, 0x7d]))).toThrow('the reply is not UTF-8');
  });

  test('nesting beyond what a request may have', async () => {
    const deep = `{"items":[],"more":${'['.repeat(100)}${']'.repeat(100)}}`;
    await expect(pageIn(deep)).rejects.toThrow('the reply nests deeper than 64 levels');
  });
});

describe('an item without fields', () => {
  test.each(['{"id":1,"name":"x","city":"Oslo"}', '{"id":1,"name":"x","fields":null,"city":"Oslo"}'])(
    'that has values beside its name would lose them: %s',
    async (flat) => {
      await expect(pageIn(item(flat))).rejects.toMatchObject({
        reason: 'shape',
        message: 'items[3].city stands beside fields: put the values of an item into fields',
      });
    },
  );

  test('and without values is one; what stands beside fields is ignored', async () => {
    const { items } = await pageIn(item('{"name":"x","fields":{"city":"Oslo"},"etag":"1"}'));
    expect(items.at(-1)).toEqual({ name: 'x', fields: { city: 'Oslo' } });
  });
});

describe('a number', () => {
  test.each([
    ['9007199254740993', 'items[3].fields.n'],
    ['0.12345678901234567890123', 'items[3].fields.n'],
    ['1234567890123456.78', 'items[3].fields.n'],
  ])('%s, which a double does not keep, is refused with its place', async (number, place) => {
    await expect(pageIn(item(`{"name":"x","fields":{"n":${number}}}`))).rejects.toMatchObject({
      reason: 'shape',
      message: `${place} is ${number}, which a double does not keep: send it as a text`,
    });
  });

  test('as an id or a cursor is held to the same', async () => {
    await expect(pageIn(item('{"id":9007199254740993,"name":"x"}'))).rejects.toThrow(
      'items[3].id is 9007199254740993',
    );
    await expect(pageIn('{"items":[],"next_cursor":9007199254740993}')).rejects.toThrow(
      'next_cursor is 9007199254740993',
    );
  });

  test.each(['9007199254740991', '0.1', '1e2', '1.50', '-0.25', '100'])(
    '%s is kept, also beside members that are ignored',
    async (number) => {
      const text = `{"took":1.23456789012345678901,"items":[{"name":"x","fields":{"n":${number}}}]}`;
      const { items } = await pageIn(text);
      expect(items[0]?.fields).toEqual({ n: Number(number) });
    },
  );

  test('as cursor is taken as its text', async () => {
    expect(await pageIn('{"items":[],"next_cursor":2}')).toMatchObject({ has_more: true, cursor: '2' });
    expect(await pageIn('{"items":[],"next_cursor":0}')).toMatchObject({ has_more: true, cursor: '0' });
  });
});

test('words of others have no control characters, no secrets, and an end', () => {
  const secret = 'src_0123456789abcdef';
  const failure = wrongStatus(418).fitFor([]);
  expect(failure).toMatchObject({ reason: 'status', status_code: 418, transient: false });
  const { message } = Object.assign(wrongStatus(500), {
    message: `got ${secret}\u0000\u202e and src_012345 as Bearer abc, ${'x '.repeat(400)}`,
  }).fitFor([secret]);
  expect(message).toMatch(/^got … and … as …/);
  expect(message.length).toBeLessThanOrEqual(500);
});
