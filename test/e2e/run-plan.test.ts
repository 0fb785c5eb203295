// rules.md: reads 8. The plan that a run follows, and a query's plan in words.
import { beforeAll, expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { expectRefusal } from '../support/refusal.ts';
import { admin, call } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

let home: given.Home;
beforeAll(async () => {
  home = await given.workspace();
  await given.companies(home.workspace_id);
});

const withPlan = async (id: string) =>
  (await call('GET', `/runs/${id}?include=plan`, { key: home.key })).body;

test('a query has the plan it became, in words too, and the plan makes the same steps', async () => {
  const { id } = (await when.createsQueryRun(home, 'Companies in Berlin with a revenue over 10')).body;
  await then.ended(home, id);
  const run = await withPlan(id);
  expect(run.understood_as).toMatch(/company where .*city is "Berlin".* is more than 10/);
  expect(run.understood_as.length).toBeLessThanOrEqual(500);
  const again = (await call('POST', '/runs', { key: home.key, body: { input_type: 'plan', plan: run.plan } }))
    .body;
  const repeated = await then.ended(home, again.id);
  const steps = (one: { steps: { kind: string; title: string; items_out?: number }[] }) =>
    one.steps.map(({ kind, title, items_out }) => ({ kind, title, items_out }));
  expect(steps(repeated)).toEqual(steps(run));
  expect(await withPlan(again.id)).toMatchObject({ plan: run.plan });
  expectRefusal(await when.rerunsFrom(home, id, 0), 409, 'run_not_resumable', {
    details: { status: 'succeeded', reason: 'no_saved_plan' },
  });
});

test('a plan comes back as it runs, without words', async () => {
  const { id } = (await when.createsPlanRun(home, [when.fetchCompanies, when.answer])).body;
  const run = await withPlan(id);
  expect(run.plan).toEqual({
    title: 'Test plan',
    steps: [
      { index: 0, kind: 'fetch', title: 'Step 0', params: { source: 'companies' } },
      { index: 1, kind: 'reconstitute', title: 'Step 1', params: { expected_artifacts: ['table', 'text'] } },
    ],
  });
  expect(run).not.toHaveProperty('understood_as');
  await then.ended(home, id);
});

test('a dossier has the steps that it writes by, in a form that can be sent', async () => {
  const body = {
    input_type: 'preset',
    preset: 'dossier',
    params: { entity: { external_uri: 'crm:acme' }, sections: ['Overview'] },
  };
  const { id } = (await call('POST', '/runs', { key: home.key, body })).body;
  await then.ended(home, id);
  const { plan } = await withPlan(id);
  expect(plan.steps.map(({ kind }: { kind: string }) => kind)).toEqual(['inject_context', 'reconstitute']);
  expect(
    (await call('POST', '/runs?validate_only=1', { key: home.key, body: { input_type: 'plan', plan } }))
      .status,
  ).toBe(200);
});

test('a query that waits for its plan has null for both', async () => {
  const own = await given.workspace();
  await given.companies(own.workspace_id);
  await admin({ command: 'maintenance.start', workspace_id: own.workspace_id });
  const { id } = (await when.createsQueryRun(own, 'Companies in Oslo')).body;
  await then.event(own, id, 'run.paused');
  const { body } = await call('GET', `/runs/${id}?include=plan`, { key: own.key });
  expect(body).toMatchObject({ plan: null, understood_as: null });
  await admin({ command: 'maintenance.end', workspace_id: own.workspace_id });
  await then.ended(own, id);
});

test('without include there is no plan; any other include is refused', async () => {
  const { id } = (await when.createsPlanRun(home, [when.fetchCompanies])).body;
  expect(await when.readsRun(home, id)).not.toHaveProperty('plan');
  for (const include of ['', 'Plan', 'plan,links', 'links'])
    expectRefusal(
      await call('GET', `/runs/${id}?include=${include}`, { key: home.key }),
      422,
      'schema_validation_failed',
      { param: 'include' },
    );
  await then.ended(home, id);
});
