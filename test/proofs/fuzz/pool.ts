// What the fuzzer's ids point at: runs in every end, their artifacts, notes, cursors and tokens, keys that do not fit.
import { request as httpRequest } from 'node:http';
import { json } from 'node:stream/consumers';
import type { CommandInput } from '../../../functions/admin/commands.ts';
import { isFinished } from '../work.ts';
import type { Pool } from './request.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of the service are read freely
type Answer = any;

/** Carries out an admin command; throws what it refuses. */
export type Admin = (command: CommandInput) => Promise<Answer>;

const steps = {
  fetch: { kind: 'fetch', title: 'Companies', params: { source: 'companies' } },
  answer: { kind: 'reconstitute', title: 'Answer', params: { expected_artifacts: ['table', 'text'] } },
  failing: { kind: 'analyze', title: 'Fails', instructions: '[[fail]]' },
  slow: { kind: 'analyze', title: 'Slow', instructions: '[[delay:1000]] findings' },
};

/** Makes the workspace and everything in it. Waits until every run has ended. */
export async function makePool(baseUrl: string, admin: Admin): Promise<Pool> {
  const limits = { tier: 'enterprise', max_concurrent_runs: 30 } as const;
  const features = ['WEBHOOK_INTEGRATION', 'GLOBAL_SEARCH'] as const;
  const { workspace_id } = await admin({
    command: 'workspace.create',
    name: 'Fuzz',
    ...limits,
    features: [...features],
  });
  const { api_key } = await admin({ command: 'key.create', workspace_id, scopes: 'all' });
  const other_keys = await wrongKeys(admin, workspace_id);
  const refs = await records(admin, workspace_id);
  const call = (method: string, path: string, body?: object) =>
    ask(`${baseUrl}${path}`, method, api_key, body);
  const create = async (body: object): Promise<string> => (await call('POST', '/runs', body)).id;
  const plan = (...all: object[]) => create({ input_type: 'plan', plan: { title: 'Fuzz', steps: all } });
  const done = await plan(steps.fetch, steps.answer);
  const failed = await plan(steps.fetch, steps.failing);
  const canceled = await plan(steps.fetch, steps.slow);
  const dossier = await create({ input_type: 'preset', preset: 'dossier', params: { entity: refs[0] } });
  await call('POST', `/runs/${canceled}/cancel`);
  const runs = [done, failed, canceled, dossier];
  for (const id of runs) await logEnds(call, id);
  const ended = await Promise.all(runs.map((id) => call('GET', `/runs/${id}`)));
  const logs = await Promise.all(runs.map((id) => call('GET', `/runs/${id}/events?limit=3`)));
  const tokens = await Promise.all(runs.map((id) => call('POST', `/runs/${id}/events/token`)));
  const unknown = '00000000-0000-4000-8000-000000000000';
  return {
    api_key,
    other_keys,
    runs: [...runs, runs[0]?.toUpperCase() ?? '', unknown],
    artifacts: [...ended.flatMap((run) => run.artifacts.map(({ id }: { id: string }) => id)), unknown],
    notes: [...ended.flatMap((run) => run.note_ids), unknown],
    event_ids: [...logs.flatMap((log) => log.data.map(({ id }: { id: string }) => id)), 'evt_none'],
    cursors: logs.map((log) => log.next_cursor),
    tokens: tokens.map((token) => token.event_token),
    bridge: await bridge(admin, workspace_id),
    refs,
  };
}

async function records(admin: Admin, workspace_id: string): Promise<object[]> {
  const { entities } = await admin({
    command: 'entity.import',
    workspace_id,
    entities: [
      { type: 'company', name: 'Acme', fields: { city: 'Berlin' }, external_uri: 'crm:acme' },
      { type: 'company', name: 'Cobalt', fields: { city: 'Oslo' }, external_id: 'C1', source: 'custom' },
    ],
  });
  return [
    { id: entities[0].id },
    { external_uri: 'crm:acme' },
    { external_id: 'C1', source: 'custom' },
    { external_uri: 'crm:nobody' },
  ];
}

/** Over before the first request is sent: making the runs takes longer. */
const EXPIRES_SOON_MS = 200;

async function wrongKeys(admin: Admin, workspace_id: string): Promise<string[]> {
  const key = (command: Partial<Extract<CommandInput, { command: 'key.create' }>>) =>
    admin({ command: 'key.create', workspace_id, scopes: 'all', ...command });
  const revoked = await key({});
  await admin({ command: 'key.revoke', key_id: revoked.key_id });
  const other = await admin({ command: 'workspace.create', name: 'Other', tier: 'free' });
  const suspended = await admin({ command: 'workspace.create', name: 'Suspended', tier: 'free' });
  const keys = [
    revoked,
    await key({ expires_at: Date.now() + EXPIRES_SOON_MS }),
    await key({ scopes: ['runs:read'] }),
    await key({ scopes: ['runs:create'] }),
    await key({ workspace_id: other.workspace_id }),
    await key({ workspace_id: suspended.workspace_id }),
  ];
  await admin({
    command: 'workspace.update',
    workspace_id: suspended.workspace_id,
    status: 'suspended',
  });
  return keys.map(({ api_key }) => api_key);
}

async function bridge(admin: Admin, workspace_id: string): Promise<Pool['bridge']> {
  const company = { type: 'company', kind: 'entity', entity_type: 'company', name_field: 'name' } as const;
  const resources = [{ ...company, field_map: { name: 'name' } }];
  const made = await admin({
    command: 'bridge.create',
    bridge: { name: 'crm', workspaces: [{ workspace_id, resources }] },
  });
  return { id: made.bridge_id, secret: made.secret };
}

async function logEnds(call: (method: string, path: string) => Promise<Answer>, id: string): Promise<void> {
  for (let cursor = ''; ; ) {
    const page = await call('GET', `/runs/${id}/events?keep-open=1${cursor && `&cursor=${cursor}`}`);
    cursor = page.next_cursor;
    if (isFinished(page.data)) return;
  }
}

function ask(url: string, method: string, key: string, body?: object): Promise<Answer> {
  const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) };
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers }, (response) => {
      const refused = (response.statusCode ?? 500) >= 300;
      json(response).then(
        (found) => (refused ? reject(new Error(JSON.stringify(found))) : resolve(found)),
        reject,
      );
    });
    request.on('error', reject);
    request.end(body && JSON.stringify(body));
  });
}
