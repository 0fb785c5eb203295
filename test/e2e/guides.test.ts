// The snippets of the integrators' guides, against real deliveries and a real bridge. Python and Go: `npm run prove --
// judge:snippets`.
import { createHash, createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { BridgeFile } from '../../functions/contract/sync.ts';
import * as given from '../support/given.ts';
import { ownService } from '../support/own-service.ts';
import { isPosix } from '../support/platform.ts';
import { admin, call, sharedService, until } from '../support/service.ts';
import { codeBlocks, runModule, sh } from '../support/snippets.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';
import { customer, status } from './webhook-receiver.ts';

const guides = 'functions/contract/document/guides';

test('the JavaScript verifier accepts a delivery, and nothing that differs from it', async () => {
  const [, code = ''] = codeBlocks(`${guides}/webhooks.md`, 'js');
  const { verify } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  const [home, server] = await Promise.all([given.workspace(), customer(status(200))]);
  const steps = [{ kind: 'inject_context', params: { text: 'x' } }];
  await when.createsPlanRun(home, steps, { callback_url: server.url });
  const { body, headers } = await until('the delivery', async () => server.received[0]);
  const signature = headers['x-service-signature'] ?? '';
  expect(verify(body, signature, home.key)).toBe(true);
  expect(verify(Buffer.concat([body, Buffer.from(' ')]), signature, home.key)).toBe(false);
  expect(verify(body, signature, `${home.key}x`)).toBe(false);
  expect(verify(body, signature, home.key, Date.now() / 1000 + 302)).toBe(false);
  expect(verify(body, undefined, home.key)).toBe(false);
  for (const now of [Number.NaN, Number.POSITIVE_INFINITY, new Date('?'), 'soon', {}, null])
    expect(verify(body, signature, home.key, now)).toBe(false);
  for (const unset of [undefined, null, '', ' ', '\n', 0, []]) {
    const seconds = Math.floor(Date.now() / 1000);
    const secret = createHash('sha256')
      .update(String(unset ?? ''))
      .digest('hex');
    const mac = createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex');
    expect(verify(body, `t=${seconds},v1=${mac}`, unset)).toBe(false);
  }
});

test('the client of the guide follows its run to the end and reads its table', async () => {
  const [code = ''] = codeBlocks(`${guides}/clients.md`, 'js');
  const home = await given.workspace();
  await given.companies(home.workspace_id);
  const env = { RUNS_API_KEY: home.key, RUNS_BASE_URL: sharedService().base_url };
  const output = await runModule(code, env);
  expect(output).toMatch(/^run\.created\n[\s\S]*run\.succeeded\nsucceeded /);
  const refused = code.replace(/const query = .*/, "const query = '';");
  await expect(runModule(refused, env)).resolves.toBe('');
});

test('the client of the guide accepts a delivery, and nothing else', async () => {
  const [code = ''] = codeBlocks(`${guides}/webhooks.md`, 'js');
  const [home, server] = await Promise.all([given.workspace(), customer(status(200))]);
  const steps = [{ kind: 'inject_context', params: { text: 'x' } }];
  await when.createsPlanRun(home, steps, { callback_url: server.url });
  const { body, headers } = await until('the delivery', async () => server.received[0]);
  const asked = (sent: string) => `
    const headers = new Headers(${JSON.stringify(headers)});
    const request = new Request('http://127.0.0.1/', { method: 'POST', headers, body: ${JSON.stringify(sent)} });
    console.log(await receive(request).then(({ event_type }) => event_type, ({ reason }) => reason));`;
  const env = { RUNS_API_KEY: home.key };
  expect(await runModule(code + asked(body.toString()), env)).toBe('run.succeeded\n');
  expect(await runModule(code + asked(`${body} `), env)).toBe('mismatch\n');
  const named =
    code.replace(/RUNS_API_KEY/g, 'NOT_SET') +
    asked(body.toString()).replace('({ reason }) => reason', 'String');
  expect(await runModule(named)).toMatch(/^TypeError: A key or secret is not set/);
});

test('rehearsed trouble of the guide: a run fails, is resumed and succeeds', async () => {
  const [code = ''] = codeBlocks(`${guides}/testing.md`, 'js');
  const home = await given.workspace();
  await given.companies(home.workspace_id);
  const env = { RUNS_API_KEY: home.key, RUNS_BASE_URL: sharedService().base_url };
  expect(await runModule(code, env)).toBe('completed,completed\n');
});

test('the receiver of the guide is tested with signed fixtures', async () => {
  const [, code = ''] = codeBlocks(`${guides}/testing.md`, 'js');
  expect(await runModule(code)).toMatch(/^run\.failed [0-9a-f-]{36}\n$/);
});

test.runIf(isPosix)('the answer as data of the guide is what its commands give', async () => {
  const [first = '', second = ''] = codeBlocks(`${guides}/output.md`, 'sh');
  const [shown = '{}'] = codeBlocks(`${guides}/output.md`, 'json');
  const home = await given.workspace();
  await given.companies(home.workspace_id);
  const { base_url: BASE } = sharedService();
  const env = { BASE, KEY: home.key, RUNS_API_KEY: home.key, RUNS_BASE_URL: BASE };
  const [create = '', read = ''] = first.split(/(?<=}')\n/);
  const { id: RUN } = JSON.parse(await sh(create, env));
  const output = await until(
    'the output',
    async () => JSON.parse(await sh(read, { ...env, RUN })).output ?? undefined,
  );
  const ids = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g;
  expect(JSON.parse(JSON.stringify(output).replace(ids, '…'))).toEqual(JSON.parse(shown));
  const terminal = `runs() { "$NODE" clients/cli/runs.ts "$@"; }\n`;
  const [wait = '', get = ''] = second.trim().split('\n');
  expect(JSON.parse(await sh(terminal + wait, env)).output.data.count).toBe(2);
  expect(JSON.parse(await sh(terminal + get, { ...env, RUN }))).toEqual(JSON.parse(shown).data);
});

test.runIf(isPosix)(
  'the commands of the guide rotate and revoke a key, and redeliver what failed',
  async () => {
    const [rotate = '', redeliver = ''] = codeBlocks(`${guides}/keys.md`, 'sh');
    const [home, server] = await Promise.all([given.workspace(), customer(status(410), status(200))]);
    const env = { BASE: sharedService().base_url, MANAGER: home.key };
    // Each reply ends where the next one begins: the command prints no line breaks.
    const replies = `[${(await sh(rotate, env)).replaceAll('}{', '},{')}]`;
    const [rotated, keys, audit] = JSON.parse(replies);
    expect(rotated).toMatchObject({ name: 'Nightly report', api_key: expect.stringMatching(/^sk_/) });
    const [successor, old] = keys.data;
    expect(successor).toMatchObject({ successor_of: old.key_id, revoked_at: null });
    expect(old.revoked_at).toBeGreaterThan(0);
    const actions = audit.data.map(({ action }: { action: string }) => action);
    expect(actions).toEqual(['key.revoke', 'key.rotate', 'key.create']);
    const steps = [{ kind: 'inject_context', params: { text: 'x' } }];
    await when.createsPlanRun(home, steps, { callback_url: server.url });
    await until('the failure', async () => {
      const listed = await sh(redeliver.split('\n')[0] ?? '', env);
      return JSON.parse(listed).data.length === 1 || undefined;
    });
    expect(JSON.parse(await sh(redeliver.split('\n')[1] ?? '', env))).toEqual({
      redelivered: 1,
      has_more: false,
    });
    await until('the new attempt', async () => server.received[1]);
  },
);

test.runIf(isPosix)('the bridge file is taken, and the signed message of the guide is applied', async () => {
  const [file = ''] = codeBlocks(`${guides}/sync.md`, 'json');
  const [script = ''] = codeBlocks(`${guides}/sync.md`, 'sh');
  const { workspace_id } = await given.workspace({ features: ['WEBHOOK_INTEGRATION'] });
  const bridge = BridgeFile.parse(JSON.parse(file));
  const workspaces = bridge.workspaces.map((workspace) => ({ ...workspace, workspace_id }));
  const { bridge_id, secret } = await admin({ command: 'bridge.create', bridge: { ...bridge, workspaces } });
  const answer = await sh(script, {
    SITE: sharedService().site_url,
    BRIDGE_ID: bridge_id,
    BRIDGE_SECRET: secret,
  });
  expect(JSON.parse(answer)).toEqual({ success: true, processed_workspaces: 1 });
});

test.runIf(isPosix)('the commands of deadlines and deletion limit, resume and delete a run', async () => {
  const [create = '', resume = '', remove = ''] = codeBlocks(`${guides}/lifetimes.md`, 'sh');
  const home = await given.workspace();
  const env = { BASE: sharedService().base_url, KEY: home.key };
  const run = JSON.parse(await sh(create, env));
  expect(run.config).toEqual({ timeout_seconds: 600, start_within_seconds: 60, retain_seconds: 86_400 });
  expect((await then.ended(home, run.id)).status).toBe('succeeded');

  const late = [{ kind: 'analyze', instructions: '[[delay:1200]]' }, { kind: 'fetch' }];
  const { id } = (await when.createsPlanRun(home, late, { config: { timeout_seconds: 1 } })).body;
  expect((await then.ended(home, id)).errors).toMatchObject([{ code: 'run_timed_out' }]);
  expect(JSON.parse(await sh(resume, { ...env, ID: id })).config).toEqual({ timeout_seconds: 1200 });
  expect((await then.ended(home, id)).status).toBe('succeeded');

  for (const one of [run.id, id]) {
    expect(await sh(remove, { ...env, ID: one })).toBe('');
    expect((await call('GET', `/runs/${one}`, { key: home.key })).status).toBe(404);
  }
});

test.runIf(isPosix)('the commands of the guide to models that are away wait, and wait longer', async () => {
  const [create = '', resume = ''] = codeBlocks(`${guides}/away.md`, 'sh');
  const own = await ownService();
  const home = await own.home();
  const env = { BASE: own.runtime.base_url, KEY: home.key };
  const run = JSON.parse(await sh(create, env));
  expect(run.config).toEqual({ model_wait_seconds: 7200 });
  const { data } = await then.event(home, run.id, 'run.paused');
  expect(data).toMatchObject({ reason: 'model_unavailable', resume_at: expect.any(Number), step_index: 1 });
  expect((await then.ended(home, run.id)).status).toBe('succeeded');

  const patience = [{ kind: 'analyze', instructions: 'What stands out? [[transient:4]]' }];
  const config = { model_wait_seconds: 0 };
  const { id } = (await when.createsPlanRun(home, patience, { config })).body;
  expect((await then.ended(home, id)).errors).toMatchObject([{ code: 'model_unavailable' }]);
  expect(JSON.parse(await sh(resume, { ...env, ID: id })).config).toEqual({ model_wait_seconds: 86_400 });
  expect((await then.ended(home, id)).status).toBe('succeeded');
  await own.stop();
});

test.runIf(isPosix)('the commands of the guide take a table, a link and a trace elsewhere', async () => {
  const home = await given.workspace();
  await given.companies(home.workspace_id);
  const { body } = await when.createsPlanRun(home, [when.fetchCompanies, when.answer]);
  const { artifacts } = await then.ended(home, body.id);
  const env = { BASE: sharedService().base_url, KEY: home.key, ARTIFACT: artifacts[0].id, RUN: body.id };
  const [exports = '', link = '', trace = ''] = codeBlocks(`${guides}/exports.md`, 'sh');
  const [csv = '', jsonl = '', markdown = ''] = exports.trim().split('\n');
  expect(await sh(csv, env)).toMatch(/^name,city,industry,revenue_musd,_record\r\n/);
  expect(JSON.parse((await sh(jsonl, env)).split('\n')[0] ?? '')).toHaveProperty('_record');
  expect(await sh(markdown, env)).toMatch(/^\| name \|/);
  const { url } = JSON.parse(await sh(link, env));
  expect((await fetch(url)).headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(JSON.parse(await sh(trace, env)).resourceSpans).toHaveLength(1);
});

test.runIf(isPosix)('the commands of the guide to records import, change and delete one', async () => {
  const [script = ''] = codeBlocks(`${guides}/records.md`, 'sh');
  const shown = [...script.matchAll(/^# (.*)$/gm)].map(([, json = '']) => JSON.parse(json));
  const home = await given.workspace();
  const output = await sh(
    script.replace(/^curl.*\n.*(?=\n|$)/gm, (command) => `${command}\necho`),
    {
      BASE: sharedService().base_url,
      KEY: home.key,
    },
  );
  const [imported, changed, deleted] = output
    .trim()
    .split(/\n+/)
    .map((line) => JSON.parse(line));
  expect([imported, deleted]).toEqual(shown);
  expect(changed.fields).toEqual({ total: 99.5, paid: true });
});
