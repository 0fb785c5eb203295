// The checks of a deployment: one run from creation to log, artifact and stream, then a question about records.
import { isDeepStrictEqual } from 'node:util';
import { ErrorEnvelope } from '../../functions/contract/errors.ts';
import { RunEvent } from '../../functions/contract/events.ts';
import { EventPage, EventToken, RunEnvelope } from '../../functions/contract/runs.ts';
import { checkRecords, type RecordAdmin } from './records.ts';
import {
  type Answer,
  ask,
  type ExpectThat,
  ended,
  posted,
  REQUEST_TIMEOUT_MS,
  read,
  type Service,
  SmokeFailed,
  withKey,
} from './requests.ts';

const plan = {
  title: 'Smoke test',
  steps: [
    { kind: 'inject_context', title: 'Given', params: { text: 'The service was deployed.' } },
    { kind: 'reconstitute', title: 'Answer', params: { expected_artifacts: ['text'] } },
  ],
};

/**
 * Runs all checks in order; those of records need an admin. Returns the run's id, the checks by name and, with an
 * admin, the SQLite of record indexes. Throws SmokeFailed.
 */
export async function smoke(
  service: Service,
  admin?: RecordAdmin,
): Promise<{ run_id: string; checks: string[]; engine?: Record<string, unknown> }> {
  const checks: string[] = [];
  const expectThat: ExpectThat = (check, passed, found) => {
    if (!passed) throw new SmokeFailed(check, found);
    checks.push(check);
  };
  const run_id = await checkService(service, expectThat);
  if (!admin) return { run_id, checks };
  return { run_id, engine: await checkRecords(service, admin, expectThat), checks };
}

async function checkService(service: Service, expectThat: ExpectThat): Promise<string> {
  const health = await ask(`${siteOf(service)}/health`, {});
  expectThat('the site answers', health.status === 200, health);
  const unserved = await unservedByConsole(`${siteOf(service)}/console`);
  expectThat('the console is there with its assets', unserved === undefined, unserved);
  const stranger = await ask(`${service.baseUrl}/runs`, {});
  expectThat('without a key the answer is auth_missing', isError(stranger, 401, 'auth_missing'), stranger);
  const lost = await ask(`${service.baseUrl}/no-such-route`, withKey(service));
  expectThat('an unknown path is not_found', isError(lost, 404, 'not_found'), lost);

  const create = () =>
    ask(`${service.baseUrl}/runs`, posted(service, { input_type: 'plan', plan }, idempotencyKey));
  const idempotencyKey = `smoke-${crypto.randomUUID()}`;
  const created = await create();
  const { id } = read(RunEnvelope, 'a run is accepted', created, 202);
  expectThat('a run is accepted', created.headers.has('x-request-id'), created);
  const again = await create();
  const replayed = read(RunEnvelope, 'the same request gives the same run', again, 200);
  expectThat('the same request gives the same run', replayed.id === id, again);

  const run = await ended(service, id);
  expectThat('the run succeeds', run.status === 'succeeded', run);
  const [artifact] = run.artifacts;
  const got = await ask(`${service.baseUrl}/artifacts/${artifact?.id}`, withKey(service));
  expectThat('its artifact can be read', got.status === 200, got);
  const logged = await ask(`${service.baseUrl}/runs/${id}/events?limit=1000`, withKey(service));
  const events = read(EventPage, 'its log is complete', logged, 200).data;
  const types = events.map(({ event_type }) => event_type);
  expectThat('its log is complete', types[0] === 'run.created' && types.at(-1) === 'run.succeeded', types);
  const streamed = await streamedTypes(service, id);
  expectThat('its stream brings the same events', isDeepStrictEqual(streamed, types), streamed);
  const answer = await agentReads(service, id);
  expectThat('an agent waits for it by the door', answer.includes('succeeded'), answer);
  return id;
}

/** The first console address that does not answer: the page, or an asset of the page. */
async function unservedByConsole(address: string): Promise<string | undefined> {
  const get = (url: URL | string) => fetch(url, { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
  const page = await get(address);
  const named = [...(await page.text()).matchAll(/(?:src|href)="(console\/[^"]+)"/g)];
  if (!page.ok || named.length === 0) return address;
  for (const [, path = ''] of named) {
    const asset = await get(new URL(path, address));
    if (!asset.ok) return asset.url;
  }
  return undefined;
}

/** The types of the events on the stream, read from the address that browsers get. */
async function streamedTypes(service: Service, id: string): Promise<string[]> {
  const check = 'its stream brings the same events';
  const asked = await ask(`${service.baseUrl}/runs/${id}/events/token`, posted(service));
  const { event_token, stream_url } = read(EventToken, check, asked, 200);
  const url = new URL(stream_url ?? `${service.baseUrl}/runs/${id}/events/stream`);
  url.searchParams.set('event_token', event_token);
  const response = await fetch(url, { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
  const text = await response.text();
  const data = text.split('\n').filter((line) => line.startsWith('data: '));
  return data.map((line) => RunEvent.parse(JSON.parse(line.slice('data: '.length))).event_type);
}

/** What the MCP tools report of the run. The MCP server calls the API from where it runs. */
async function agentReads(service: Service, id: string): Promise<string> {
  const params = { name: 'run_wait', arguments: { id } };
  const request = posted(service, { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const response = await fetch(`${siteOf(service)}/mcp`, {
    ...request,
    headers: { ...request.headers, Accept: 'application/json, text/event-stream' },
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  });
  return response.text();
}

const siteOf = ({ baseUrl }: Service) => baseUrl.replace(/\/v1$/, '');

const isError = ({ status, body }: Answer, due: number, code: string) =>
  status === due && ErrorEnvelope.safeParse(body).data?.error.code === code;
