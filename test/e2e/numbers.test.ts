// rules.md: json 7, monitors 16. Numbers that are stored are kept exactly, or refused with their place; never 500.
import { beforeAll, describe, expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { berlin, monitorBody } from '../support/monitors.ts';
import { expectRefusal } from '../support/refusal.ts';
import { admin, call } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

let home: given.Home;
let ended: string;
beforeAll(async () => {
  home = await given.workspace();
  const { body } = await when.createsPlanRun(home, [{ kind: 'analyze', instructions: '[[fail]]' }]);
  ended = (await then.ended(home, body.id)).id;
});

/** Numbers that the table refuses, and one that no double is. */
const odd = ['1e-300', '5e-324', '9007199254740993', '1e126', '1e-131', '-1e-300', '1e400', '1E+126'];

/** A request whose body has this text in place of the number. */
const sends = (method: string, path: string, body: object, number: string) =>
  call(method, path, {
    key: home.key,
    body: JSON.stringify(body).replace('"NUMBER"', number),
    headers: { 'content-type': 'application/json' },
  });
const N = 'NUMBER';
const run = { input_type: 'plan', plan: when.plan({ kind: 'fetch' }) };
const where = { field: 'size', op: '=', value: N };
const onWhere = (one: object) => ({ on: { change: { types: ['thing'], where: one } } });

/** Every number of a request that is stored. */
const stored: [what: string, method: string, path: () => string, body: object, param: string][] = [
  ...['max_cost_usd', 'timeout_seconds', 'start_within_seconds', 'retain_seconds'].flatMap(
    (name): typeof stored => [
      [`create ${name}`, 'POST', () => '/runs', { ...run, config: { [name]: N } }, `config.${name}`],
      [
        `rerun ${name}`,
        'POST',
        () => `/runs/${ended}/rerun-from`,
        { step_index: 0, config: { [name]: N } },
        `config.${name}`,
      ],
      [
        `monitor's run ${name}`,
        'POST',
        () => '/monitors',
        monitorBody({ run: { ...berlin, config: { [name]: N } } }),
        `run.config.${name}`,
      ],
    ],
  ),
  ...['max_cost_usd', 'timeout_seconds', 'start_within_seconds'].map((name): (typeof stored)[number] => [
    `resume ${name}`,
    'POST',
    () => `/runs/${ended}/resume`,
    { config: { [name]: N } },
    `config.${name}`,
  ]),
  ['rerun step_index', 'POST', () => `/runs/${ended}/rerun-from`, { step_index: N }, 'step_index'],
  [
    'key daily_cost_limit_usd',
    'POST',
    () => '/keys',
    { name: 'K', scopes: ['runs:read'], daily_cost_limit_usd: N },
    'daily_cost_limit_usd',
  ],
  [
    'key expires_at',
    'POST',
    () => '/keys',
    { name: 'K', scopes: ['runs:read'], expires_at: N },
    'expires_at',
  ],
  [
    'monitor catch_up_seconds',
    'POST',
    () => '/monitors',
    monitorBody({ catch_up_seconds: N }),
    'catch_up_seconds',
  ],
  [
    'monitor settle_seconds',
    'POST',
    () => '/monitors',
    monitorBody({ on: { change: { types: ['thing'], settle_seconds: N } } }),
    'on.change.settle_seconds',
  ],
];

describe.each(stored)('%s', (_, method, path, body, param) => {
  test.each(odd)('%s is refused with its place', async (number) => {
    expectRefusal(await sends(method, path(), body, number), 422, 'schema_validation_failed', { param });
    const me = (await call('GET', '/me', { key: home.key })).body;
    expect(me.workspace.runs_in_flight).toBe(0);
  });
});

describe('a condition of a monitor', () => {
  const place = 'on.change.where.value';
  test.each(odd)('%s is kept as the same number, or refused with its place', async (number) => {
    const reply = await sends('POST', '/monitors', monitorBody(onWhere(where)), number);
    if (reply.status !== 201) return expectRefusal(reply, 422, 'schema_validation_failed', { param: place });
    const { id } = reply.body;
    const read = (await call('GET', `/monitors/${id}`, { key: home.key })).body;
    expect(read.on.change.where.value).toBe(Number(number));
    expect((await sends('PATCH', `/monitors/${id}`, onWhere(where), number)).status).toBe(200);
    await call('DELETE', `/monitors/${id}`, { key: home.key });
  });

  test('a number that no double is, is refused; one that is stays as it is', async () => {
    const refused = await sends('POST', '/monitors', monitorBody(onWhere(where)), '9007199254740993');
    expectRefusal(refused, 422, 'schema_validation_failed', { param: place });
    expect(refused.body.error.details.issues).toMatchObject([{ received: '9007199254740993' }]);
    for (const number of ['9007199254740992', '1e-300', '1E126', '0.10', '123456789012345680000'])
      expect((await sends('POST', '/monitors', monitorBody(onWhere(where)), number)).status).toBe(201);
  });
});

test('the least money is a 1e-12th of a dollar, for administrators too', async () => {
  const { workspace_id } = home;
  expect(
    (await sends('POST', '/runs?validate_only=1', { ...run, config: { max_cost_usd: N } }, '1e-12')).status,
  ).toBe(200);
  for (const command of [
    { command: 'workspace.update', workspace_id, daily_cost_cap_usd: 1e-300 },
    { command: 'key.create', workspace_id, scopes: 'all', daily_cost_limit_usd: 1e-131 },
  ] as const) {
    const refused = await admin(command).catch((error: unknown) => String(error));
    expect(refused).toMatch(/invalid_arguments/);
  }
  await admin({ command: 'workspace.update', workspace_id, daily_cost_cap_usd: 0 });
  expect(await admin({ command: 'workspace.show', workspace_id })).toMatchObject({ daily_cost_cap_usd: 0 });
  await admin({ command: 'workspace.update', workspace_id, daily_cost_cap_usd: 1000 });
});
