// The recorded answers of models, judged again: a changed prompt or judgment shows what it changes. Record again with
// `npm run eval -- --quick --record test/proofs/eval/recorded`, and `--models FILE` for another model than offline.
import { statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { parseModelsFile } from '#contract/model-endpoints.ts';
import { evaluate } from '#domain/evaluation/evaluate.ts';
import { quickTrials } from '#domain/evaluation/quick.ts';
import type { Trial } from '#domain/evaluation/trial.ts';
import { modelIn, modelOf } from '../proofs/eval/model-on-trial.ts';
import { createRecording, type RecordedTrial, readRecording } from '../proofs/eval/recording.ts';
import { filesBy } from '../support/files.ts';
import { completion } from '../support/openai-server.ts';

const BYTES_MAX = 300_000;
const files = filesBy('test/proofs/eval/recorded/*.jsonl');
const [offline = ''] = files.filter((file) => basename(file) === 'offline.jsonl');
const providers = files.filter((file) => file !== offline);

let server: Server | undefined;
afterEach(() => void server?.close());

test('the offline model is asked as recorded, and answers so', async () => {
  const recording = createRecording();
  const options = { ...modelIn(undefined), onExchange: recording.onExchange };
  const tried = await evaluate(quickTrials(), options);
  const recorded = readRecording(offline);
  const found = recording.of(tried);
  for (const [i, trial] of found.entries()) expect(trial).toEqual(recorded[i]);
  expect(found.length).toBe(recorded.length);
});

/** A provider that gives these answers, one after the other, and then refuses. */
async function answering(calls: RecordedTrial['calls']): Promise<string> {
  const left = calls.values();
  server = createServer((request, response) => {
    request.resume().on('end', () => {
      // It is asked for its models, too.
      const { value: call } = request.method === 'POST' ? left.next() : {};
      response.writeHead(call?.answer ? 200 : 400, { 'content-type': 'application/json' });
      const finish_reason = call?.outcome === 'cut_off' ? 'length' : 'stop';
      response.end(
        call?.answer
          ? completion(call.answer, { finish_reason })
          : '{"error":{"message":"no answer is recorded"}}',
      );
    });
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}/v1`;
}

async function replayed(trial: Trial, calls: RecordedTrial['calls']) {
  const base_url = await answering(calls);
  const price = { input: 0, cached_input: 0, output: 0 };
  const chat = {
    name: 'recorded',
    provider: 'openai',
    model: 'recorded',
    base_url,
    structured: 'json_schema',
    price,
  };
  const [tried] = await evaluate([trial], modelOf(parseModelsFile({ chat: [chat] })));
  server?.close();
  server?.closeAllConnections();
  const { right, honest, wrong } = tried?.tally ?? {};
  return tried?.tally ? { right, honest, wrong } : null;
}

test.each(providers)('the answers in %s are judged as recorded', async (file) => {
  const trials = new Map(quickTrials().map((trial) => [trial.name, trial]));
  const recorded = readRecording(file);
  const outcomes: [string, unknown][] = [];
  for (const { trial: name, calls } of recorded) {
    const trial = trials.get(name);
    outcomes.push([name, trial && (await replayed(trial, calls))]);
  }
  expect(outcomes).toEqual(recorded.map(({ trial, tally }) => [trial, tally]));
});

test('the recordings stay small', () => {
  expect(files.reduce((sum, file) => sum + statSync(file).size, 0)).toBeLessThan(BYTES_MAX);
});
