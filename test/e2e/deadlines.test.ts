// rules.md: deadlines. How long a run may work, and until when it must have started.
import { beforeAll, describe, expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { expectRefusal } from '../support/refusal.ts';
import { admin, call, until } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

let home: given.Home;
beforeAll(async () => {
  home = await given.workspace();
  await given.entities(
    home.workspace_id,
    Array.from({ length: 20 }, (_, i) => ({ type: 'thing', name: `Thing ${i}` })),
  );
});

const analyze = (ms: number) => ({ kind: 'analyze', instructions: `Sum up [[delay:${ms}]]` });
const resumes = (id: string, body?: unknown) => call('POST', `/runs/${id}/resume`, { key: home.key, body });

async function runs(config: Record<string, unknown>, ...steps: Record<string, unknown>[]) {
  const { body } = await when.createsPlanRun(home, steps, { config });
  return then.ended(home, body.id);
}

describe('config.timeout_seconds', () => {
  test('what is in hand ends first and is counted, then nothing begins; a resume may bring more time', async () => {
    const run = await runs({ timeout_seconds: 1 }, analyze(1500), analyze(0));
    expect(run).toMatchObject({
      status: 'failed',
      resumable: true,
      steps: [{ status: 'completed' }, { status: 'pending' }],
      usage: { calls: 1 },
      errors: [{ code: 'run_timed_out', type: 'timeout' }],
    });
    const { elapsed_ms, ...details } = run.errors[0].details;
    expect(details).toEqual({ limit: 'timeout_seconds', limit_seconds: 1, step_index: 1 });
    expect(elapsed_ms).toBeGreaterThanOrEqual(1500);
    await then.soundLog(home, run.id);

    // The count begins again: with a second for a step of half a second there is time enough.
    expect((await resumes(run.id)).status).toBe(202);
    expect(await then.ended(home, run.id)).toMatchObject({ status: 'succeeded', usage: { calls: 2 } });
  });

  test('a run with nothing left to begin succeeds', async () => {
    expect(await runs({ timeout_seconds: 1 }, analyze(1500))).toMatchObject({ status: 'succeeded' });
  });

  test('in the middle of a step no further call begins, and none is paid twice', async () => {
    const each = { kind: 'transform', instructions: 'Each [[delay:700]]' };
    const failed = await runs({ timeout_seconds: 1 }, { kind: 'fetch' }, each);
    expect(failed).toMatchObject({
      status: 'failed',
      steps: [{ status: 'completed' }, { status: 'failed' }],
    });
    expect(failed.errors).toMatchObject([{ code: 'run_timed_out', details: { step_index: 1 } }]);
    // Eight calls at once: those that began within the second, two for each at most.
    expect(failed.usage.calls).toBeGreaterThanOrEqual(8);
    expect(failed.usage.calls).toBeLessThan(20);
    const resumed = await resumes(failed.id, { config: { timeout_seconds: 60, start_within_seconds: 50 } });
    expect([resumed.status, resumed.body.config]).toEqual([
      202,
      { timeout_seconds: 60, start_within_seconds: 50 },
    ]);
    expect(await then.ended(home, failed.id)).toMatchObject({ status: 'succeeded', usage: { calls: 20 } });
  });

  test('the planning of a query counts; its plan is saved, so the run can be resumed', async () => {
    const body = { input_type: 'query', query: 'Top 5 things by name', config: { timeout_seconds: 86_400 } };
    const { id } = (await call('POST', '/runs', { key: home.key, body })).body;
    expect(await then.ended(home, id)).toMatchObject({ status: 'succeeded' });
  });

  test('paused time does not count', async () => {
    const own = await given.workspace();
    const steps = [analyze(700), analyze(0)];
    const { id } = (await when.createsPlanRun(own, steps, { config: { timeout_seconds: 2 } })).body;
    await then.event(own, id, 'step.started');
    await admin({ command: 'maintenance.start', workspace_id: own.workspace_id });
    const { completed_at } = await then.ended(home, (await runs({}, analyze(2500))).id);
    await until('the pause', async () => (await when.readsRun(own, id)).status === 'paused' || undefined);
    await admin({ command: 'maintenance.end', workspace_id: own.workspace_id });
    const run = await then.ended(own, id);
    expect(run).toMatchObject({ status: 'succeeded' });
    // It went on after more time than it has.
    expect(run.completed_at).toBeGreaterThanOrEqual(completed_at);
    expect(run.completed_at - run.started_at).toBeGreaterThan(2000);
  });

  test('a rerun inherits the deadlines', async () => {
    const config = { timeout_seconds: 60, start_within_seconds: 60, retain_seconds: 3600 };
    const source = await runs(config, { kind: 'fetch' }, analyze(0));
    const { body } = await when.rerunsFrom(home, source.id, 1);
    expect((await then.ended(home, body.id)).config).toEqual(config);
  });
});

describe('limits that are refused', () => {
  const wrong = [0, 86_401, -1, '5', null, 1.5, true, [], {}];
  const both = ['timeout_seconds', 'start_within_seconds'] as const;

  test.each(both)('%s', async (name) => {
    const { id } = await runs({}, { kind: 'fetch' });
    for (const value of wrong) {
      const refused = { param: `config.${name}` };
      const config = { [name]: value };
      const created = await when.createsPlanRun(home, [analyze(0)], { config });
      expectRefusal(created, 422, 'schema_validation_failed', refused);
      expectRefusal(await resumes(id, { config }), 422, 'schema_validation_failed', refused);
    }
  });

  test('retain_seconds, which a resume does not take', async () => {
    const { id } = await runs({}, { kind: 'fetch' });
    const refused = { param: 'config.retain_seconds' };
    for (const value of [59, 315_360_001, ...wrong.filter((one) => one !== 86_401)]) {
      const created = await when.createsPlanRun(home, [analyze(0)], { config: { retain_seconds: value } });
      expectRefusal(created, 422, 'schema_validation_failed', refused);
    }
    expectRefusal(
      await resumes(id, { config: { retain_seconds: 60 } }),
      422,
      'schema_validation_failed',
      refused,
    );
  });
});
