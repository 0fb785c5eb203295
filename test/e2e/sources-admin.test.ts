// rules.md: sources 1, sources 7. How sources are set up, changed and deleted, and how questions name them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { type LiveSource, liveSource, setUp, status } from '../support/live-source.ts';
import { fetchedBy } from '../support/outcomes.ts';
import { admin, call, sharedService } from '../support/service.ts';
import * as then from '../support/then.ts';
import { createsPlanRun, createsQueryRun } from '../support/when.ts';

const TOKEN = 'token-that-nobody-sees';
let home: given.Home;
let crm: LiveSource;
beforeAll(async () => {
  home = await given.workspace();
  crm = await liveSource(({ headers }) =>
    headers.authorization === `Bearer ${TOKEN}`
      ? {
          items: [
            { id: 1, name: 'Acme renewal', fields: { amount: 30 } },
            { id: 2, name: 'Pilot', fields: { amount: 5 } },
          ],
        }
      : status(401),
  );
});
afterAll(() => crm.close());

const file = (change: object = {}) => ({ name: 'crm', kind: 'http' as const, url: crm.url, ...change });
const update = (source: ReturnType<typeof file>) =>
  admin({ command: 'source.update', workspace_id: home.workspace_id, name: 'crm', source });

test('a source is created, replaced, listed and deleted; its secret is shown once, its headers never', async () => {
  const { workspace_id } = home;
  const secret = await setUp(home, file());
  expect(secret).toMatch(/^src_[0-9a-f]{48}$/);
  await expect(setUp(home, file())).rejects.toThrow('source_exists');
  const { id } = (await createsPlanRun(home, [{ kind: 'fetch', params: { source: 'crm' } }])).body;
  const failed = await then.ended(home, id);
  expect(failed.errors[0].details).toEqual({
    source: 'crm',
    reason: 'status',
    message: 'it answered with the status 401',
    status_code: 401,
    step_index: 0,
  });
  await expect(update({ ...file(), name: 'other' })).rejects.toThrow('source.name');
  const fields = [{ name: 'amount', kind: 'number' as const }];
  const updated = await update({ ...file({ headers: { Authorization: `Bearer ${TOKEN}` }, fields }) });
  expect(updated).toMatchObject({ name: 'crm', fields, timeout_ms: 10_000 });
  // A run that failed for the source goes on when the source answers again.
  expect((await call('POST', `/runs/${id}/resume`, { key: home.key })).status).toBe(202);
  expect(await then.ended(home, id)).toMatchObject({ status: 'succeeded' });
  const listed = await admin({ command: 'source.list', workspace_id });
  expect(listed.sources).toMatchObject([{ name: 'crm', kind: 'http', url: crm.url, fields }]);
  // What changes nothing leaves no entry.
  await update({ ...file({ headers: { Authorization: `Bearer ${TOKEN}` }, fields }) });
  const entries = (await call('GET', '/audit', { key: home.key })).body.data;
  const ofSources = entries.filter(({ action }: { action: string }) => action.startsWith('source.'));
  expect(ofSources).toMatchObject(
    ['source.update', 'source.create'].map((action) => ({ actor: 'admin', action, target: 'crm' })),
  );
  for (const shown of [updated, listed, await admin({ command: 'workspace.show', workspace_id })])
    expect(JSON.stringify(shown)).not.toMatch(/sealed|secret|token-that|Authorization/);
});

test('a question that names a source reads it', async () => {
  const run = await then.ended(
    home,
    (await createsQueryRun(home, 'Deals from crm with an amount over 10')).body.id,
  );
  expect(run).toMatchObject({ status: 'succeeded', warnings: [] });
  expect(crm.asked.at(-1)?.body).toMatchObject({ where: { field: 'amount', op: '>', value: 10 } });
  expect(run.message).toContain('Acme renewal');
  expect(run.message).not.toContain('Pilot');
});

test('an address that is not public is refused with its place, and so is one that is none', async () => {
  for (const [url, reason] of [
    ['https://10.0.0.1/', 'private_address'],
    ['https://169.254.169.254/latest', 'private_address'],
    ['https://metadata.google.internal/', 'private_address'],
    ['http://crm.example.com/', 'not_https'],
    ['https://user:pass@crm.example.com/', 'invalid_url'],
    ['nowhere', 'invalid_url'],
  ])
    await expect(setUp(home, file({ name: 'inner', url }))).rejects.toThrow(`source.url: ${reason}`);
});

test('a name is free again once its source is deleted', async () => {
  const { workspace_id } = home;
  const remove = () => admin({ command: 'source.delete', workspace_id, name: 'again' });
  await setUp(home, file({ name: 'again' }));
  await remove();
  await expect(remove()).rejects.toThrow('source_not_found');
  await setUp(home, file({ name: 'again' }));
});

test('the log has a line for each call of a source, and no header or secret of one', async () => {
  const { log_dir } = sharedService();
  const secret = await setUp(home, file({ name: 'logged', headers: { Authorization: `Bearer ${TOKEN}` } }));
  await fetchedBy(home, { source: 'logged' });
  const text = readdirSync(log_dir)
    .map((name) => readFileSync(join(log_dir, name), 'utf8'))
    .join('\n');
  const line = text.split('\n').find((one) => one.includes('"source":"logged"'));
  expect(JSON.parse(line ?? '{}')).toMatchObject({ page: 1, status: 200, duration_ms: expect.any(Number) });
  for (const hidden of [TOKEN, secret]) expect(text).not.toContain(hidden);
});
