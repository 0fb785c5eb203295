// rules.md: links. A link to an artifact: what it opens, when it is dead, and that it is no other right.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { admin, call, sharedService } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

let home: given.Home;
let id: string;
let other: string;
beforeAll(async () => {
  home = await given.workspace();
  await given.companies(home.workspace_id);
  const { body } = await when.createsPlanRun(home, [when.fetchCompanies, when.answer]);
  const { artifacts } = await then.ended(home, body.id);
  id = artifacts.find(({ kind }: { kind: string }) => kind === 'table').id;
  other = artifacts.find(({ kind }: { kind: string }) => kind === 'text').id;
});

const make = (body?: object, key = home.key) => call('POST', `/artifacts/${id}/links`, { key, body });
const pathOf = (url: string) => url.slice(url.indexOf('/artifacts/'));
const open = (url: string) => call('GET', pathOf(url), { headers: { 'x-request-id': 'the-same' } });

describe('a link', () => {
  test('opens its artifact without a key, in its format, and leaves no trace in a browser', async () => {
    const before = Date.now();
    const { status, body } = await make({ expires_in_seconds: 60, format: 'csv' });
    expect([status, body.url.startsWith(`${sharedService().site_url}/`)]).toEqual([201, true]);
    expect(body.expires_at).toBeGreaterThanOrEqual(before + 60_000);
    const opened = await fetch(body.url);
    const keyed = await call('GET', `/artifacts/${id}?format=csv`, { key: home.key });
    expect([opened.status, await opened.text()]).toEqual([200, keyed.body]);
    expect(opened.headers.get('cache-control')).toBe('no-store');
    expect(opened.headers.get('referrer-policy')).toBe('no-referrer');
  });

  test('without a body lasts an hour and opens as JSON, whatever its reader accepts (rules.md: links 4)', async () => {
    const before = Date.now();
    const { body } = await make();
    expect(body.expires_at - before).toBeGreaterThanOrEqual(3_600_000);
    expect(body.expires_at - Date.now()).toBeLessThanOrEqual(3_600_000);
    expect((await open(body.url)).body).toEqual(
      (await call('GET', `/artifacts/${id}`, { key: home.key })).body,
    );
    const wishing = await call('GET', pathOf(body.url), { headers: { accept: 'text/csv' } });
    expect(wishing.headers.get('content-type')).toBe('application/json');
  });

  test('opens in its own format, whatever its reader accepts (rules.md: links 4)', async () => {
    const { url } = (await make({ format: 'md' })).body;
    expect([...new URL(url).searchParams.keys()]).toEqual(['link']);
    const { headers } = await call('GET', pathOf(url), { headers: { accept: 'text/csv' } });
    expect(headers.get('content-type')).toBe('text/markdown; charset=utf-8');
  });

  test('gives no other right', async () => {
    const { url } = (await make()).body;
    const link = new URL(url).searchParams.get('link');
    const others: [string, string, number][] = [
      ['GET', `/artifacts/${other}?link=${link}`, 404],
      ['POST', `/artifacts/${id}/links?link=${link}`, 401],
      ['GET', `/runs?link=${link}`, 401],
      ['GET', `/runs/${id}/events/stream?event_token=${link}`, 401],
    ];
    for (const [method, path, status] of others)
      expect([path, (await call(method, path)).status]).toEqual([path, status]);
  });

  test('stands in no log', async () => {
    const { url } = (await make()).body;
    await open(url);
    const link = new URL(url).searchParams.get('link') ?? '';
    const { log_dir } = sharedService();
    const logs = readdirSync(log_dir).map((name) => readFileSync(join(log_dir, name), 'utf8'));
    for (const log of logs) expect(log.includes(link)).toBe(false);
  });
});

describe('a dead link is the same 404 whatever killed it:', () => {
  let unknown: string;
  beforeEach(async () => {
    const { url } = (await make()).body;
    unknown = await bytesOf(url.replace(/.$/, (last: string) => (last === 'A' ? 'B' : 'A')));
  });
  const bytesOf = async (url: string) => {
    const { status, headers, body } = await open(url);
    const names = ['cache-control', 'referrer-policy', 'content-type', 'vary'];
    return JSON.stringify([status, names.map((name) => headers.get(name)), body]);
  };

  test('forged', () => {
    expect(JSON.parse(unknown)).toMatchObject([404, {}, { error: { code: 'artifact_not_found' } }]);
  });

  test.each(['', 'x', '%00', 'A'.repeat(43), '🗝'])('made up: %j', async (link) => {
    expect(await bytesOf(`/artifacts/${id}?link=${link}`)).toBe(unknown);
  });

  test('sent twice', async () => {
    const { url } = (await make()).body;
    expect(await bytesOf(`${url}&link=x`)).toBe(unknown);
  });

  test.each([
    'format=csv',
    'format=json',
    'format=xlsx',
    'formulas=keep',
    'include=links',
    'fields=name',
    'offset=1',
    'limit=1',
    'event_token=x',
    'utm_source=mail',
    '=',
  ])('with %s beside it (rules.md: links 4)', async (other) => {
    for (const format of ['json', 'csv']) {
      const { url } = (await make({ format })).body;
      expect(await bytesOf(`${url}&${other}`)).toBe(unknown);
      expect(await bytesOf(url.replace('?', `?${other}&`))).toBe(unknown);
    }
  });

  test('of another artifact, even with a key of the workspace', async () => {
    const link = new URL((await make()).body.url).searchParams.get('link');
    expect(await bytesOf(`/artifacts/${other}?link=${link}`)).toBe(unknown);
    const keyed = await call('GET', `/artifacts/${other}?link=${link}`, { key: home.key });
    expect(keyed.status).toBe(404);
  });

  test('of a revoked key', async () => {
    const { key, key_id } = await given.key(home.workspace_id, ['artifacts:read']);
    const { url } = (await make({}, key)).body;
    expect((await open(url)).status).toBe(200);
    await admin({ command: 'key.revoke', key_id });
    expect(await bytesOf(url)).toBe(unknown);
  });

  test('of a suspended workspace', async () => {
    const { url } = (await make()).body;
    await admin({ command: 'workspace.update', workspace_id: home.workspace_id, status: 'suspended' });
    expect(await bytesOf(url)).toBe(unknown);
    await admin({ command: 'workspace.update', workspace_id: home.workspace_id, status: 'active' });
    expect((await open(url)).status).toBe(200);
  });
});

describe('no link is made', () => {
  test.each<[string, unknown, string]>([
    ['for too short', { expires_in_seconds: 59 }, 'expires_in_seconds'],
    ['for too long', { expires_in_seconds: 604_801 }, 'expires_in_seconds'],
    ['for half a second', { expires_in_seconds: 60.5 }, 'expires_in_seconds'],
    ['in an unknown format', { format: 'xlsx' }, 'format'],
    ['with an unknown field', { key: 'x' }, 'key'],
  ])('%s', async (_, body, param) => {
    const reply = await call('POST', `/artifacts/${id}/links`, { key: home.key, body });
    expect([reply.status, reply.body.error.code, reply.body.error.param]).toEqual([
      422,
      'schema_validation_failed',
      param,
    ]);
  });

  test('in a format that the kind does not have', async () => {
    const { status, body } = await call('POST', `/artifacts/${other}/links`, {
      key: home.key,
      body: { format: 'csv' },
    });
    expect([status, body.error.param]).toEqual([422, 'format']);
  });

  test('of an artifact of another workspace, nor without the scope', async () => {
    const [foreign, poor] = await Promise.all([
      given.workspace(),
      given.key(home.workspace_id, ['runs:read']),
    ]);
    expect((await make({}, foreign.key)).body.error.code).toBe('artifact_not_found');
    expect((await make({}, poor.key)).body.error).toMatchObject({
      code: 'forbidden_feature',
      details: { required_scope: 'artifacts:read' },
    });
  });
});
