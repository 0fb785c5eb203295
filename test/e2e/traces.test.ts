// One trace leads from a request through the steps of its run to the webhook, in every line of the log.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { call, sharedService, until } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';
import { customer, status } from './webhook-receiver.ts';

interface Line {
  message: string;
  run_id?: string;
  trace_id?: string;
  request_id?: string;
}

/** The lines of a function about a run. Its log begins with its first line. */
function linesOf(name: string, runId: string): Line[] {
  const log = join(sharedService().log_dir, `${name}.log`);
  const lines = existsSync(log) ? readFileSync(log, 'utf8').split('\n') : [];
  return lines
    .filter((line) => line.startsWith('{') && line.includes(runId))
    .map((line) => JSON.parse(line))
    .filter(({ run_id }) => run_id === runId);
}

test('the lines of the request, of the steps and of the delivery of one run share a trace and the request id', async () => {
  const [home, server] = await Promise.all([given.workspace(), customer(status(200))]);
  const request_id = `request-${crypto.randomUUID()}`;
  const { body: run } = await when.createsPlanRun(
    home,
    [{ kind: 'analyze', instructions: 'sum up' }],
    { callback_url: server.url },
    { 'X-Request-Id': request_id },
  );
  await then.ended(home, run.id);
  // A function may write its last line after what it did can be seen.
  const written = (name: string, message: string) =>
    until(`${name}: ${message}`, async () => {
      const lines = linesOf(name, run.id);
      return lines.some((line) => line.message === message) ? lines : undefined;
    });
  const created = await written('Start', 'execution started');
  const steps = await written('ExecuteSteps', 'task done');
  const delivery = await written('DeliverWebhook', 'webhook attempt');
  const trace_id = created[0]?.trace_id;
  expect(trace_id).toMatch(/^1-[0-9a-f]{8}-[0-9a-f]{24}$/);
  const all = [...created, ...steps, ...delivery];
  expect(all).toEqual(all.map((line) => ({ ...line, trace_id, request_id })));
});

test('another request is another trace', async () => {
  const home = await given.workspace();
  const traces = [];
  for (let i = 0; i < 2; i += 1) {
    const { body } = await when.createsPlanRun(home, [{ kind: 'fetch' }]);
    await then.ended(home, body.id);
    await call('GET', `/runs/${body.id}`, { key: home.key });
    traces.push((await until('the line of the create', async () => linesOf('Start', body.id)[0])).trace_id);
  }
  expect(new Set(traces).size).toBe(2);
});
