// rules.md: agents 4, jobs 12. An agent finds what a run waits for, and answers it.
import { expect, test } from 'vitest';
import { agent } from '../support/agents.ts';
import * as given from '../support/given.ts';
import { setUp } from '../support/live-source.ts';
import { until } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

const home = await given.workspace();
const schema = { type: 'object', properties: { approved: { type: 'boolean' } }, required: ['approved'] };
await setUp(home, { kind: 'person', name: 'approval', title: 'May it go out?', schema } as never);

test('an agent answers a question that a run waits for, and says what that has used', async () => {
  const client = await agent(home.key);
  const ask = { kind: 'fetch', title: 'Ask', params: { source: 'approval' } };
  const { id: run } = (await when.createsPlanRun(home, [ask])).body;
  const call = async (name: string, input: Record<string, unknown>) =>
    (await client.ask(name, input)).structuredContent;
  const id: string = await until(
    'the question',
    async () => (await call('job_list', { status: 'open' })).jobs[0]?.job_id,
  );
  expect(await call('run_wait', { id: run, timeout_s: 1 })).toMatchObject({
    waiting: { reason: 'person', source: 'approval', job_id: id },
    next: expect.stringContaining('job_complete'),
  });
  expect(await call('job_list', { id })).toMatchObject({ title: 'May it go out?', schema });
  expect(await call('job_complete', { id, answer: {} })).toMatchObject({
    code: 'schema_validation_failed',
    param: 'answer.approved',
  });
  expect(await call('job_list', { id: `${run}-7-0-1` })).toMatchObject({
    code: 'job_not_found',
    advice: expect.stringContaining('job_list'),
  });
  const answer = { id, answer: { approved: true }, usage: { cost_usd: 0.25 } };
  expect(await call('job_complete', answer)).toEqual({ accepted: true });
  expect(await call('job_complete', answer)).toEqual({ accepted: false });
  expect(await then.ended(home, run)).toMatchObject({
    status: 'succeeded',
    usage: { jobs: { count: 1, cost_usd: 0.25 } },
  });
  await client.close();
});
