// rules.md: models 3 to models 9, usage 10. What real endpoints do, over the real client.
import { afterEach, describe, expect, test } from 'vitest';
import { createModel } from '#models/create-model.ts';
import type { Exchange, Model, ModelError, TokenUsage } from '#models/model.ts';
import { type OpenAiServer, openAiServer } from '../../support/openai-server.ts';
import {
  answerHabits,
  type ChatRequest,
  completion,
  formatHabits,
  type Habit,
  refusalHabits,
  refuses,
  usageHabits,
  writingHabits,
} from '../../support/provider-habits.ts';
import { ask, companies, firstCall } from './given.ts';

let server: OpenAiServer;
afterEach(() => server.close());

/** A model behind an endpoint with a habit, and the requests that it gets. */
async function modelWith(habit: Habit, env = {}) {
  server = await openAiServer();
  const sent: (ChatRequest & { [name: string]: unknown })[] = [];
  server.habit = (request, usual) => {
    sent.push({ ...request });
    return habit(request, usual);
  };
  return { model: createModel(server.spec, env), sent };
}

const filterInput = { instructions: 'Keep Berlin', items: companies };
const analyzeInput = { instructions: '', focus: '', items: [], found: [], context: [], max_tokens: 500 };
const filters = (model: Model) => ask(model, 'filter', filterInput);
const analyzes = (model: Model) => ask(model, 'analyze', analyzeInput);
const formats = (sent: ChatRequest[]) => sent.map(({ response_format }) => response_format?.type ?? 'none');
const failureOf = async (call: Promise<unknown>): Promise<ModelError & { usages: (TokenUsage | null)[] }> =>
  call.then(
    () => expect.unreachable(),
    (error) => error,
  );

describe('an endpoint that', () => {
  test.each([
    ['refuses json_schema by 400', ['json_schema', 'json_object'], 'json_object'],
    ['refuses json_schema by the 500 of llama-cpp-python', ['json_schema', 'json_object'], 'json_object'],
    ['refuses any response_format by 422', ['json_schema', 'json_object', 'none'], 'none'],
    ['refuses it without saying why', ['json_schema', 'json_object', 'none'], 'none'],
  ] as const)('%s is asked by the next means, from then on', async (name, first, then) => {
    const { model, sent } = await modelWith(formatHabits[name]);
    const { output, usages } = await filters(model);
    expect(output.verdicts).toHaveLength(companies.length);
    expect(formats(sent)).toEqual(first);
    // What was refused costs nothing.
    expect(usages).toHaveLength(1);
    await filters(model);
    expect(formats(sent)).toEqual([...first, then]);
    expect(sent.at(-1)?.messages[0]?.content).toMatch(/JSON Schema.*"verdicts"/s);
  });
  test.each(['ignores it and writes prose', 'ignores it and writes JSON of its own'] as const)(
    '%s is asked once more with the schema in the prompt; after the second time, at once',
    async (name) => {
      const { model, sent } = await modelWith(formatHabits[name]);
      expect((await filters(model)).usages).toHaveLength(2);
      expect((await filters(model)).usages).toHaveLength(2);
      expect((await filters(model)).usages).toHaveLength(1);
      expect(formats(sent)).toEqual([
        ...['json_schema', 'json_object', 'json_schema', 'json_object'],
        'json_object',
      ]);
    },
  );
  test('takes json_schema, but refuses one call as wrong, is not asked by other means', async () => {
    let isRefused = false;
    const { model, sent } = await modelWith(() =>
      isRefused ? refuses(400, 'Bad request')({ messages: [] }, '') : undefined,
    );
    await filters(model);
    isRefused = true;
    expect((await failureOf(filters(model))).fault).toMatchObject({ cause: 'refused' });
    expect(formats(sent)).toEqual(['json_schema', 'json_schema']);
  });
  test.each([
    ['nothing usable', '{"verdicts":{}}'],
    ['prose now and then', 'Sorry, I got lost.'],
  ])('has written in the form asked for, and writes %s, is not asked by other means', async (_, says) => {
    let isWell = true;
    const { model, sent } = await modelWith(() => (isWell ? undefined : { body: completion(says) }));
    await filters(model);
    isWell = false;
    for (let i = 0; i < 2; i += 1)
      expect((await failureOf(filters(model))).fault).toMatchObject({ cause: 'unusable' });
    expect(formats(sent)).toEqual(Array.from({ length: 5 }, () => 'json_schema'));
  });
  test('knows the limit of the output by its newer name alone gets that one', async () => {
    const words = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.";
    const { model, sent } = await modelWith((request) =>
      'max_tokens' in request ? refuses(400, words)(request, '') : undefined,
    );
    await filters(model);
    await filters(model);
    expect(sent.map(({ max_tokens, max_completion_tokens }) => [max_tokens, max_completion_tokens])).toEqual([
      [4096, undefined],
      [undefined, 4096],
      [undefined, 4096],
    ]);
    expect(new Set(formats(sent))).toEqual(new Set(['json_schema']));
  });
  test('is asked for JSON in words, whatever else it is sent', async () => {
    const { model, sent } = await modelWith(() => undefined);
    await filters(model);
    expect(sent[0]?.messages[0]?.content).toContain('one JSON object and nothing else');
  });
});

test.each(Object.entries(writingHabits))('JSON %s is taken without a second question', async (_, written) => {
  const { model, sent } = await modelWith((_request, usual) => ({ body: completion(written(usual)) }));
  expect((await filters(model)).output.verdicts).toHaveLength(companies.length);
  expect(sent).toHaveLength(1);
});

describe('an answer that is', () => {
  test.each(Object.entries(answerHabits))(
    '%s is asked for once more, then the call says why',
    async (_, { cause, body }) => {
      const { model, sent } = await modelWith(() => ({ body }));
      const failure = await failureOf(analyzes(model));
      expect(failure).toMatchObject({ transient: false, fault: { cause, provider: { status_code: 200 } } });
      const words = failure.fault.provider?.message ?? '';
      expect(words).not.toBe('');
      expect(words.length).toBeLessThanOrEqual(200);
      expect(failure.usages).toHaveLength(2);
      expect(sent).toHaveLength(2);
    },
  );
  test.each([
    ['a refusal', "I'm sorry, I can't help with that."],
    ['a page', 'Sign in'],
    ['an error that does not pass', 'no such provider'],
    ['cut off', 'finish_reason length'],
  ] as const)('%s comes with the words of the provider', async (name, message) => {
    const { model } = await modelWith(() => ({ body: answerHabits[name].body }));
    expect((await failureOf(analyzes(model))).fault.provider?.message).toBe(message);
  });
  test('cut off, but whole, is taken', async () => {
    const { model, sent } = await modelWith((_, usual) => ({
      body: completion(usual, { finish_reason: 'length' }),
    }));
    await analyzes(model);
    expect(sent).toHaveLength(1);
  });
  test('a cut list of verdicts is asked for in two halves', async () => {
    const { model, sent } = await modelWith((request, usual) => {
      const items = JSON.parse(
        String(request.messages.at(-1)?.content.split('<data>')[1]?.split('</data>')[0]),
      ).items;
      return items.length < 3 || items.length === 3
        ? { body: completion(usual) }
        : { body: completion(usual.slice(0, 30), { finish_reason: 'length' }) };
    });
    const { output } = await filters(model);
    expect(output.verdicts.map((verdict) => verdict?.keep)).toEqual([true, false, false, true, false]);
    expect(sent).toHaveLength(3);
  });
  test('cut off otherwise is asked for with less to write, without what was cut off', async () => {
    let asked = 0;
    const { model, sent } = await modelWith((_, usual) => {
      asked += 1;
      return asked === 1 ? { body: answerHabits['cut off'].body } : { body: completion(usual) };
    });
    await analyzes(model);
    expect(sent[1]?.messages).toHaveLength(2);
    expect(sent[1]?.messages[1]?.content).toMatch(
      /cut off because it was too long\. Answer in half as many words/,
    );
  });
  test('with usage as text is taken, and counts as unpriced', async () => {
    const { model } = await modelWith((_, usual) => ({
      body: completion(usual, { usage: { prompt_tokens: '9', completion_tokens: '9' } }),
    }));
    expect((await analyzes(model)).usages).toEqual([null]);
  });
});

describe('a provider that refuses', () => {
  test.each(Object.entries(refusalHabits))(
    '%s is not asked again, and its words are told',
    async (_, habit) => {
      const { status, words } = habit;
      const { model, sent } = await modelWith(refuses(status, words));
      const failure = await failureOf(filters(model));
      expect(failure).toMatchObject({ transient: false, usages: [] });
      expect(failure.fault).toEqual({
        ...{ cause: 'refused', model: 'test', provider: { status_code: status, message: words } },
        ...('reason' in habit && { reason: habit.reason }),
      });
      // A key is read again once.
      expect(sent).toHaveLength(status === 401 ? 2 : 1);
    },
  );
  test.each([
    ['the whole key', 'No such key: pk-live-0123456789abcdef', 'No such key: …'],
    [
      'the beginning of it',
      'Incorrect API key provided: pk-live-0123****cdef.',
      'Incorrect API key provided: …',
    ],
    [
      'another key',
      'Authorization: Bearer abc.def and sk-proj-99 are wrong',
      'Authorization: … and … are wrong',
    ],
    ['control characters', 'a\u001b[31mred\u202e\r\nb', 'a [31mred b'],
    ['very many words', 'x'.repeat(5000), `${'x'.repeat(199)}…`],
  ])('with %s in its words has them made fit', async (_, words, message) => {
    const { model } = await modelWith(refuses(403, words), { MODEL_API_KEY: 'pk-live-0123456789abcdef' });
    expect((await failureOf(filters(model))).fault.provider?.message).toBe(message);
  });
});

describe('trouble that passes', () => {
  test.each([408, 409, 429, 500, 502, 503, 504, 529])(
    'a 200 with the error %i in place of choices',
    async (code) => {
      const error = { code, message: 'Upstream is busy' };
      for (const spelled of [code, String(code)]) {
        const { model } = await modelWith(() => ({
          body: JSON.stringify({ error: { ...error, code: spelled } }),
        }));
        const failure = await failureOf(filters(model));
        expect(failure).toMatchObject({ transient: true, usages: [] });
        expect(failure.fault).toEqual({
          cause: 'away',
          provider: { status_code: code, message: 'Upstream is busy' },
        });
        await server.close();
      }
    },
  );
  test.each([
    [{ 'retry-after': '7' }, 7000],
    [{ 'retry-after-ms': '1500', 'retry-after': '60' }, 1500],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': '31536000' }, 31_536_000_000],
    [{ 'retry-after-ms': '-5', 'retry-after': '2' }, 2000],
    [{ 'retry-after-ms': 'none', 'retry-after': '2' }, 2000],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '-1' }, undefined],
    [{ 'retry-after': '5, 7' }, undefined],
    [{ 'retry-after': '' }, undefined],
    [{ 'retry-after': '2026-11-28' }, undefined],
    [{ 'retry-after': 'Sat, 01 Nov 2025 10:00:00 GMT' }, undefined],
    [{}, undefined],
  ] as [Record<string, string>, number | undefined][])(
    'says with %o when to ask again',
    async (headers, ms) => {
      const { model } = await modelWith(refuses(429, 'Slow down', headers));
      expect((await failureOf(filters(model))).retry_after_ms).toBe(ms);
    },
  );
  test.each([
    'The model is temporarily unavailable, try again',
    'model backend unavailable',
    'unknown model error occurred',
    'The model produced an unknown error',
    'Model x: upstream not found',
  ])('passes as a 500 with the words %s', async (words) => {
    const { model } = await modelWith(refuses(500, words));
    expect((await failureOf(filters(model))).fault.cause).toBe('away');
  });
  test.each([
    'model "llama3:8b" not found, try pulling it first',
    'The model `gpt-5` does not exist',
    'Model not found',
    'unknown model "x"',
    'model x is not loaded',
  ])('is final as a 500 with the words %s', async (words) => {
    const { model } = await modelWith(refuses(500, words));
    expect((await failureOf(filters(model))).fault.cause).toBe('refused');
  });
  test('says with a date when to ask again', async () => {
    const at = Math.ceil(Date.now() / 1000) * 1000 + 60_000;
    const { model } = await modelWith(refuses(503, 'Later', { 'retry-after': new Date(at).toUTCString() }));
    const { retry_after_ms = 0 } = await failureOf(filters(model));
    expect(Date.now() + retry_after_ms).toBeGreaterThanOrEqual(at);
    expect(retry_after_ms).toBeLessThanOrEqual(61_000);
  });
  test('without a reply says so without the address of the model', async () => {
    const { model } = await modelWith(() => undefined);
    await server.close();
    const { fault } = await failureOf(filters(model));
    expect(fault).toEqual({ cause: 'away', provider: { message: 'no reply (ECONNREFUSED)' } });
  });
});

test.each(Object.entries(usageHabits))('%s is counted as it is billed', async (_, { usage, billed }) => {
  const { model } = await modelWith((_request, usual) => ({ body: completion(usual, { usage }) }));
  const [counted] = (await analyzes(model)).usages;
  expect([
    counted?.input_tokens,
    counted?.cached_input_tokens,
    (counted?.output_tokens ?? 0) + (counted?.thinking_tokens ?? 0),
  ]).toEqual(billed);
});

test('each request is reported with its outcome, its prompt as sent and its answer as it came', async () => {
  const answers = [{ status: 429, body: '{"error":{"message":"slow"}}' }, { body: completion('Well,') }];
  const { model } = await modelWith((_, usual) => answers.shift() ?? { body: completion(`Here: ${usual}`) });
  const exchanges: Exchange[] = [];
  const attempt = { onReply: () => undefined, onExchange: (one: Exchange) => void exchanges.push(one) };
  const call = () => model.call('analyze', analyzeInput, firstCall, attempt);
  await expect(call()).rejects.toThrow();
  await call();
  expect(exchanges.map(({ outcome, answer, usage }) => [outcome, answer, usage?.input_tokens])).toEqual([
    ['away', null, undefined],
    ['unusable', 'Well,', 1000],
    ['repaired', 'Here: {"findings":"Text."}', 1000],
  ]);
  expect(exchanges.map(({ messages }) => messages.map(({ role }) => role))).toEqual([
    ['system', 'user'],
    ['system', 'user'],
    ['system', 'user', 'assistant', 'user'],
  ]);
});
