// Throttles of methods, as a stage of API Gateway has them: what it refuses is an error as any other.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RunService } from '../../clients/sdk/index.ts';
import { type OwnService, ownService } from '../support/own-service.ts';
import { call } from '../support/service.ts';
import { throttledGateway } from '../support/throttled-gateway.ts';

let service: OwnService;
let gateway: Awaited<ReturnType<typeof throttledGateway>>;
let key: string;

beforeAll(async () => {
  service = await ownService();
  ({ key } = await service.home({ companies: 0 }));
  gateway = await throttledGateway(service.runtime, {
    'GET /v1/me': { per_second: 0.001, burst: 2 },
    'GET /v1/runs': { per_second: 1, burst: 1 },
  });
});
afterAll(async () => {
  gateway.close();
  await service.stop();
});

test('a request beyond the throttle of its method is refused as any other, and other methods answer', async () => {
  const get = (path: string) => call('GET', path, { key, access: gateway });
  const statuses = [];
  for (let i = 0; i < 3; i += 1) statuses.push(await get('/me'));
  expect(statuses.map(({ status }) => status)).toEqual([200, 200, 429]);
  const [, , refused] = statuses;
  expect(refused?.body.error).toMatchObject({ code: 'rate_limit_exceeded', type: 'rate_limit' });
  expect(refused?.headers.get('retry-after')).toMatch(/^\d+$/);
  expect((await get('/entities')).status).toBe(200);
});

test('the client waits as it is asked to, and lists all the same', async () => {
  const client = new RunService({ apiKey: key, baseUrl: gateway.base_url });
  const pages = await Promise.all([1, 2].map(() => client.runs.list()));
  expect(pages.map(({ data }) => data)).toEqual([[], []]);
});
