// rules.md: create 7. A request can be checked without a run.
import { beforeAll, describe, expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { expectRefusal } from '../support/refusal.ts';
import { call } from '../support/service.ts';
import * as when from '../support/when.ts';

let home: given.Home;
beforeAll(async () => {
  home = await given.workspace({ credits: 5000 });
  await given.companies(home.workspace_id);
});

const checks = (body: unknown, headers = {}, by: given.Caller = home) =>
  call('POST', '/runs?validate_only=1', { key: by.key, body, headers });
const planOf = (...steps: Record<string, unknown>[]) => ({ input_type: 'plan', plan: when.plan(...steps) });
const dossier = (entity: object) => ({ input_type: 'preset', preset: 'dossier', params: { entity } });
const runs = async (by = home) => (await call('GET', '/runs', { key: by.key })).body.data;

describe('POST /runs?validate_only=1', () => {
  test('a plan: its steps with what each can cost, and nothing is created', async () => {
    const reply = await checks(
      planOf(
        when.fetchCompanies,
        { kind: 'transform', instructions: 'x', params: { limit: 7 } },
        { index: 5, ...when.answer },
      ),
    );
    expect([reply.status, reply.body]).toEqual([
      200,
      {
        object: 'run_check',
        valid: true,
        steps: [
          { index: 0, kind: 'fetch', title: 'Step 0', credits: 2 },
          { index: 1, kind: 'transform', title: 'Step 1', credits: 7 },
          { index: 5, kind: 'reconstitute', title: 'Step 2', credits: 20 },
        ],
        credits_at_most: 29,
      },
    ]);
    expect(await runs()).toEqual([]);
  });

  test('a query calls no model: no steps, 400 credits, even where its understanding would fail', async () => {
    const { status, body } = await checks({ input_type: 'query', query: 'Companies in Berlin [[fail]]' });
    expect([status, body.steps, body.credits_at_most]).toEqual([200, [], 400]);
  });

  test('a dossier: its record is resolved, its credits are listed at its last step', async () => {
    const { body } = await checks(dossier({ external_uri: 'crm:acme' }));
    expect(body.credits_at_most).toBe(100);
    expect(body.steps.map(({ credits }: { credits: number }) => credits)).toEqual([0, 100]);
    expectRefusal(await checks(dossier({ external_uri: 'crm:nobody' })), 422, 'entity_not_resolvable', {
      param: 'params.entity',
    });
  });

  test('a workspace without credits draws none', async () => {
    const own = await given.workspace();
    expect((await checks(planOf(when.fetchCompanies), {}, own)).body.credits_at_most).toBeNull();
  });

  test('capacity is not asked: neither slots nor credits nor the cap of the day', async () => {
    const own = await given.workspace({ max_concurrent_runs: 0, credits: 1, daily_cost_cap_usd: 0 });
    const { status, body } = await checks(planOf(when.keepBerlin), {}, own);
    expect([status, body.credits_at_most]).toEqual([200, 10]);
  });

  test.each<[string, unknown, number, string, string | undefined]>([
    ['no JSON', '{', 400, 'invalid_json', undefined],
    ['an unknown input_type', { input_type: 'x' }, 400, 'unsupported_input_type', 'input_type'],
    ['an unknown kind', planOf({ kind: 'x' }), 422, 'schema_validation_failed', 'plan.steps.0.kind'],
    ['a missing field', { input_type: 'query' }, 422, 'missing_required_field', 'query'],
    [
      'too many steps',
      planOf(...Array.from({ length: 51 }, () => when.fetchCompanies)),
      422,
      'plan_too_large',
      'plan.steps',
    ],
    [
      'a private callback',
      { ...planOf(when.fetchCompanies), callback_url: 'https://10.0.0.1/' },
      422,
      'invalid_callback_url',
      'callback_url',
    ],
    [
      'a feature that the workspace lacks',
      { ...planOf(when.fetchCompanies), config: { global_search: true } },
      403,
      'forbidden_feature',
      undefined,
    ],
  ])('refuses as a create does: %s', async (_what, body, status, code, param) => {
    const reply = await checks(body);
    expectRefusal(reply, status, code, param === undefined ? {} : { param });
    const created = await call('POST', '/runs', { key: home.key, body });
    expect([created.status, created.body.error.code]).toEqual([status, code]);
  });

  test('claims no key, and reports a key that another request has', async () => {
    const headers = { 'idempotency-key': 'checked' };
    const body = planOf(when.fetchCompanies);
    expect((await checks(body, headers)).status).toBe(200);
    const made = await call('POST', '/runs', { key: home.key, body, headers });
    expect(made.status).toBe(202);
    expect((await checks(body, headers)).body.object).toBe('run_check');
    expectRefusal(await checks(planOf(when.keepBerlin), headers), 409, 'idempotency_key_conflict', {
      param: 'Idempotency-Key',
      details: { original_run_id: made.body.id },
    });
    expectRefusal(await checks(body, { 'idempotency-key': 'é' }), 422, 'schema_validation_failed', {
      param: 'Idempotency-Key',
    });
  });

  test.each(['', 'true', '2', '1&validate_only=1'])('validate_only=%s is refused', async (value) => {
    const body = planOf(when.fetchCompanies);
    const reply = await call('POST', `/runs?validate_only=${value}`, { key: home.key, body });
    expectRefusal(reply, 422, 'schema_validation_failed', { param: 'validate_only' });
  });

  test('validate_only=0 creates', async () => {
    const body = planOf(when.fetchCompanies);
    expect((await call('POST', '/runs?validate_only=0', { key: home.key, body })).status).toBe(202);
  });

  test('needs a key that may create', async () => {
    const reader = await given.key(home.workspace_id, ['runs:read']);
    expectRefusal(await checks(planOf(when.fetchCompanies), {}, reader), 403, 'forbidden_feature');
  });
});
