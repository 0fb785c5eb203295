// `npm run prove -- judge:browser`: the TypeScript client in a real browser, on a page of another origin than the
// service. Prints JSON.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { launchBrowser } from '../../browser/chromium.ts';
import { newHome, onOwnService } from '../proved-service.ts';

/** What the page does with the client: a run watched to its end, its table, a check, an error, a signature. */
const program = (apiKey: string, baseUrl: string) => `
import { RunService, isApiError, verify } from '/client.js';
const service = new RunService({ apiKey: ${JSON.stringify(apiKey)}, baseUrl: ${JSON.stringify(baseUrl)} });
const plan = { title: 'In a browser', steps: [
  { kind: 'fetch', title: 'Companies', params: { source: 'companies' } },
  { kind: 'reconstitute', title: 'Answer', params: { expected_artifacts: ['table'] } } ] };
async function work() {
  const { workspace } = await service.me();
  const { valid } = await service.runs.check({ input_type: 'plan', plan });
  const { id } = await service.runs.create({ input_type: 'plan', plan });
  const watched = async (transport) => {
    const events = [];
    for await (const event of service.runs.watch(id, { transport })) events.push(event.event_type);
    return events;
  };
  const streamed = await watched('stream');
  const polled = await watched('poll');
  const run = await service.runs.wait(id);
  const csv = await service.artifacts.csv(run.artifacts[0].id);
  const refusal = await service.runs.get('none').catch((error) => isApiError(error, 'run_not_found') && error.requestId !== '');
  const forged = await verify('{}', 't=1,v1=' + '0'.repeat(64), { apiKey: 'x' }).catch((error) => error.reason);
  return { tier: workspace.tier, valid, status: run.status, last: streamed.at(-1), same: String(streamed) === String(polled),
    rows: csv.trim().split(/\\r?\\n/).length - 1, refusal, forged };
}
document.title = JSON.stringify(await work().catch((error) => ({ error: String(error) })));
`;

const expected = {
  tier: 'enterprise',
  valid: true,
  status: 'succeeded',
  last: 'run.succeeded',
  same: true,
  rows: 2,
  refusal: true,
  forged: 'mismatch',
};

/** Serves the page, which is empty, and its two scripts. */
async function site(client: string, work: string): Promise<{ url: string; close(): void }> {
  const files: Record<string, [type: string, text: string]> = {
    '/': ['text/html', '<!doctype html><title></title><script type="module" src="/work.js"></script>'],
    '/client.js': ['text/javascript', client],
    '/work.js': ['text/javascript', work],
  };
  const server = createServer((request, response) => {
    const [type, text] = files[request.url ?? ''] ?? ['text/plain', ''];
    response.writeHead(text === '' ? 404 : 200, { 'content-type': type }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

async function bundled(): Promise<string> {
  const entry = fileURLToPath(new URL('../../../clients/sdk/index.ts', import.meta.url));
  const { outputFiles } = await build({ entryPoints: [entry], bundle: true, format: 'esm', write: false });
  return outputFiles[0]?.text ?? '';
}

const report = await onOwnService(async (service) => {
  const home = await newHome(service);
  const pages = await site(await bundled(), program(home.key, service.base_url));
  const server = await launchBrowser();
  const browser = await chromium.connect(server.wsEndpoint());
  const page = await browser.newPage();
  const hosts = new Set<string>();
  page.on('request', (request) => hosts.add(new URL(request.url()).hostname));
  await page.goto(pages.url);
  await page.waitForFunction("document.title !== ''");
  const found: unknown = JSON.parse(await page.title());
  const browserVersion = browser.version();
  await server.close();
  pages.close();
  return { browser: browserVersion, hosts: [...hosts], found };
});
const good = JSON.stringify(report.found) === JSON.stringify(expected) && report.hosts.join() === '127.0.0.1';
console.log(JSON.stringify({ ...report, breaches: good ? 0 : 1 }));
process.exitCode = good ? 0 : 1;
