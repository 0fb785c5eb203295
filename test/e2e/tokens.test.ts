// rules.md: stream 1. Event tokens over HTTP.
import { beforeAll, expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { admin, call } from '../support/service.ts';
import { token } from '../support/streams.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

let home: given.Home;
let run: string;

beforeAll(async () => {
  home = await given.workspace();
  await given.companies(home.workspace_id);
  run = (await when.createsPlanRun(home, [when.fetchCompanies])).body.id;
  await then.ended(home, run);
});

const opens = (id: string, eventToken?: string) =>
  call(
    'GET',
    `/runs/${id}/events/stream${eventToken === undefined ? '' : `?event_token=${encodeURIComponent(eventToken)}`}`,
  );

test('a token lives five minutes and opens the stream again and again', async () => {
  const before = Date.now();
  const { status, body } = await call('POST', `/runs/${run}/events/token`, { key: home.key });
  expect(status).toBe(200);
  expect(body.expires_at - before).toBeGreaterThanOrEqual(300_000);
  expect(body.expires_at - Date.now()).toBeLessThanOrEqual(300_000);
  expect(body.stream_url).toMatch(new RegExp(`/api/v1/runs/${run}/events/stream$`));
  expect((await opens(run, body.event_token)).status).toBe(200);
  expect((await opens(run, body.event_token)).status).toBe(200);
});

test('no token and no key is auth_missing', async () => {
  expect((await opens(run)).body.error.code).toBe('auth_missing');
});

test('a malformed token is auth_invalid', async () => {
  for (const malformed of ['', 'x', 'a.b.c', home.key, '\u0000', 'é'.repeat(50), 'A'.repeat(4000)]) {
    const reply = await opens(run, malformed);
    expect(reply.status, malformed.slice(0, 20)).toBe(401);
    expect(reply.body.error.code).toBe('auth_invalid');
  }
});

test('a token of another run is auth_invalid, whether that run exists or not', async () => {
  const other = (await when.createsPlanRun(home, [when.fetchCompanies])).body.id;
  const good = await token(home, run);
  for (const id of [other, '00000000-0000-4000-8000-000000000000', 'abc'])
    expect((await opens(id, good)).body.error.code).toBe('auth_invalid');
});

test('a token dies with its key', async () => {
  const { key, key_id } = await given.key(home.workspace_id, ['runs:read']);
  const good = await token({ key }, run);
  expect((await opens(run, good)).status).toBe(200);
  await admin({ command: 'key.revoke', key_id });
  expect((await opens(run, good)).body.error.code).toBe('auth_invalid');
});

test('a token of a suspended workspace opens nothing', async () => {
  const there = await given.workspace();
  const id = (await when.createsPlanRun(there, [when.fetchCompanies])).body.id;
  const good = await token(there, id);
  await admin({ command: 'workspace.update', workspace_id: there.workspace_id, status: 'suspended' });
  expect((await opens(id, good)).body.error.code).toBe('forbidden_workspace');
});

test('a token needs runs:read and a run of the caller', async () => {
  const { key } = await given.key(home.workspace_id, ['runs:create']);
  const forbidden = await call('POST', `/runs/${run}/events/token`, { key });
  expect(forbidden.body.error).toMatchObject({
    code: 'forbidden_feature',
    details: { required_scope: 'runs:read' },
  });
  const stranger = await given.workspace();
  const foreign = await call('POST', `/runs/${run}/events/token`, { key: stranger.key });
  expect(foreign.body.error.code).toBe('run_not_found');
});

test('an event token sent twice is refused', async () => {
  const good = await token(home, run);
  const reply = await call('GET', `/runs/${run}/events/stream?event_token=${good}&event_token=${good}`);
  expect(reply.body.error).toMatchObject({ code: 'schema_validation_failed', param: 'event_token' });
});
