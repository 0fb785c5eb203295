// `runs key`, `runs audit` and the deliveries of a workspace.
import { expect, test } from 'vitest';
import { customer, status } from '../e2e/webhook-receiver.ts';
import * as given from '../support/given.ts';
import { until } from '../support/service.ts';
import * as when from '../support/when.ts';
import { runs } from './terminal.ts';

test('a key is created, rotated and revoked; its text is alone on stdout', async () => {
  const home = await given.workspace();
  const scopes = ['--scope', 'runs:read', '--scope', 'runs:create'];
  const made = await runs(['key', 'create', '--name', 'Nightly', ...scopes, '--expires-in', '30d'], { home });
  expect(made).toMatchObject({ code: 0, out: expect.stringMatching(/^sk_\w+\n$/) });
  const id = /key_\w+/.exec(made.err)?.[0] ?? '';
  const rotated = await runs(['key', 'rotate', id, '--grace-seconds', '60', '--json'], { home });
  expect(JSON.parse(rotated.out)).toMatchObject({ name: 'Nightly', successor_of: id });
  expect(await runs(['key', 'revoke', id], { home })).toMatchObject({
    code: 0,
    out: '',
    err: `${id} revoked\n`,
  });
  const { out } = await runs(['key', 'list'], { home });
  expect(out).toMatch(new RegExp(`${id} +Nightly +revoked +never`));
  expect(out).not.toContain(made.out.trim());
  const audit = (await runs(['audit', '--limit', '3'], { home })).out;
  expect(audit.match(/key\.\w+/g)).toEqual(['key.revoke', 'key.rotate', 'key.create']);
  expect(await runs(['key', 'create', '--name', 'x', '--scope', 'all'], { home })).toMatchObject({
    code: 6,
    err: expect.stringContaining('scopes.0'),
  });
});

test('without a run, deliveries are those of the workspace; the failed ones are sent again', async () => {
  const [home, server] = await Promise.all([given.workspace(), customer(status(410), status(200))]);
  const steps = [{ kind: 'inject_context', params: { text: 'x' } }];
  const { id } = (await when.createsPlanRun(home, steps, { callback_url: server.url })).body;
  const failed = () => runs(['webhooks', 'list', '--status', 'failed'], { home });
  await until('the failure', async () => ((await failed()).out.includes(id) ? true : undefined));
  expect(await runs(['webhooks', 'redeliver-failed'], { home })).toMatchObject({
    code: 0,
    out: '1 redelivered\n',
  });
  await until('the new attempt', async () => server.received[1]);
});
