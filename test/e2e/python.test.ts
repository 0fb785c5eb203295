// The Python client over HTTP on the running service: its own tests, its samples, with the standard library alone.
import { expect, test } from 'vitest';
import { cutPythonWatches } from '../proofs/cuts/python-watches.ts';
import * as given from '../support/given.ts';
import { hasPython, python } from '../support/python.ts';
import { admin, sharedService, until } from '../support/service.ts';
import { codeBlocks } from '../support/snippets.ts';
import * as when from '../support/when.ts';
import { customer, status } from './webhook-receiver.ts';

const README = 'clients/python/README.md';
const GUIDES = 'functions/contract/document/guides';

test.runIf(hasPython)(
  "the Python client's tests pass, over the running service too",
  async () => {
    const output = await python(
      ['-W', 'error', '-m', 'unittest', 'discover', '-s', 'tests'],
      await environment(),
    );
    expect(output).toMatch(/\nOK\n$/);
  },
  180_000,
);

test.runIf(hasPython)(
  'watches in Python whose streams are cut give each log whole',
  async () => {
    const { base_url, site_url } = sharedService();
    const service = { base_url, site_url, data_dir: '', admin };
    const { breaches, ...figures } = await cutPythonWatches(service, { runs: 8, seed: 20_261_121 });
    expect(breaches, JSON.stringify(figures)).toEqual([]);
    expect(figures.cuts_made).toBeGreaterThan(8);
  },
  180_000,
);

/** A workspace with companies, as the environment of a program. */
async function environment(): Promise<Record<string, string>> {
  const home = await given.workspace();
  await given.companies(home.workspace_id);
  return { RUNS_API_KEY: home.key, RUNS_BASE_URL: sharedService().base_url };
}

test.runIf(hasPython)('the samples of the README and of the guide run as written', async () => {
  const [first = '', onLoop = '', errors = ''] = codeBlocks(README, 'python');
  const [guide = ''] = codeBlocks(`${GUIDES}/clients.md`, 'python');
  const env = await environment();
  const run = (code: string) => python(['-W', 'error', '-c', code], env);
  expect(await run(first)).toMatch(
    /^run\.created\n[\s\S]*run\.succeeded\n[\s\S]*Found: 1 company[\s\S]*{'name': '\[Acme\]/,
  );
  expect(await run(onLoop)).toMatch(/Count: 1\.\n[\s\S]*Borealis/);
  expect(await run(errors)).toMatch(/^schema_validation_failed 422 query http/);
  expect(await run(guide)).toMatch(/^run\.created\n[\s\S]*run\.succeeded\nsucceeded /);
});

test.runIf(hasPython)('the worker of the README runs as written', async () => {
  const code = codeBlocks(README, 'python').at(-1) ?? '';
  const env = { SOURCE_SECRET: 'src_secret' };
  expect(await python(['-W', 'error', '-c', code], env)).toBe('401 The signature is malformed.\n');
});

test.runIf(hasPython)('the receiver of the guide on tests runs as written', async () => {
  const [code = ''] = codeBlocks(`${GUIDES}/testing.md`, 'python');
  expect(await python(['-W', 'error', '-c', code])).toBe('mismatch\n');
});

test.runIf(hasPython)(
  'a real delivery verifies with the samples, and nothing that differs from it',
  async () => {
    const [, , , readme = ''] = codeBlocks(README, 'python');
    const [guide = ''] = codeBlocks(`${GUIDES}/webhooks.md`, 'python');
    const [home, server] = await Promise.all([given.workspace(), customer(status(200))]);
    const steps = [{ kind: 'inject_context', params: { text: 'x' } }];
    await when.createsPlanRun(home, steps, { callback_url: server.url });
    const { body, headers } = await until('the delivery', async () => server.received[0]);
    const asked = `
import json, sys
body, headers = json.loads(sys.argv[1])
for sent in (body, body + " "):
    print(receive(sent.encode(), headers))
`;
    const delivery = JSON.stringify([body.toString(), headers]);
    for (const sample of [readme, guide]) {
      const output = await python(['-c', sample + asked, delivery], { RUNS_API_KEY: home.key });
      expect(output).toMatch(/^run\.succeeded [0-9a-f-]{36}\n204\nrefused: mismatch\n401\n$/);
    }
  },
);
