// What a test does: a client's requests.
import type { Caller } from './given.ts';
import { call, type HttpReply } from './service.ts';

type Plan = { title: string; steps: Record<string, unknown>[] };

/** A plan of `fetch` and the given steps; titles are filled in. */
export function plan(...steps: Record<string, unknown>[]): Plan {
  return { title: 'Test plan', steps: steps.map((step, i) => ({ title: `Step ${i}`, ...step })) };
}

export const fetchCompanies = { kind: 'fetch', params: { source: 'companies' } };
export const keepBerlin = { kind: 'filter', instructions: 'companies in Berlin' };
export const answer = { kind: 'reconstitute', params: { expected_artifacts: ['table', 'text'] } };

/** POST /runs with a plan. */
export function createsPlanRun(
  home: Caller,
  steps: Record<string, unknown>[],
  extra: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<HttpReply> {
  return call('POST', '/runs', {
    key: home.key,
    body: { input_type: 'plan', plan: plan(...steps), ...extra },
    headers,
    access: home.access,
  });
}

/** POST /runs with a query. */
export function createsQueryRun({ key, access }: Caller, query: string): Promise<HttpReply> {
  return call('POST', '/runs', { key, access, body: { input_type: 'query', query } });
}

/** The current run. */
export async function readsRun(home: Caller, id: string) {
  return (await call('GET', `/runs/${id}`, { key: home.key, access: home.access })).body;
}

/** The whole log, page by page. */
export async function readsLog(home: Caller, id: string, limit = 100) {
  const events: Record<string, unknown>[] = [];
  let cursor: string | undefined;
  for (;;) {
    const query = new URLSearchParams({ limit: String(limit), ...(cursor !== undefined && { cursor }) });
    const page = (await call('GET', `/runs/${id}/events?${query}`, { key: home.key, access: home.access }))
      .body;
    events.push(...page.data);
    cursor = page.next_cursor;
    if (!page.has_more) return events;
  }
}

/** POST /runs/{id}/resume. */
export function resumes(home: Caller, id: string): Promise<HttpReply> {
  return call('POST', `/runs/${id}/resume`, { key: home.key, access: home.access });
}

/** POST /runs/{id}/rerun-from. */
export function rerunsFrom(home: Caller, id: string, stepIndex: number): Promise<HttpReply> {
  return call('POST', `/runs/${id}/rerun-from`, { key: home.key, body: { step_index: stepIndex } });
}
