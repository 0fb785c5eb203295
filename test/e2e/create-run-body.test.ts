// rules.md: create, json, plan. Which bodies of a new run are refused, and how.
import { beforeAll, describe, expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { expectRefusal } from '../support/refusal.ts';
import { call } from '../support/service.ts';
import * as when from '../support/when.ts';

const onePlan = { title: 'One', steps: [{ kind: 'fetch', title: 'All' }] };

let home: given.Home;
let acme: { id: string };
beforeAll(async () => {
  home = await given.workspace({ max_concurrent_runs: 1000 });
  const [first] = await given.companies(home.workspace_id);
  if (!first) throw new Error('no records');
  acme = first;
});

const post = (body: unknown, options: { key?: string; headers?: Record<string, string> } = {}) =>
  call('POST', '/runs', { key: home.key, body, ...options });

describe('400: what is not a request at all', () => {
  test.each([
    ['an empty body', ''],
    ['an open brace', '{'],
    ['single quotes', "{'a':1}"],
    ['a trailing comma', '{"a":1,}'],
    ['NaN', 'NaN'],
    ['two documents', '{} {}'],
    ['a comment', '{} // x'],
    ['100,000 open brackets', '['.repeat(100_000)],
  ])('%s: invalid_json', async (_what, body) => {
    expectRefusal(await post(body), 400, 'invalid_json');
  });

  test.each([
    ['a stray byte', Uint8Array.of(0x22, 0xff, 0x22)],
    ['an overlong form', Uint8Array.of(0x22, 0xc0, 0xaf, 0x22)],
    ['an encoded surrogate', Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22)],
  ])('invalid UTF-8, %s: invalid_json', async (_what, body) => {
    expectRefusal(await post(body), 400, 'invalid_json');
  });

  test.each([['text/plain'], ['application/json; charset=utf-16'], ['application/jsonp']])(
    'media type %s: invalid_json',
    async (type) => {
      const body = JSON.stringify({ input_type: 'plan', plan: onePlan });
      expectRefusal(await post(body, { headers: { 'content-type': type } }), 400, 'invalid_json');
    },
  );

  test.each([['application/json; charset=UTF-8'], ['Application/JSON'], ['application/problem+json']])(
    'media type %s is JSON',
    async (type) => {
      const body = JSON.stringify({ input_type: 'plan', plan: onePlan });
      expect((await post(body, { headers: { 'content-type': type } })).status).toBe(202);
    },
  );

  test.each([['sql'], [''], ['Query'], [1], [null], [['query']], [{}]])(
    'input_type %j: unsupported_input_type',
    async (inputType) => {
      const reply = await post({ input_type: inputType });
      expectRefusal(reply, 400, 'unsupported_input_type', { param: 'input_type' });
      expect(reply.body.error.details).toEqual({
        received: inputType,
        allowed: ['query', 'plan', 'preset'],
      });
    },
  );

  test.each([['foo'], [''], [7], [null]])('preset %j: unsupported_preset', async (preset) => {
    const reply = await post({ input_type: 'preset', preset, params: {} });
    expectRefusal(reply, 400, 'unsupported_preset', { param: 'preset' });
    expect(reply.body.error.details).toEqual({ received: preset, allowed: ['dossier'] });
  });
});

describe('413: size in bytes', () => {
  /** A valid request of exactly this many bytes, of two-byte characters. */
  function sized(bytes: number): string {
    const head =
      '{"input_type":"plan","plan":{"title":"T","steps":[{"kind":"fetch","title":"A","description":"';
    const tail = '"}]}}';
    const room = bytes - head.length - tail.length;
    return head + 'é'.repeat(Math.floor(room / 2)) + 'e'.repeat(room % 2) + tail;
  }

  test('1,048,576 bytes are read, 1,048,577 are payload_too_large', async () => {
    const most = await post(sized(1_048_576));
    expectRefusal(most, 422, 'schema_validation_failed', { param: 'plan.steps.0.description' });
    const over = await post(sized(1_048_577));
    expectRefusal(over, 413, 'payload_too_large');
    expect(over.body.error.details).toEqual({ max_bytes: 1_048_576, received_bytes: 1_048_577 });
  });

  test('a plan of nearly 1 MB runs and is echoed whole', async () => {
    const step = (i: number) => ({
      kind: 'inject_context',
      title: `Text ${i}`,
      params: { text: `${i} ${'x'.repeat(19_900)}` },
    });
    const plan = { title: 'Big', steps: Array.from({ length: 50 }, (_, i) => step(i)) };
    const reply = await post({ input_type: 'plan', plan });
    expect(reply.status).toBe(202);
    expect((await when.readsRun(home, reply.body.id)).input.plan).toEqual(plan);
  });
});

describe('422: the shape', () => {
  test.each([['null'], ['[]'], ['"x"'], ['42'], ['true']])('a body that is %s', async (body) => {
    const reply = await post(body);
    expectRefusal(reply, 422, 'schema_validation_failed');
    expect(reply.body.error.details.issues[0]).toMatchObject({ path: [], expected: 'object' });
  });

  test.each<[unknown, string]>([
    [{}, 'input_type'],
    [{ query: 'x' }, 'input_type'],
    [{ input_type: 'query' }, 'query'],
    [{ input_type: 'plan' }, 'plan'],
    [{ input_type: 'preset' }, 'preset'],
    [{ input_type: 'preset', preset: 'dossier' }, 'params'],
    [{ input_type: 'preset', preset: 'dossier', params: {} }, 'params.entity'],
    [{ input_type: 'plan', plan: { steps: onePlan.steps } }, 'plan.title'],
    [{ input_type: 'plan', plan: { title: 'T' } }, 'plan.steps'],
  ])('missing_required_field: %j lacks %s', async (body, param) => {
    const reply = await post(body);
    expectRefusal(reply, 422, 'missing_required_field', { param });
    expect(reply.body.error.details.issues[0]).toMatchObject({
      path: param.split('.'),
      received: 'undefined',
    });
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['an unknown field of the body', { colour: 1 }, 'colour'],
    ['a field of another input type', { query: 'x' }, 'query'],
    ['an unknown field of config', { config: { colour: 1 } }, 'config.colour'],
    ['config that is no object', { config: [] }, 'config'],
    ['config null', { config: null }, 'config'],
    ['strict_mode as text', { config: { strict_mode: 'true' } }, 'config.strict_mode'],
    ['callback_url as a number', { callback_url: 42 }, 'callback_url'],
    ['metadata with a number', { metadata: { a: 1 } }, 'metadata.a'],
    ['metadata with an empty name', { metadata: { '': 'x' } }, 'metadata.'],
    ['metadata value of 513', { metadata: { a: 'x'.repeat(513) } }, 'metadata.a'],
    [
      'metadata of 17',
      { metadata: Object.fromEntries(Array.from({ length: 17 }, (_, i) => [i, 'x'])) },
      'metadata',
    ],
    [
      'two different callback URLs',
      { callback_url: 'https://a.example.com/', config: { callback_url: 'https://b.example.com/' } },
      'callback_url',
    ],
  ])('%s', async (_rule, extra, param) => {
    expectRefusal(
      await post({ input_type: 'plan', plan: onePlan, ...extra }),
      422,
      'schema_validation_failed',
      { param },
    );
  });

  test('an issue says code, expected, received, path and message', async () => {
    const reply = await post({ input_type: 'plan', plan: onePlan, config: { strict_mode: 'true' } });
    expect(reply.body.error.details.issues).toEqual([
      {
        code: 'invalid_type',
        expected: 'boolean',
        received: 'string',
        path: ['config', 'strict_mode'],
        message: expect.any(String),
      },
    ]);
  });

  test.each([
    ['4001 characters', 'x'.repeat(4001)],
    ['empty', ''],
    ['a number', 42],
    ['null', null],
  ])('query, %s', async (_what, query) => {
    expectRefusal(await post({ input_type: 'query', query }), 422, 'schema_validation_failed', {
      param: 'query',
    });
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['13 sections', { sections: Array.from({ length: 13 }, (_, i) => `S${i}`) }, 'params.sections'],
    ['no sections', { sections: [] }, 'params.sections'],
    ['a section of 81 characters', { sections: ['ok', 'x'.repeat(81)] }, 'params.sections.1'],
    ['an empty section', { sections: [''] }, 'params.sections.0'],
    ['max_tokens 255', { max_tokens: 255 }, 'params.max_tokens'],
    ['max_tokens 16001', { max_tokens: 16001 }, 'params.max_tokens'],
    ['max_tokens 300.5', { max_tokens: 300.5 }, 'params.max_tokens'],
    ['an unknown param', { tone: 'dry' }, 'params.tone'],
  ])('dossier, %s', async (_rule, extra, param) => {
    const body = { input_type: 'preset', preset: 'dossier', params: { entity: { id: acme.id }, ...extra } };
    expectRefusal(await post(body), 422, 'schema_validation_failed', { param });
  });

  test.each([
    ['id', 'acme'],
    ['external_uri', 'acme'],
  ])('dossier on a reference whose %s is malformed', async (field, value) => {
    const params = { entity: { [field]: value } };
    const reply = await post({ input_type: 'preset', preset: 'dossier', params });
    expectRefusal(reply, 422, 'schema_validation_failed', { param: `params.entity.${field}` });
  });

  test.each([
    ['no shape', {}],
    ['two shapes', { id: '0b2a4c6e-0000-4000-8000-000000000001', external_uri: 'crm:acme' }],
    ['an unknown source', { external_id: 'A1', source: 'sap' }],
    ['text', 'acme'],
  ])('dossier on a reference that is %s', async (_rule, entity) => {
    const reply = await post({ input_type: 'preset', preset: 'dossier', params: { entity } });
    expectRefusal(reply, 422, 'schema_validation_failed', { param: 'params.entity' });
  });

  test.each<[string, string]>([
    ['65 levels', `${'['.repeat(65)}${']'.repeat(65)}`],
    ['100,000 levels', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['100,000 objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
    [
      '1e400',
      '{"input_type":"plan","plan":{"title":"T","steps":[{"kind":"fetch","title":"A","params":{"limit":1e400}}]}}',
    ],
    ['a lone surrogate', '{"input_type":"query","query":"list \\ud800 companies"}'],
    [
      'a lone surrogate in a name',
      '{"input_type":"plan","plan":{"title":"T","steps":[]},"metadata":{"\\udc00":"x"}}',
    ],
    [
      '__proto__ at the top',
      '{"__proto__":{"input_type":"query"},"input_type":"query","query":"list companies"}',
    ],
    [
      '__proto__ in params',
      '{"input_type":"plan","plan":{"title":"T","steps":[{"kind":"fetch","title":"A","params":{"__proto__":{"limit":5}}}]}}',
    ],
    ['__proto__ in metadata', '{"input_type":"query","query":"list companies","metadata":{"__proto__":"x"}}'],
  ])('hostile JSON, %s: 422 and nothing worse', async (_what, body) => {
    const reply = await post(body);
    expect([reply.status, reply.body.error.code]).toEqual([422, 'schema_validation_failed']);
  });

  test.each(['constructor', 'toString', 'hasOwnProperty'])(
    'a metadata pair may be named %s',
    async (name) => {
      const reply = await post({ input_type: 'plan', plan: onePlan, metadata: { [name]: 'x' } });
      expect(reply.status).toBe(202);
      expect(reply.body.metadata).toEqual({ [name]: 'x' });
    },
  );
});
