// The calls about jobs.
import { expect, test } from 'vitest';
import { RunService } from '../../clients/sdk/index.ts';
import { BASE_URL } from './fake-service.ts';

interface Sent {
  method: string | undefined;
  path: string;
  body: unknown;
}

/** A client and what it sends; a list has two pages. */
function client() {
  const sent: Sent[] = [];
  const fetcher: typeof fetch = async (url, init) => {
    const path = String(url).replace(BASE_URL, '');
    sent.push({ method: init?.method, path, body: init?.body && JSON.parse(String(init.body)) });
    const next_cursor = path.includes('cursor') ? null : 'c';
    const page = { object: 'list', data: [{ job_id: path }], has_more: next_cursor !== null, next_cursor };
    return new Response(JSON.stringify(page));
  };
  return { sent, ...new RunService({ apiKey: 'k', baseUrl: BASE_URL, fetch: fetcher }) };
}

test('each call is a message of its own', async () => {
  const { jobs, sent } = client();
  await jobs.get('j/1');
  await jobs.progress('j', { items_done: 1 });
  await jobs.items('j', { page: 0, items: [{ name: 'n' }] });
  await jobs.complete('j', { answer: { ok: true } });
  await jobs.complete('j');
  await jobs.fail('j', { message: 'm', retry: false });
  expect(sent.map(({ method, path, body }) => [method, path, body])).toEqual([
    ['GET', '/jobs/j%2F1', undefined],
    ['POST', '/jobs/j/progress', { items_done: 1 }],
    ['POST', '/jobs/j/items', { page: 0, items: [{ name: 'n' }] }],
    ['POST', '/jobs/j/complete', { answer: { ok: true } }],
    ['POST', '/jobs/j/complete', {}],
    ['POST', '/jobs/j/fail', { message: 'm', retry: false }],
  ]);
});

test('a list is one page, or all jobs', async () => {
  const { jobs, sent } = client();
  expect((await jobs.list({ status: 'open', source: 's' })).data).toHaveLength(1);
  const all: string[] = [];
  for await (const { job_id } of jobs.list({ kind: 'person' })) all.push(job_id);
  expect(all).toEqual(['/jobs?kind=person', '/jobs?kind=person&cursor=c']);
  expect(sent[0]?.path).toBe('/jobs?status=open&source=s');
});
