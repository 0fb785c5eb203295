// rules.md: steps, envelope. A plan run, from POST to its artifacts.
import { expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { call } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

test('a plan run is answered at once with a pending envelope and ends with artifacts made of the records', async () => {
  const home = await given.workspace();
  await given.companies(home.workspace_id);
  const reply = await when.createsPlanRun(home, [when.fetchCompanies, when.keepBerlin, when.answer]);
  expect(reply.status).toBe(202);
  expect(reply.body.status).toBe('pending');
  const run = await then.ended(home, reply.body.id);
  expect(run.status).toBe('succeeded');
  const table = run.artifacts.find((artifact: { kind: string }) => artifact.kind === 'table');
  const body = (await call('GET', `/artifacts/${table.id}`, { key: home.key })).body;
  expect(body.rows.map((row: { name: string }) => row.name).join()).toMatch(/Acme.*Cobalt|Cobalt.*Acme/);
  await then.soundLog(home, reply.body.id);
});
