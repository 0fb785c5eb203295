// The MCP endpoint as Lambda runs it: a reader who leaves ends the work, and an API that is away is reported as
// so.
import { beforeEach, expect, test, vi } from 'vitest';
import { lambdaContext, restEvent } from '../../support/gateway-events.ts';
import { type Answer, response } from '../edge/lambda-stream.ts';

const BASE_URL = 'http://127.0.0.1/api/v1';
Object.assign(process.env, { SITE_URL: 'http://127.0.0.1', BASE_URL, POWERTOOLS_LOG_LEVEL: 'SILENT' });
const { handler } = await import('../../../functions/http/mcp-routes.ts');

const id = '0b0f3f8e-6a0e-4f5e-9d55-0a3b2c1d4e5f';
const run = { id, status: 'running', steps: [{ index: 0, kind: 'fetch', title: 'All', status: 'running' }] };

/** What the API answers by path, and the signals of the requests that it got. */
let api: Record<string, () => Response | Promise<Response>>;
const asked = new Map<string, AbortSignal | null | undefined>();
/** The passes for a firewall that the API was shown. */
const passes = new Set<string | null>();

beforeEach(() => {
  asked.clear();
  passes.clear();
  vi.unstubAllEnvs();
  api = { '/me': () => Response.json({ scopes: ['runs:read'] }) };
  vi.stubGlobal('fetch', async (url: string, { signal, headers }: RequestInit) => {
    passes.add(new Headers(headers).get('x-firewall-pass'));
    const path = new URL(url).pathname.slice('/api/v1'.length);
    asked.set(path, signal);
    const answer = api[path];
    if (!answer) throw new TypeError('fetch failed');
    return answer();
  });
});

type Invoke = (event: unknown, output: Answer['output'], context: unknown) => Promise<void>;

function call(name: string, args: object, answer = response()): { answer: Answer; done: Promise<void> } {
  const params = { name, arguments: args, _meta: { progressToken: 1 } };
  const event = restEvent('/mcp', {
    httpMethod: 'POST',
    headers: {
      Authorization: 'Bearer sk_1',
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  const context = { ...lambdaContext(), getRemainingTimeInMillis: () => 60_000 };
  return { answer, done: (handler as unknown as Invoke)(event, answer.output, context) };
}

test('a reader who leaves ends the wait, and what it has open with the API', async () => {
  const event = { id: 'a', event_id: 'a', event_type: 'step.started', sequence: 1, data: { step_index: 0 } };
  const pages = [[event]];
  Object.assign(api, {
    [`/runs/${id}`]: () => Response.json(run),
    // A page without events does not come for now.
    [`/runs/${id}/events`]: () => {
      const data = pages.shift();
      return data ? Response.json({ data, next_cursor: 'c' }) : new Promise(() => {});
    },
  });
  const { answer, done } = call('run_wait', { id });
  await vi.waitFor(() => expect(answer.body).toContain('notifications/progress'));
  await vi.waitFor(() => expect(pages).toEqual([]));
  const open = asked.get(`/runs/${id}/events`);
  expect(open?.aborted).toBe(false);
  answer.output.destroy();
  await expect(done).rejects.toThrow();
  await vi.waitFor(() => expect(open?.aborted).toBe(true));
});

test('an API that does not answer is 503, to be tried again', async () => {
  api = {};
  const { answer, done } = call('run_get', { id });
  await done;
  expect(answer.head).toMatchObject({ statusCode: 503, headers: { 'Retry-After': expect.any(String) } });
  expect(JSON.parse(answer.body).error.data).toMatchObject({ code: 'service_unavailable' });
});

test('the endpoint passes on what the API says about the key, with its details', async () => {
  const error = { code: 'auth_expired', type: 'authentication', message: 'old', details: { expired_at: 7 } };
  api['/me'] = () => Response.json({ error }, { status: 401 });
  const { answer, done } = call('run_get', { id });
  await done;
  expect(answer.head?.statusCode).toBe(401);
  expect(JSON.parse(answer.body).error).toMatchObject({
    message: 'old',
    data: { code: 'auth_expired', details: { expired_at: 7 } },
  });
});

test('with the pass of a firewall the API is asked as the door, and without one as anyone (rules.md: agents 10)', async () => {
  api[`/runs/${id}`] = () => Response.json({ ...run, artifacts: [] });
  await call('run_get', { id }).done;
  expect([...passes]).toEqual([null]);
  passes.clear();
  vi.stubEnv('FIREWALL_PASS', 'pass');
  const { answer, done } = call('run_get', { id });
  await done;
  expect(answer.body).toContain('running');
  expect([...passes]).toEqual(['pass']);
  expect(asked.size).toBe(2);
});
