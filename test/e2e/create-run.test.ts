// rules.md: create. The envelope of a new run, what a key or a workspace may not ask for, and the order of checks.
import { beforeAll, describe, expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { expectRefusal } from '../support/refusal.ts';
import { createdEnvelope } from '../support/run-envelope.ts';
import { call } from '../support/service.ts';
import * as when from '../support/when.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const onePlan = { title: 'One', steps: [{ kind: 'fetch', title: 'All' }] };

let home: given.Home;
beforeAll(async () => {
  home = await given.workspace({ max_concurrent_runs: 1000 });
  await given.companies(home.workspace_id);
});

const post = (body: unknown, options: { key?: string; headers?: Record<string, string> } = {}) =>
  call('POST', '/runs', { key: home.key, body, ...options });

describe('the envelope of a new run', () => {
  test('a plan run: every field, input as sent, no defaults in input or config', async () => {
    const body = {
      input_type: 'plan',
      plan: { title: 'Grüße 😀', steps: [{ title: 'All', kind: 'fetch', params: { limit: 7 } }] },
      config: { xray: false },
      metadata: { ticket: 'T-1' },
    };
    const reply = await post(body, { headers: { 'X-Request-Id': 'order-66' } });
    expect(reply.status).toBe(202);
    const { id, created_at, api_version, ...rest } = reply.body;
    expect(id).toMatch(UUID);
    expect(Math.abs(Date.now() - created_at)).toBeLessThan(60_000);
    expect(api_version).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(rest).toEqual({
      ...createdEnvelope,
      workspace_id: home.workspace_id,
      input: { input_type: 'plan', plan: body.plan },
      config: { xray: false },
      metadata: { ticket: 'T-1' },
      steps: [{ index: 0, kind: 'fetch', title: 'All', status: 'pending', attempt: 0 }],
      request_id: 'order-66',
    });
  });

  test('a query run: no steps yet, the understanding call counted, the query stored with its triggers', async () => {
    const query = 'List companies in Berlin [[tokens:10,2,3,1]]';
    const reply = await post({ input_type: 'query', query });
    expect(reply.status).toBe(202);
    expect(reply.body.input).toEqual({ input_type: 'query', query });
    expect(reply.body).toMatchObject({ status: 'pending', steps: [], message: null, config: {} });
    expect(reply.body.usage).toMatchObject({
      calls: 1,
      input_tokens: 10,
      cached_input_tokens: 2,
      output_tokens: 3,
      thinking_tokens: 1,
    });
  });

  test('a dossier: input and its reference as sent', async () => {
    const input = {
      input_type: 'preset',
      preset: 'dossier',
      params: { entity: { external_uri: 'crm:acme' } },
    };
    const reply = await post(input);
    expect(reply.status).toBe(202);
    expect(reply.body.input).toEqual(input);
    expect(reply.body.config).toEqual({});
  });

  test('credit fields are there where the workspace draws credits: a hold, and null until the end', async () => {
    const drawing = await given.workspace({ credits: 1000 });
    const reply = await when.createsPlanRun(drawing, [when.fetchCompanies, when.answer]);
    expect(reply.body.usage).toMatchObject({ credits_at_most: 22, credits_used: null });
    const query = await post({ input_type: 'query', query: 'List companies' }, { key: drawing.key });
    expect(query.body.usage).toMatchObject({ credits_at_most: 400, credits_used: null });
  });

  test.each([
    ['at top level', { callback_url: 'https://hooks.example.com/cb' }],
    ['in config', { config: { callback_url: 'https://hooks.example.com/cb' } }],
    [
      'in both',
      {
        callback_url: 'https://hooks.example.com/cb',
        config: { callback_url: 'https://hooks.example.com/cb' },
      },
    ],
  ])('rule 1: callback_url %s is echoed in config.callback_url', async (_where, extra) => {
    const reply = await post({ input_type: 'plan', plan: onePlan, ...extra });
    expect(reply.status).toBe(202);
    expect(reply.body.config).toEqual({ callback_url: 'https://hooks.example.com/cb' });
    expect(reply.body).not.toHaveProperty('callback_url');
  });

  test.each([
    [
      'a duplicated member counts as its last value',
      '{"input_type":"x","input_type":"query","query":"List companies"}',
    ],
    ['a byte order mark is passed over', '\ufeff{"input_type":"query","query":"List companies"}'],
    [
      '4000 characters beyond the BMP are 4000',
      JSON.stringify({ input_type: 'query', query: `${'😀'.repeat(3985)} list companies` }),
    ],
  ])('%s', async (_rule, body) => {
    expect((await post(body)).status).toBe(202);
  });

  test('metadata: 16 pairs of 64 and 512 characters', async () => {
    const pairs = Object.fromEntries(
      Array.from({ length: 16 }, (_, i) => [String(i).padStart(64, 'k'), '😀'.repeat(512)]),
    );
    const reply = await post({ input_type: 'plan', plan: onePlan, metadata: pairs });
    expect(reply.status).toBe(202);
    expect(reply.body.metadata).toEqual(pairs);
  });
});

describe('403: what the key or the workspace may not', () => {
  test.each([
    ['config:xray', { config: { xray: true } }],
    ['config:global_search', { config: { global_search: true } }],
    ['config:unlimited_transform', { config: { unlimited_transform: true } }],
  ])('%s is needed for a flag that is true', async (scope, extra) => {
    const { key } = await given.key(home.workspace_id, ['runs:create']);
    const reply = await post({ input_type: 'plan', plan: onePlan, ...extra }, { key });
    expectRefusal(reply, 403, 'forbidden_feature');
    expect(reply.body.error.details).toEqual({ required_scope: scope });
  });

  test('no scope is needed for flags that are false', async () => {
    const { key } = await given.key(home.workspace_id, ['runs:create']);
    const config = { xray: false, global_search: false, unlimited_transform: false, strict_mode: true };
    const reply = await post({ input_type: 'plan', plan: onePlan, config }, { key });
    expect(reply.status).toBe(202);
    expect(reply.body.config).toEqual(config);
  });

  test('presets:dossier is needed for a dossier, before its record is looked up', async () => {
    const { key } = await given.key(home.workspace_id, ['runs:create']);
    const entity = { id: '0b2a4c6e-0000-4000-8000-000000000001' };
    const reply = await post({ input_type: 'preset', preset: 'dossier', params: { entity } }, { key });
    expectRefusal(reply, 403, 'forbidden_feature');
    expect(reply.body.error.details).toEqual({ required_scope: 'presets:dossier' });
  });

  test('global_search also needs the feature of the workspace', async () => {
    const reply = await post({ input_type: 'plan', plan: onePlan, config: { global_search: true } });
    expectRefusal(reply, 403, 'forbidden_feature');
    expect(reply.body.error.details).toEqual({ required_feature: 'GLOBAL_SEARCH' });
    const featured = await given.workspace({ features: ['GLOBAL_SEARCH'] });
    const accepted = await post(
      { input_type: 'plan', plan: onePlan, config: { global_search: true } },
      { key: featured.key },
    );
    expect(accepted.status).toBe(202);
  });

  test('the source global needs xray or global_search', async () => {
    const plan = { title: 'G', steps: [{ kind: 'fetch', title: 'Global', params: { source: 'global' } }] };
    const reply = await post({ input_type: 'plan', plan });
    expectRefusal(reply, 403, 'forbidden_feature');
    expect(reply.body.error.details).toEqual({ required_scope: 'config:global_search' });
    expect((await post({ input_type: 'plan', plan, config: { xray: true } })).status).toBe(202);
  });
});

describe('422: the callback', () => {
  test.each([
    ['http://hooks.example.com/', 'not_https'],
    ['ftp://hooks.example.com/', 'not_https'],
    ['', 'invalid_url'],
    ['https:///cb', 'invalid_url'],
    ['https://user:pw@hooks.example.com/', 'invalid_url'],
    ['https://10.0.0.1/', 'private_address'],
    ['https://0xa9fea9fe/', 'private_address'],
    ['https://[::ffff:10.0.0.1]/', 'private_address'],
  ])('rule 2: %j is %s', async (url, reason) => {
    for (const [extra, param] of [
      [{ callback_url: url }, 'callback_url'],
      [{ config: { callback_url: url } }, 'config.callback_url'],
    ] as const) {
      const reply = await post({ input_type: 'plan', plan: onePlan, ...extra });
      expectRefusal(reply, 422, 'invalid_callback_url', { param });
      expect(reply.body.error.details).toEqual({ reason });
    }
  });
});

describe('the order of checks (rules.md: create 1): the earlier one answers', () => {
  const bad = { callback_url: 'https://10.0.0.1/' };
  const steps51 = Array.from({ length: 51 }, () => ({}));

  test.each<[string, unknown, number, string]>([
    ['JSON before shape', '{"input_type":', 400, 'invalid_json'],
    [
      'input_type before size of the plan',
      { input_type: 'sql', plan: { steps: steps51 } },
      400,
      'unsupported_input_type',
    ],
    [
      'size of the plan before its schema',
      { input_type: 'plan', plan: { steps: steps51 } },
      422,
      'plan_too_large',
    ],
    [
      'schema before scopes',
      { input_type: 'plan', plan: { ...onePlan, x: 1 }, config: { global_search: true } },
      422,
      'schema_validation_failed',
    ],
    [
      'scopes before callback',
      { input_type: 'plan', plan: onePlan, config: { global_search: true }, ...bad },
      403,
      'forbidden_feature',
    ],
    [
      'callback before the record',
      { input_type: 'preset', preset: 'dossier', params: { entity: { external_uri: 'x:y' } }, ...bad },
      422,
      'invalid_callback_url',
    ],
    [
      'callback before the query',
      { input_type: 'query', query: '[[ambiguous]] list companies', ...bad },
      422,
      'invalid_callback_url',
    ],
  ])('%s', async (_rule, body, status, code) => {
    const reply = await post(body);
    expect([reply.status, reply.body.error.code]).toEqual([status, code]);
  });

  test('authentication and scope before size and JSON', async () => {
    const { key } = await given.key(home.workspace_id, ['runs:read']);
    const huge = 'x'.repeat(1_048_577);
    expectRefusal(await call('POST', '/runs', { body: huge }), 401, 'auth_missing');
    expectRefusal(await post(huge, { key }), 403, 'forbidden_feature');
    expectRefusal(await post('{', { key: 'sk_unknown' }), 401, 'auth_invalid');
  });

  test('size before JSON', async () => {
    expectRefusal(await post('{'.repeat(1_048_577)), 413, 'payload_too_large');
  });
});
