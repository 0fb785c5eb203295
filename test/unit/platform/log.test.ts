// Log lines: JSON, with the fields of the current work only.
import { readFileSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { queueHandler } from '../../../functions/edge/queue-handler.ts';
import { log, logAbout, logAlso } from '../../../functions/platform/log.ts';

const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
const failures = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
afterEach(() => {
  written.mockClear();
  failures.mockClear();
});
const logged = () => written.mock.calls.map(([line]) => JSON.parse(String(line)));

test('concurrent work logs each under its own fields', async () => {
  const [a, b] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const work = (run_id: string, step: number, gate: Promise<void>) =>
    logAbout({ run_id }, async () => {
      await gate;
      logAbout({ step }, () => log.info('waited', { ms: step }));
    });
  const both = [work('a', 2, a.promise), work('b', 1, b.promise)];
  b.resolve();
  await both[1];
  a.resolve();
  await both[0];
  log.info('after', {});
  expect(logged()).toMatchObject([
    { message: 'waited', run_id: 'b', step: 1, ms: 1, level: 'INFO' },
    { message: 'waited', run_id: 'a', step: 2, ms: 2 },
    { message: 'after' },
  ]);
  expect(logged()[2]).not.toHaveProperty('run_id');
});

test('a line has the trace id that Lambda gives', () => {
  vi.stubEnv(
    '_X_AMZN_TRACE_ID',
    'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=557abcec3ee5a047;Sampled=1',
  );
  log.info('traced', {});
  vi.unstubAllEnvs();
  expect(logged()).toMatchObject([{ xray_trace_id: '1-5759e988-bd862e3fe1be46a994272793' }]);
});

test('what a message causes is logged with the trace that it names, else with that of its sender', async () => {
  const handler = queueHandler(async () => {
    log.info('handled', {});
    return true;
  });
  const event = JSON.parse(readFileSync('events/sqs/deliver-webhook.json', 'utf8'));
  event.Records[0].attributes.AWSTraceHeader = 'Root=1-a-b;Sampled=1';
  await handler(event);
  event.Records[0].body = JSON.stringify({ run_id: 'r', request_id: 'q', trace_id: '1-c-d' });
  await handler(event);
  expect(logged()).toMatchObject([
    { message: 'handled', trace_id: '1-a-b' },
    { message: 'handled', trace_id: '1-c-d', request_id: 'q', run_id: 'r' },
  ]);
});

test('a message that cannot be handled is logged with what it is about, one that cannot be read without', async () => {
  const handler = queueHandler(async () => {
    throw new Error('broken');
  });
  const event = JSON.parse(readFileSync('events/sqs/deliver-webhook.json', 'utf8'));
  event.Records[0].body = JSON.stringify({ run_id: 'r', trace_id: '1-c-d' });
  await handler(event);
  event.Records[0].body = 'no JSON';
  await handler(event);
  expect(failures.mock.calls.map(([line]) => JSON.parse(String(line)))).toMatchObject([
    { message: 'message not handled', trace_id: '1-c-d', run_id: 'r' },
    { message: 'message not handled' },
  ]);
});

test('work that learns its workspace logs it from then on', () => {
  logAbout({ run_id: 'a' }, () => {
    log.info('before', {});
    logAlso({ trace_id: '1-a-b' });
    log.info('after', {});
  });
  expect(logged().map(({ run_id, trace_id }) => [run_id, trace_id])).toEqual([
    ['a', undefined],
    ['a', '1-a-b'],
  ]);
});
