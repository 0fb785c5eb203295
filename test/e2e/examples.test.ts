// The examples of the document are real replies of the service. `npm run examples` records them.
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { bodyExamples } from '../../functions/contract/document/examples.ts';
import * as given from '../support/given.ts';
import { setUp } from '../support/live-source.ts';
import { admin, call, type HttpReply, sharedService, until } from '../support/service.ts';
import { stabilizer } from '../support/stable-replies.ts';
import { token } from '../support/streams.ts';
import { bridgeFor, send } from '../support/sync-sender.ts';
import * as then from '../support/then.ts';
import { worker } from '../support/worker.ts';
import { customer, status } from './webhook-receiver.ts';

const file = new URL('../../functions/contract/document/reply-examples.json', import.meta.url);

type Examples = Record<string, Record<string, unknown>>;

/** Calls an operation and records the answer. */
class Recorder {
  readonly replies: Examples = {};
  readonly home: given.Home;
  constructor(home: given.Home) {
    this.home = home;
  }

  async ask(
    operation: string,
    method: string,
    path: string,
    body?: object,
    key?: string,
  ): Promise<HttpReply> {
    const headers: Record<string, string> = key === undefined ? {} : { 'Idempotency-Key': key };
    const reply = await call(method, path, { key: this.home.key, body, headers });
    this.keep(operation, reply.status, reply.body);
    return reply;
  }

  keep(operation: string, status: number | string, body: unknown): void {
    this.replies[operation] = { ...this.replies[operation], [status]: body };
  }
}

async function recordRuns(recorder: Recorder): Promise<void> {
  const { home } = recorder;
  const { url } = await customer(status(200));
  const body = { ...bodyExamples.CreateRun, callback_url: url, metadata: { ticket: 'T-17' } };
  const { id } = (await recorder.ask('CreateRun', 'POST', '/runs', body, 'ticket-17')).body;
  const run = await then.ended(home, id);
  await recorder.ask('CreateRun', 'POST', '/runs', body, 'ticket-17');
  await recorder.ask('GetRun', 'GET', `/runs/${id}`);
  await recorder.ask('ListRuns', 'GET', '/runs?limit=1');
  await recorder.ask('ListEvents', 'GET', `/runs/${id}/events?limit=3`);
  await recorder.ask('CreateEventToken', 'POST', `/runs/${id}/events/token`);
  const stream = await call('GET', `/runs/${id}/events/stream?event_token=${await token(home, id)}`);
  recorder.keep('StreamEvents', 200, JSON.parse(/^data: (.*)$/m.exec(stream.body)?.[1] ?? ''));
  const artifact = `/artifacts/${run.artifacts[0].id}`;
  await recorder.ask('GetArtifact', 'GET', artifact);
  await recorder.ask('CreateArtifactLink', 'POST', `${artifact}/links`, bodyExamples.CreateArtifactLink);
  await recordDeliveries(recorder, id);
  await recorder.ask('GetTrace', 'GET', `/runs/${id}/trace`);
  await recorder.ask('ListCalls', 'GET', `/runs/${id}/calls`);
  await recorder.ask('ListStepItems', 'GET', `/runs/${id}/steps/0/items?limit=2`);
  const again = await recorder.ask(
    'RerunRun',
    'POST',
    `/runs/${id}/rerun-from`,
    bodyExamples.RerunRun,
    'again-17',
  );
  await then.ended(home, again.body.id);
  await recorder.ask('RerunRun', 'POST', `/runs/${id}/rerun-from`, bodyExamples.RerunRun, 'again-17');
}

async function recordDeliveries(recorder: Recorder, id: string): Promise<void> {
  const deliveries = () => call('GET', `/runs/${id}/webhook-deliveries`, { key: recorder.home.key });
  const deliveredAfter = (attempts: number) =>
    until('the delivery', async () =>
      (await deliveries()).body.data.find(
        (one: { status: string; attempts: object[] }) =>
          one.status === 'delivered' && one.attempts.length === attempts,
      ),
    );
  const delivered = await deliveredAfter(1);
  await recorder.ask('ListDeliveries', 'GET', `/runs/${id}/webhook-deliveries`);
  await recorder.ask(
    'RedeliverWebhook',
    'POST',
    `/runs/${id}/webhook-deliveries/${delivered.event_id}/redeliver`,
  );
  // The trace shows both.
  await deliveredAfter(2);
}

async function recordEnds(recorder: Recorder): Promise<void> {
  const { home } = recorder;
  const plan = (instructions: string) => ({
    input_type: 'plan',
    plan: { title: 'Findings', steps: [{ kind: 'analyze', title: 'Analyze', instructions }] },
  });
  const failing = await call('POST', '/runs', { key: home.key, body: plan('[[fail]]') });
  await then.ended(home, failing.body.id);
  await recorder.ask('ResumeRun', 'POST', `/runs/${failing.body.id}/resume`, bodyExamples.ResumeRun);
  await then.ended(home, failing.body.id);
  await admin({ command: 'maintenance.start', workspace_id: home.workspace_id });
  const paused = await call('POST', '/runs', { key: home.key, body: plan('What stands out?') });
  await then.event(home, paused.body.id, 'run.paused');
  await recorder.ask('CancelRun', 'POST', `/runs/${paused.body.id}/cancel`);
  await admin({ command: 'maintenance.end', workspace_id: home.workspace_id });
}

async function recordRecords(recorder: Recorder): Promise<void> {
  const { home } = recorder;
  const entity = { external_uri: 'crm:acme' };
  const dossier = { input_type: 'preset', preset: 'dossier', params: { entity, sections: ['Overview'] } };
  const { id } = (await call('POST', '/runs', { key: home.key, body: dossier })).body;
  const run = await then.ended(home, id);
  await recorder.ask('GetNote', 'GET', `/notes/${run.note_ids[0]}`);
  const refs = encodeURIComponent(JSON.stringify([entity, { external_uri: 'crm:nobody' }]));
  await recorder.ask('ResolveEntities', 'GET', `/entities/resolve?refs=${refs}`);
  const found = await recorder.ask('SearchEntities', 'GET', '/entities?query=ac');
  await recorder.ask('ListEntityTypes', 'GET', '/entities/types');
  await setUp(home, {
    name: 'crm',
    kind: 'http',
    url: 'http://127.0.0.1:9/records',
    description: 'Deals of the sales team',
    entity_type: 'deal',
    fields: [{ name: 'amount', kind: 'number' }],
  });
  await recorder.ask('ListSources', 'GET', '/sources');
  await recorder.ask('GetEntity', 'GET', `/entities/${found.body.data[0].entity_id}`);
  const sync = await send(await bridgeFor(home.workspace_id), bodyExamples.ReceiveSync);
  recorder.keep('ReceiveSync', sync.status, sync.body);
}

async function recordJobs(recorder: Recorder): Promise<void> {
  const { home } = recorder;
  const scorer = await worker(home, { name: 'scorer', entity_type: 'score', attempts: 2 });
  const steps = [{ kind: 'fetch', title: 'Score', params: { source: scorer.name } }];
  const body = { input_type: 'plan', plan: { title: 'Scores', steps } };
  const { id } = (await call('POST', '/runs', { key: home.key, body })).body;
  const first = await scorer.job(id);
  await recorder.ask('GetJob', 'GET', `/jobs/${first.job_id}`);
  await recorder.ask('ProgressJob', 'POST', `/jobs/${first.job_id}/progress`, bodyExamples.ProgressJob);
  await recorder.ask('FailJob', 'POST', `/jobs/${first.job_id}/fail`, bodyExamples.FailJob);
  const next = await scorer.job(id, 1);
  await recorder.ask('AddJobItems', 'POST', `/jobs/${next.job_id}/items`, bodyExamples.AddJobItems);
  await recorder.ask('CompleteJob', 'POST', `/jobs/${next.job_id}/complete`, bodyExamples.CompleteJob);
  await then.ended(home, id);
  await recorder.ask('ListJobs', 'GET', `/jobs?run_id=${id}`);
  const late = await call('POST', `/jobs/${first.job_id}/complete`, { key: home.key, body: {} });
  recorder.keep('errors', late.body.error.code, late.body);
  scorer.close();
}

async function recordMonitors(recorder: Recorder): Promise<void> {
  const { home } = recorder;
  const { id } = (await recorder.ask('CreateMonitor', 'POST', '/monitors', bodyExamples.CreateMonitor, 'm-1'))
    .body;
  await recorder.ask('CreateMonitor', 'POST', '/monitors', bodyExamples.CreateMonitor, 'm-1');
  const fire = await recorder.ask('FireMonitor', 'POST', `/monitors/${id}/fire`, undefined, 'f-1');
  await then.ended(home, fire.body.run_id);
  await recorder.ask('FireMonitor', 'POST', `/monitors/${id}/fire`, undefined, 'f-1');
  await recorder.ask('ListFires', 'GET', `/monitors/${id}/fires`);
  await recorder.ask('UpdateMonitor', 'PATCH', `/monitors/${id}`, bodyExamples.UpdateMonitor);
  await recorder.ask('GetMonitor', 'GET', `/monitors/${id}`);
  await recorder.ask('ListMonitors', 'GET', '/monitors');
}

async function recordChanges(recorder: Recorder): Promise<void> {
  await recorder.ask('ImportEntities', 'POST', '/entities/import', bodyExamples.ImportEntities);
  const { home } = recorder;
  const [order] = (await call('GET', '/entities?query=order%2025', { key: home.key })).body.data;
  await recorder.ask('UpdateEntity', 'PATCH', `/entities/${order.entity_id}`, bodyExamples.UpdateEntity);
  await recorder.ask('DeleteEntities', 'POST', '/entities/delete', bodyExamples.DeleteEntities);
}

async function recordSite(recorder: Recorder): Promise<void> {
  await recorder.ask('GetMe', 'GET', '/me');
  await recorder.ask('GetSite', 'GET', '//');
  await recorder.ask('GetHealth', 'GET', '//health');
  const { openapi, info } = (await call('GET', '//openapi.json')).body;
  recorder.keep('GetOpenApi', 200, { openapi, info: { title: info.title, version: info.version } });
}

async function recordKeys(recorder: Recorder): Promise<void> {
  const { key_id } = (await recorder.ask('CreateKey', 'POST', '/keys', bodyExamples.CreateKey)).body;
  await recorder.ask('RotateKey', 'POST', `/keys/${key_id}/rotate`, bodyExamples.RotateKey);
  await recorder.ask('ListKeys', 'GET', '/keys');
  await recorder.ask(
    'RedeliverFailed',
    'POST',
    '/webhook-deliveries/redeliver',
    bodyExamples.RedeliverFailed,
  );
  await recorder.ask('ListAllDeliveries', 'GET', '/webhook-deliveries?limit=1&status=delivered');
  await recorder.ask('ListAudit', 'GET', '/audit?limit=3');
  await recorder.ask('GetUsage', 'GET', '/usage?by=day,status');
}

async function recordErrors(recorder: Recorder): Promise<void> {
  const { home } = recorder;
  const nobody = '0b2a4c6e-0000-4000-8000-000000000001';
  const refusals = [
    await call('GET', `/runs/${nobody}`),
    await call('GET', `/runs/${nobody}`, { key: home.key }),
    await call('GET', '/runs?limit=1000', { key: home.key }),
    await call('POST', '/runs', { key: home.key, body: {} }),
    await call('POST', '/runs', { key: home.key, body: '{' }),
    await call('POST', '/runs', {
      key: home.key,
      body: { ...bodyExamples.CreateRun, callback_url: 'http://example.com/' },
    }),
  ];
  for (const { body } of refusals) recorder.keep('errors', body.error.code, body);
}

const records = [
  {
    id: 'a0000000-0000-4000-8000-000000000001',
    type: 'company',
    name: 'Acme',
    fields: { city: 'Berlin', revenue_musd: 12.5, industry: 'Tools' },
    external_uri: 'crm:acme',
  },
  {
    id: 'a0000000-0000-4000-8000-000000000002',
    type: 'company',
    name: 'Borealis',
    fields: { city: 'Oslo', revenue_musd: 80, industry: 'Energy' },
  },
  {
    id: 'a0000000-0000-4000-8000-000000000003',
    type: 'company',
    name: 'Cobalt',
    fields: { city: 'Berlin', revenue_musd: 3, industry: 'Chemistry' },
  },
];

test('the examples of the document are real replies', async () => {
  const home = await given.workspace({ features: ['WEBHOOK_INTEGRATION'], credits: 5000 });
  // Equal records come by id, so theirs are the same at every recording.
  await given.entities(home.workspace_id, records);
  const recorder = new Recorder(home);
  await recordSite(recorder);
  await recordRuns(recorder);
  await recordEnds(recorder);
  await recordRecords(recorder);
  await recordJobs(recorder);
  await recordKeys(recorder);
  await recordMonitors(recorder);
  await recordChanges(recorder);
  await recordErrors(recorder);
  const recorded = stabilizer(sharedService().site_url)(recorder.replies);
  if (process.env.RECORD) writeFileSync(file, `${JSON.stringify(recorded, null, 2)}\n`);
  // Not as text: the table returns fields in any order.
  expect(recorded).toEqual(JSON.parse(readFileSync(file, 'utf8')));
});
