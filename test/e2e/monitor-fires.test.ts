// rules.md: monitors. Fires over HTTP: runs, overlap, refusals, comparisons, changes of records.
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import * as given from '../support/given.ts';
import { berlin, fires, firesOf, fireThat, monitor, slow } from '../support/monitors.ts';
import { admin, call, until } from '../support/service.ts';
import * as then from '../support/then.ts';
import { readsRun } from '../support/when.ts';
import { say, worker } from '../support/worker.ts';
import { customer, status } from './webhook-receiver.ts';

let home: given.Home;
beforeAll(async () => {
  home = await given.workspace();
  await given.companies(home.workspace_id);
});

const patch = (id: string, body: object) => call('PATCH', `/monitors/${id}`, { key: home.key, body });
const runThat = async (fire: { run_id: string }) => then.ended(home, fire.run_id);

test('a fire on request is a run of the key with the monitor in its metadata, also while the monitor is paused', async () => {
  const { id } = await monitor(home, { run: { ...berlin, metadata: { team: 'red' } } });
  await patch(id, { status: 'paused' });
  const { status: code, body } = await fires(home, id);
  expect(code).toBe(202);
  expect(body).toMatchObject({ cause: 'request', outcome: 'run' });
  const run = await runThat(body);
  expect(run).toMatchObject({ status: 'succeeded', metadata: { team: 'red', monitor_id: id } });
  expect(await firesOf(home, id)).toEqual([body]);
  const found = await call('GET', `/monitors/${id}`, { key: home.key });
  expect(found.body).toMatchObject({ next_fire_at: null, last_fire: { id: body.id } });
});

test('while the last run goes on, `skip` lists a fire, `queue` makes its run later, `replace` cancels that run', async () => {
  const { id } = await monitor(home, { run: slow(1500) });
  const first = (await fires(home, id)).body;
  const skipped = await fires(home, id);
  expect(skipped.status).toBe(202);
  expect(skipped.body).toMatchObject({ outcome: 'skipped', reason: 'overlap' });
  await patch(id, { overlap: 'queue' });
  const queued = (await fires(home, id)).body;
  expect(queued.outcome).toBe('queued');
  expect((await fires(home, id)).body).toMatchObject({ outcome: 'skipped', reason: 'overlap' });
  const later = await fireThat(home, id, (fire) => fire.id === queued.id && fire.outcome === 'run');
  expect((await readsRun(home, first.run_id)).status).toBe('succeeded');
  await patch(id, { overlap: 'replace' });
  const last = (await fires(home, id)).body;
  expect(last.outcome).toBe('run');
  expect((await readsRun(home, later.run_id)).status).toBe('canceled');
});

test('with `changed`, a run is told of only when its answer differs; the difference is a table and counts', async () => {
  const own = await given.workspace();
  const [acme] = await given.entities(own.workspace_id, [
    { type: 'company', name: 'Acme', fields: { city: 'Berlin', revenue: 12 } },
    { type: 'company', name: 'Globex', fields: { city: 'Berlin', revenue: 7 } },
  ]);
  const { url, received } = await customer(status(204));
  const { id } = await monitor(own, { notify: 'changed', run: { ...berlin, callback_url: url } });
  const told = () => until('a webhook', async () => received[0]);
  const first = (await fires(own, id)).body;
  await then.ended(own, first.run_id);
  expect(await fireThat(own, id, (fire) => fire.changes !== undefined)).toMatchObject({
    changes: { added: 2, removed: 0, changed: 0 },
  });
  await told();
  const same = (await fires(own, id)).body;
  const unchanged = await then.ended(own, same.run_id);
  expect(unchanged.artifacts.at(-1)).toMatchObject({ title: 'Changes', row_count: 0 });
  await given.entities(own.workspace_id, [
    { id: acme?.id, type: 'company', name: 'Acme', fields: { city: 'Berlin', revenue: 15 } },
  ]);
  const third = (await fires(own, id)).body;
  const run = await then.ended(own, third.run_id);
  const table = await call('GET', `/artifacts/${run.artifacts.at(-1).id}`, { key: own.key });
  expect(table.body.rows).toEqual([
    { change: 'changed', record: `[Acme](entity=${acme?.id})`, field: 'revenue', before: 12, after: 15 },
  ]);
  await until('the second webhook', async () => received[1]);
  expect(received.map(({ body }) => JSON.parse(String(body)).run_id)).toEqual([first.run_id, third.run_id]);
  const none = await call('GET', `/runs/${same.run_id}/webhook-deliveries`, { key: own.key });
  expect(none.body.data).toEqual([]);
});

test('with `changed`, items of a source are compared by their own ids (jobs 16)', async () => {
  const own = await given.workspace();
  const scorer = await worker(own);
  onTestFinished(() => scorer.close());
  const steps = [
    { kind: 'fetch', title: 'Score', params: { source: scorer.name } },
    { kind: 'reconstitute', title: 'Write', params: { expected_artifacts: ['table'] } },
  ];
  const run = { input_type: 'plan', plan: { title: 'Scores', steps } };
  const { id } = await monitor(own, { notify: 'changed', run });
  const asks = async (...items: object[]) => {
    const { run_id } = (await fires(own, id)).body;
    await say(await scorer.job(run_id), 'complete', { items });
    return then.ended(own, run_id);
  };
  await asks({ id: 1, name: 'Acme', fields: { score: 1 } }, { id: 2, name: 'Globex', fields: { score: 1 } });
  const { id: last, artifacts } = await asks(
    { id: '2', name: 'Globex Ltd', fields: { score: 1 } },
    { id: 3, name: 'Acme', fields: { score: 1 } },
  );
  expect(await fireThat(own, id, (fire) => fire.run_id === last && fire.changes !== undefined)).toMatchObject(
    {
      changes: { added: 1, removed: 1, changed: 1 },
    },
  );
  const { rows } = (await call('GET', `/artifacts/${artifacts.at(-1).id}`, { key: own.key })).body;
  expect(rows[0]).toEqual({
    ...{ change: 'changed', record: 'Globex Ltd', field: 'name', before: 'Globex', after: 'Globex Ltd' },
  });
  const shown = (await call('GET', `/artifacts/${artifacts[0].id}`, { key: own.key })).body;
  expect(Object.keys(shown).toSorted()).toEqual([
    'columns',
    'created_at',
    'id',
    'kind',
    'object',
    'row_count',
    'rows',
    'run_id',
    'title',
  ]);
});

test('an import of a record that meets the condition, before or after, fires when it has settled', async () => {
  const own = await given.workspace();
  const on = {
    change: { types: ['company'], where: { field: 'city', op: '=', value: 'Berlin' }, settle_seconds: 1 },
  };
  const { id } = await monitor(own, { on });
  const line = { type: 'company', name: 'Acme', fields: { city: 'Oslo' } };
  const [acme] = await given.entities(own.workspace_id, [line]);
  await given.entities(own.workspace_id, [{ ...line, type: 'person', fields: { city: 'Berlin' } }]);
  // It meets the condition after the change, then before it.
  const seen = new Set<unknown>();
  for (const city of ['Berlin', 'Rome']) {
    await given.entities(own.workspace_id, [{ ...line, id: acme?.id, fields: { city } }]);
    const fire = await fireThat(own, id, (one) => !seen.has(one.id));
    expect(fire).toMatchObject({ cause: 'change', outcome: 'run' });
    seen.add(fire.id);
    await then.ended(own, fire.run_id);
  }
});

test('what refuses a run refuses a fire, with its code', async () => {
  const other = await given.key(home.workspace_id, 'all');
  const { id } = await monitor(other);
  await admin({ command: 'key.revoke', key_id: other.key_id });
  const refused = await fires(home, id);
  expect(refused.status).toBe(202);
  expect(refused.body).toMatchObject({ outcome: 'refused', reason: 'auth_invalid' });
});

test('rule 18: the runs of a query follow the plan of the first one, until the query is another', async () => {
  const query = (text: string) => ({ input_type: 'query', query: text });
  const made = await monitor(home, { run: query('Which companies are in Berlin?') });
  expect(made.plan).toBe(null);
  const first = await runThat((await fires(home, made.id)).body);
  expect(first.usage.calls).toBe(3);
  const { plan } = (await call('GET', `/monitors/${made.id}`, { key: home.key })).body;
  expect(plan.steps.map(({ kind }: { kind: string }) => kind)).toEqual(['fetch', 'reconstitute']);
  const second = await runThat((await fires(home, made.id)).body);
  expect(second.usage.calls).toBe(1);
  expect(second.message).toBe(first.message);
  const read = await call('GET', `/runs/${second.id}?include=plan`, { key: home.key });
  expect(read.body.plan).toEqual(plan);
  const changed = await patch(made.id, { run: query('How many people are there?') });
  expect(changed.body.plan).toBe(null);
  const third = await runThat((await fires(home, made.id)).body);
  expect(third.usage.calls).toBe(3);
  expect(third.message).not.toBe(first.message);
});

test('rule 18: a run of a kept plan still names what was not understood', async () => {
  const run = { input_type: 'query', query: 'Which profitable companies are in Berlin?' };
  const { id } = await monitor(home, { run });
  const [first, second] = [
    await runThat((await fires(home, id)).body),
    await runThat((await fires(home, id)).body),
  ];
  const partly = expect.objectContaining({
    code: 'query_partly_understood',
    details: { words: ['profitable'] },
  });
  expect(first.warnings).toContainEqual(partly);
  expect(second.warnings).toContainEqual(partly);
});
