// Every event file, replayed on its function as `npm run invoke` does.
import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { beforeAll, expect, test } from 'vitest';
import { fillEvent, readableAnswer } from '../../bin/invoke/event-file.ts';
import { functionNamed } from '../../bin/invoke/function-named.ts';
import { httpFunctions, routeNames } from '../../functions/contract/routes.ts';
import { functionNames } from '../../lib/entries.ts';
import { filesBy } from '../support/files.ts';
import * as given from '../support/given.ts';
import { monitor } from '../support/monitors.ts';
import { admin, call, sharedService, until } from '../support/service.ts';
import { token } from '../support/streams.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';
import { worker } from '../support/worker.ts';
import { customer, status } from './webhook-receiver.ts';

const FOLDER = 'events';
const FAILS = 'the function fails';

/** File, route or function, and what it answers: an HTTP status, an object that is part of the answer, or a failure. */
const expected: readonly (readonly [file: string, name: string, answer: number | object | typeof FAILS])[] = [
  ['api-gateway/get-me', 'GetMe', 200],
  ['api-gateway/get-me-wrong-key', 'GetMe', 401],
  ['api-gateway/create-run-plan', 'CreateRun', 202],
  ['api-gateway/create-run-query', 'CreateRun', 202],
  ['api-gateway/create-run-dossier', 'CreateRun', 202],
  ['api-gateway/create-run-validate-only', 'CreateRun', 200],
  ['api-gateway/create-run-bad-validate-only', 'CreateRun', 422],
  ['api-gateway/create-run-bad-json', 'CreateRun', 400],
  ['api-gateway/create-run-no-key', 'CreateRun', 401],
  ['api-gateway/create-run-unknown-input-type', 'CreateRun', 400],
  ['api-gateway/create-run-filter-without-instructions', 'CreateRun', 422],
  ['api-gateway/create-run-private-callback', 'CreateRun', 422],
  ['api-gateway/create-run-unknown-entity', 'CreateRun', 422],
  ['api-gateway/list-runs', 'ListRuns', 200],
  ['api-gateway/list-runs-filtered', 'ListRuns', 200],
  ['api-gateway/list-runs-bad-metadata', 'ListRuns', 422],
  ['api-gateway/list-runs-bad-status', 'ListRuns', 422],
  ['api-gateway/get-run', 'GetRun', 200],
  ['api-gateway/get-run-unknown', 'GetRun', 404],
  ['api-gateway/cancel-run', 'CancelRun', 200],
  ['api-gateway/cancel-run-unknown', 'CancelRun', 404],
  ['api-gateway/delete-run-unknown', 'DeleteRun', 404],
  ['api-gateway/resume-run', 'ResumeRun', 409],
  ['api-gateway/resume-run-bad-json', 'ResumeRun', 400],
  ['api-gateway/rerun-run', 'RerunRun', 202],
  ['api-gateway/rerun-run-bad-step', 'RerunRun', 422],
  ['api-gateway/list-events', 'ListEvents', 200],
  ['api-gateway/list-events-bad-cursor', 'ListEvents', 422],
  ['api-gateway/create-event-token', 'CreateEventToken', 200],
  ['api-gateway/create-event-token-unknown-run', 'CreateEventToken', 404],
  ['api-gateway/stream-events', 'StreamEvents', 200],
  ['api-gateway/stream-events-no-token', 'StreamEvents', 401],
  ['api-gateway/get-trace', 'GetTrace', 200],
  ['api-gateway/get-trace-unknown', 'GetTrace', 404],
  ['api-gateway/list-calls', 'ListCalls', 200],
  ['api-gateway/list-calls-unknown', 'ListCalls', 404],
  ['api-gateway/list-step-items', 'ListStepItems', 200],
  ['api-gateway/list-step-items-unknown', 'ListStepItems', 404],
  ['api-gateway/list-deliveries', 'ListDeliveries', 200],
  ['api-gateway/list-deliveries-unknown-run', 'ListDeliveries', 404],
  ['api-gateway/redeliver-webhook', 'RedeliverWebhook', 202],
  ['api-gateway/redeliver-webhook-unknown', 'RedeliverWebhook', 404],
  ['api-gateway/get-artifact', 'GetArtifact', 200],
  ['api-gateway/get-artifact-unknown', 'GetArtifact', 404],
  ['api-gateway/create-artifact-link', 'CreateArtifactLink', 201],
  ['api-gateway/create-artifact-link-bad-format', 'CreateArtifactLink', 422],
  ['api-gateway/get-note', 'GetNote', 200],
  ['api-gateway/get-note-unknown', 'GetNote', 404],
  ['api-gateway/search-entities', 'SearchEntities', 200],
  ['api-gateway/search-entities-bad-limit', 'SearchEntities', 422],
  ['api-gateway/resolve-entities', 'ResolveEntities', 200],
  ['api-gateway/resolve-entities-bad-refs', 'ResolveEntities', 422],
  ['api-gateway/list-entity-types', 'ListEntityTypes', 200],
  ['api-gateway/list-sources', 'ListSources', 200],
  ['api-gateway/get-entity', 'GetEntity', 200],
  ['api-gateway/get-entity-unknown', 'GetEntity', 404],
  ['api-gateway/import-entities', 'ImportEntities', 200],
  ['api-gateway/import-entities-no-lines', 'ImportEntities', 422],
  ['api-gateway/update-entity', 'UpdateEntity', 200],
  ['api-gateway/update-entity-unknown', 'UpdateEntity', 404],
  ['api-gateway/delete-entity-unknown', 'DeleteEntity', 404],
  ['api-gateway/delete-entities', 'DeleteEntities', 202],
  ['api-gateway/delete-entities-nothing', 'DeleteEntities', 422],
  ['api-gateway/list-jobs', 'ListJobs', 200],
  ['api-gateway/list-jobs-bad-status', 'ListJobs', 422],
  ['api-gateway/get-job', 'GetJob', 200],
  ['api-gateway/get-job-unknown', 'GetJob', 404],
  ['api-gateway/progress-job', 'ProgressJob', 200],
  ['api-gateway/add-job-items', 'AddJobItems', 200],
  ['api-gateway/complete-job-bad-usage', 'CompleteJob', 422],
  ['api-gateway/complete-job', 'CompleteJob', 200],
  ['api-gateway/fail-job-over', 'FailJob', 409],
  ['api-gateway/list-all-deliveries', 'ListAllDeliveries', 200],
  ['api-gateway/redeliver-failed', 'RedeliverFailed', 202],
  ['api-gateway/redeliver-failed-bad-status', 'RedeliverFailed', 422],
  ['api-gateway/list-keys', 'ListKeys', 200],
  ['api-gateway/create-key', 'CreateKey', 201],
  ['api-gateway/create-key-unknown-scope', 'CreateKey', 422],
  ['api-gateway/rotate-key-unknown', 'RotateKey', 404],
  ['api-gateway/revoke-key-unknown', 'RevokeKey', 404],
  ['api-gateway/list-audit', 'ListAudit', 200],
  ['api-gateway/list-audit-bad-limit', 'ListAudit', 422],
  ['api-gateway/get-usage', 'GetUsage', 200],
  ['api-gateway/get-usage-bad-group', 'GetUsage', 422],
  ['api-gateway/create-monitor', 'CreateMonitor', 201],
  ['api-gateway/create-monitor-bad-cron', 'CreateMonitor', 422],
  ['api-gateway/list-monitors', 'ListMonitors', 200],
  ['api-gateway/get-monitor', 'GetMonitor', 200],
  ['api-gateway/get-monitor-unknown', 'GetMonitor', 404],
  ['api-gateway/update-monitor', 'UpdateMonitor', 200],
  ['api-gateway/fire-monitor', 'FireMonitor', 202],
  ['api-gateway/list-fires', 'ListFires', 200],
  ['sqs/fire-monitors', 'FireMonitors', { batchItemFailures: [] }],
  ['api-gateway/delete-monitor', 'DeleteMonitor', 204],
  ['api-gateway/mcp-call-tool', 'Mcp', 200],
  ['api-gateway/mcp-foreign-origin', 'Mcp', 403],
  ['api-gateway/mcp-get', 'Mcp', 405],
  ['api-gateway/health', 'Console', 200],
  ['api-gateway/docs', 'Console', 200],
  ['api-gateway/front-door-browser', 'Console', 302],
  ['api-gateway/console', 'Console', 200],
  ['api-gateway/console-unknown-asset', 'Console', 404],
  ['api-gateway/preflight', 'Read', 204],
  ['api-gateway/docs-unknown-page', 'Console', 404],
  ...httpFunctions.flatMap((name) => [
    ['api-gateway/unknown-route', name, 404] as const,
    ['api-gateway/no-request', name, 404] as const,
  ]),
  ['function-url/stream-events', 'StreamEvents', 200],
  ['function-url/stream-events-bad-token', 'StreamEvents', 401],
  ['function-url/stream-events-unknown-path', 'StreamEvents', 404],
  ['sync/push-company', 'ReceiveSync', 200],
  ['sync/wrong-signature', 'ReceiveSync', 401],
  ['sync/unknown-bridge', 'ReceiveSync', 404],
  ['states/execute-steps', 'ExecuteSteps', {}],
  ['states/execute-steps-unknown-run', 'ExecuteSteps', {}],
  ['states/execute-steps-no-run', 'ExecuteSteps', FAILS],
  ['states/park-run', 'ParkRun', {}],
  ['states/park-run-no-token', 'ParkRun', FAILS],
  ['states/fail-run', 'FailRun', {}],
  ['states/fail-run-no-run', 'FailRun', FAILS],
  [
    'schedule/sweep',
    'Sweep',
    { deliveries_resent: expect.any(Number), compactions_queued: expect.any(Number) },
  ],
  ['schedule/start-audits', 'StartAudits', { audits_queued: expect.any(Number) }],
  ['cloudformation/check-release', 'CheckRelease', { Status: 'SUCCESS' }],
  ['sqs/deliver-webhook', 'DeliverWebhook', { batchItemFailures: [] }],
  [
    'sqs/deliver-webhook-poison',
    'DeliverWebhook',
    {
      batchItemFailures: [
        { itemIdentifier: '00000000-0000-4000-8000-000000000011' },
        { itemIdentifier: '00000000-0000-4000-8000-000000000012' },
      ],
    },
  ],
  ['sqs/compact-records', 'CompactRecords', { batchItemFailures: [] }],
  ['sqs/audit-records', 'AuditRecords', { batchItemFailures: [] }],
  [
    'sqs/compact-records-poison',
    'CompactRecords',
    {
      batchItemFailures: [
        { itemIdentifier: '00000000-0000-4000-8000-000000000022' },
        { itemIdentifier: '00000000-0000-4000-8000-000000000023' },
      ],
    },
  ],
  ['records/types', 'Records', { outcome: 'read' }],
  ['records/no-such-operation', 'Records', FAILS],
  ['admin/show-workspace', 'Admin', { status: 'active' }],
  ['admin/unknown-command', 'Admin', { error: { code: 'invalid_arguments' } }],
  // Last, because others read the run.
  ['api-gateway/delete-run', 'DeleteRun', 204],
];

const read = (file: string) => readFileSync(join(FOLDER, `${file}.json`), 'utf8');
let values: Record<string, string>;

/** The bridge of the sync events, and the headers that its message needs now. */
async function bridgeValues(workspace_id: string): Promise<Record<string, string>> {
  const resource = { type: 'company', kind: 'entity', entity_type: 'company', name_field: 'name' } as const;
  const workspaces = [
    { workspace_id, resources: [{ ...resource, field_map: { name: 'name', hq: 'city' } }] },
  ];
  const { bridge_id, secret } = await admin({
    command: 'bridge.create',
    bridge: { name: 'crm', workspaces },
  });
  const body: string = JSON.parse(read('sync/push-company')).body;
  const key = createHash('sha256').update(secret).digest('hex');
  return {
    BRIDGE_ID: bridge_id,
    SIGNATURE: `sha256=${createHmac('sha256', key).update(body).digest('hex')}`,
    TIMESTAMP: new Date().toISOString(),
  };
}

beforeAll(async () => {
  const home = await given.workspace({ features: ['WEBHOOK_INTEGRATION'] });
  await given.companies(home.workspace_id);
  const [entity] = await given.entities(home.workspace_id, [
    { type: 'company', name: 'Norddata', external_uri: 'crm:norddata', fields: { city: 'Berlin' } },
  ]);
  // Nothing listens there: the delivery stays, and one attempt at it fails.
  const callback_url = 'http://127.0.0.1:9/hook';
  const steps = [when.fetchCompanies, when.keepBerlin, when.answer];
  const { id } = (await when.createsPlanRun(home, steps, { callback_url })).body;
  const dossier = JSON.parse(JSON.parse(read('api-gateway/create-run-dossier')).body);
  const about = (await call('POST', '/runs', { key: home.key, body: dossier })).body.id;
  const [run, noted] = [await then.ended(home, id), await then.ended(home, about)];
  await until('the first attempt', async () => {
    const { body } = await call('GET', `/runs/${id}/webhook-deliveries`, { key: home.key });
    return body.data[0]?.attempts[0];
  });
  const scorer = await worker(home);
  const asking = await when.createsPlanRun(home, [{ kind: 'fetch', params: { source: scorer.name } }]);
  const { job_id } = await scorer.job(asking.body.id);
  scorer.close();
  values = {
    JOB_ID: job_id,
    ...(await bridgeValues(home.workspace_id)),
    API_KEY: home.key,
    WORKSPACE_ID: home.workspace_id,
    RUN_ID: id,
    ARTIFACT_ID: run.artifacts[0].id,
    ENTITY_ID: String(entity?.id),
    NOTE_ID: noted.note_ids[0],
    MONITOR_ID: (await monitor(home)).id,
    EVENT_ID: String((await when.readsLog(home, id)).at(-1)?.id),
    EVENT_TOKEN: await token(home, id),
    TASK_TOKEN: 'no-such-token',
    RESPONSE_URL: (await customer(status(200))).url,
  };
});

async function invoke(name: string, file: string): Promise<{ failed: boolean; answer: unknown }> {
  const { lambda } = sharedService();
  const client = new LambdaClient({
    endpoint: lambda.endpoint,
    region: lambda.region,
    credentials: { accessKeyId: lambda.access_key_id, secretAccessKey: lambda.secret_access_key },
  });
  const reply = await client.send(
    new InvokeCommand({ FunctionName: functionNamed(name), Payload: fillEvent(read(file), values) }),
  );
  const text = readableAnswer(Buffer.from(reply.Payload ?? []).toString());
  return { failed: reply.FunctionError !== undefined, answer: JSON.parse(text) ?? {} };
}

test.each(expected)('%s', async (file, name, answer) => {
  const given = await invoke(name, file);
  expect(given.failed, JSON.stringify(given.answer)).toBe(answer === FAILS);
  if (typeof answer === 'number') expect(given.answer).toMatchObject({ statusCode: answer });
  else if (answer !== FAILS) expect(given.answer).toMatchObject(answer);
});

test('every event file is replayed, and every function has some', () => {
  const files = filesBy('**/*.json', FOLDER);
  expect([...new Set(expected.map(([file]) => `${file}.json`))].sort()).toEqual(files.sort());
  expect(new Set(expected.map(([, name]) => name))).toEqual(new Set([...routeNames, ...functionNames]));
});
