// rules.md: local 16. What this machine's service counts of itself.
import { expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { sharedService, until } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';
import { customer, status } from './webhook-receiver.ts';

const page = (headers: Record<string, string> = {}) =>
  fetch(`${sharedService().site_url}/metrics`, { headers });

/** The values of the page by name and labels. */
async function values(): Promise<Map<string, number>> {
  const lines = (await (await page()).text())
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]));
}

const counted = [
  'run_service_runs{status="succeeded"}',
  'run_service_run_seconds_count',
  'run_service_step_seconds_count{kind="analyze"}',
  'run_service_model_call_seconds_count',
  'run_service_model_calls_total{outcome="answered"}',
  'run_service_model_calls_total{outcome="refused"}',
  'run_service_model_calls_total{outcome="away"}',
  'run_service_cost_usd_total',
  'run_service_deliveries_total{outcome="delivered"}',
];

test('a run with a model call and a webhook is counted, in the text format of Prometheus', async () => {
  const reply = await page();
  expect([reply.status, reply.headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ]);
  const before = await values();
  const home = await given.workspace();
  const { url } = await customer(status(200));
  const steps = [{ kind: 'analyze', instructions: 'What stands out?' }];
  const { body } = await when.createsPlanRun(home, steps, { callback_url: url });
  await then.ended(home, body.id);
  for (const trouble of ['[[refused]]', '[[fail]]']) {
    const failing = [{ kind: 'analyze', instructions: `What stands out? ${trouble}` }];
    await then.ended(home, (await when.createsPlanRun(home, failing)).body.id);
  }
  await until('the counts', async () => {
    const now = await values();
    return counted.every((name) => (now.get(name) ?? 0) > (before.get(name) ?? 0)) || undefined;
  });
  const text = await (await page()).text();
  for (const name of [
    'runs gauge',
    'run_seconds histogram',
    'step_seconds histogram',
    'model_away gauge',
    'healed_total counter',
    'not_healed_total counter',
  ])
    expect(text).toContain(`# TYPE run_service_${name}`);
});

test('no one gets it through a proxy that says so', async () => {
  const names = ['Forwarded', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Forwarded-Proto', 'Via', 'X-Real-IP'];
  for (const name of [...names, 'CF-Connecting-IP']) {
    const headers = { [name]: '203.0.113.7' };
    const reply = await page(headers);
    expect([reply.status, await reply.text()]).toEqual([404, expect.stringContaining('"not_found"')]);
  }
});
