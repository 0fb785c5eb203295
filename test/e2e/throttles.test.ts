// Throttles of methods, as a stage declares them: each method of each route has its own.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RunService } from '../../clients/sdk/index.ts';
import { type OpenService, openService } from '../support/open-service.ts';
import { call, sharedService } from '../support/service.ts';

const TEMPLATE = 'RunService.template.json';
const folder = mkdtempSync(join(tmpdir(), 'run-service-throttles-'));
let service: OpenService;
let key: string;

/** The shared assembly with other throttles. */
async function throttledAssembly(settings: object[]): Promise<string> {
  const { assembly } = sharedService();
  const outdir = join(folder, 'cdk.out');
  mkdirSync(outdir);
  for (const name of readdirSync(assembly))
    if (name !== TEMPLATE) symlinkSync(join(assembly, name), join(outdir, name));
  const template = JSON.parse(readFileSync(join(assembly, TEMPLATE), 'utf8'));
  for (const resource of Object.values<{ Type: string; Properties: object }>(template.Resources))
    if (resource.Type === 'AWS::ApiGateway::Stage')
      Object.assign(resource.Properties, { MethodSettings: settings });
  writeFileSync(join(outdir, TEMPLATE), JSON.stringify(template));
  return outdir;
}

beforeAll(async () => {
  const settings = [
    { HttpMethod: '*', ResourcePath: '/*', ThrottlingRateLimit: 1000, ThrottlingBurstLimit: 2000 },
    { HttpMethod: 'GET', ResourcePath: '/~1v1~1me', ThrottlingRateLimit: 0.001, ThrottlingBurstLimit: 2 },
    { HttpMethod: 'GET', ResourcePath: '/~1v1~1runs', ThrottlingRateLimit: 1, ThrottlingBurstLimit: 1 },
  ];
  service = await openService({ throttled: true, cloudAssembly: () => throttledAssembly(settings) });
  const { workspace_id } = await service.invoke('Admin', { command: 'workspace.create', name: 'Throttled' });
  ({ api_key: key } = await service.invoke('Admin', { command: 'key.create', workspace_id, scopes: 'all' }));
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

test('a request beyond the throttle of its method is refused as any other, and other methods answer', async () => {
  const get = (path: string) => call('GET', path, { key, access: service.runtime });
  const statuses = [];
  for (let i = 0; i < 3; i += 1) statuses.push(await get('/me'));
  expect(statuses.map(({ status }) => status)).toEqual([200, 200, 429]);
  const [, , refused] = statuses;
  expect(refused?.body.error).toMatchObject({ code: 'rate_limit_exceeded', type: 'rate_limit' });
  expect(refused?.headers.get('retry-after')).toMatch(/^\d+$/);
  expect((await get('/entities')).status).toBe(200);
});

test('the client waits as it is asked to, and lists all the same', async () => {
  const client = new RunService({ apiKey: key, baseUrl: service.runtime.base_url });
  const pages = await Promise.all([1, 2].map(() => client.runs.list()));
  expect(pages.map(({ data }) => data)).toEqual([[], []]);
});
