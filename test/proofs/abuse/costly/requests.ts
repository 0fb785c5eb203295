// The costliest requests that a key may send, each with what it may end with.
import {
  averages,
  blanks,
  comparisons,
  conditions,
  mazeFields,
  mazeSchema,
  sentences,
} from '../../fair/heavy.ts';
import { type Costly, ended, planOf, TAKEN } from './tenant.ts';

/** Sends the request and waits for all that it causes. Throws when it does not end as it may. */
export type Request = (tenant: Costly, site: string) => Promise<void>;

const LISTS = 60;
const READERS = 24;
/** A refusal is at most so long, and a list, with what frames it. */
const MB = 1024 * 1024;

/** A run that succeeds, or fails because a step would be too costly. */
const runs =
  (...steps: object[]): Request =>
  async (tenant) => {
    const { status, errors } = await ended(tenant, planOf(...steps));
    if (status !== 'succeeded' && errors[0]?.code !== 'step_too_costly')
      throw new Error(`the run ${status}: ${JSON.stringify(errors).slice(0, 500)}`);
  };

const fetched = (source: string, more: object = {}) => ({
  kind: 'fetch',
  params: { source, limit: TAKEN, ...more },
});

/** The answer's bytes and status, read like a client that does not parse it. */
async function answered({ api_key }: Costly, url: string, body?: object): Promise<[number, number]> {
  const response = await fetch(url, {
    method: body ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${api_key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return [response.status, (await response.arrayBuffer()).byteLength];
}

function expectStatus(allowed: number[], [status]: [number, number]): void {
  if (!allowed.includes(status)) throw new Error(`answered ${status}`);
}

/** Matches no text, but only after 199 characters at each position. */
const nearMisses = {
  or: Array.from({ length: 3 }, (_, k) => ({
    or: Array.from({ length: 16 }, (_, i) => ({
      field: 'text',
      op: 'contains',
      value: `${'a'.repeat(199 - i)}${String.fromCharCode(98 + k)}`,
    })),
  })),
};

export const requests: Readonly<Record<string, Request>> = {
  groups_of_lists: runs(fetched('companies', { group_by: ['tags', 'kinds'], measures: averages })),
  groups_of_their_own: runs(fetched('companies', { group_by: ['id', 'tags', 'kinds'], measures: averages })),
  conditions: runs(fetched('memos', { where: conditions('text', 'contains') })),
  conditions_on_long_texts: runs(fetched('scrolls', { where: nearMisses })),
  fields_of_mazes: runs(...Array.from({ length: 10 }, () => ({ kind: 'fetch', params: mazeFields }))),
  answer_of_mazes: async (tenant) => {
    const plan = planOf({ kind: 'fetch', params: { source: 'mazes' } }, { kind: 'reconstitute' });
    const { status } = await ended(tenant, { ...plan, output_schema: mazeSchema });
    if (status !== 'succeeded') throw new Error(`the run ${status}`);
  },
  query_of_blanks: async (tenant) => {
    expectStatus([202, 422], await answered(tenant, `${tenant.base_url}/runs`, blanks));
  },
  vector_search: runs({
    kind: 'vector_search',
    params: {
      query: 'quick foxes and lazy dogs '.repeat(76),
      limit: 200,
      where: { not: conditions('text', 'contains') },
    },
  }),
  filter: runs(fetched('companies'), { kind: 'filter', instructions: comparisons }),
  transform: runs(fetched('companies', { limit: 5_000 }), {
    kind: 'transform',
    instructions: sentences,
    params: { limit: 5_000, output_fields: Array.from({ length: 20 }, (_, i) => `field ${i}`) },
  }),
  discover: runs(fetched('companies'), {
    kind: 'discover',
    instructions: sentences,
    params: { depth: 2, limit: 100 },
  }),
  fetches: runs(...Array.from({ length: 10 }, () => fetched('books'))),
  readers_of_a_table: async (tenant) => {
    const url = `${tenant.base_url}/artifacts/${tenant.table_id}`;
    const all = await Promise.all(Array.from({ length: READERS }, () => answered(tenant, url)));
    for (const one of all) expectStatus([200, 503], one);
    if (!all.some(([, bytes]) => bytes > 40 * MB)) throw new Error('no reader got the whole table');
  },
  lists_of_runs: async (tenant) => {
    // Requests for one page share its reading.
    const all = await Promise.all(
      Array.from({ length: LISTS }, (_, i) => answered(tenant, `${tenant.base_url}/runs?limit=${100 - i}`)),
    );
    for (const one of all) expectStatus([200, 503], one);
  },
  agent: async (tenant, site) => {
    const params = { name: 'artifact_get', arguments: { id: tenant.table_id, limit: 500 } };
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const [status, bytes] = await answered(tenant, `${site}/mcp`, call);
    if (status !== 200 || bytes < MB) throw new Error(`answered ${status} with ${bytes} bytes`);
  },
  wrong_steps: async (tenant) => {
    const steps = Array.from({ length: 45_000 }, () => ({ kind: 'no kind' }));
    const body = { input_type: 'plan', plan: { title: 'Wrong', steps } };
    expectStatus([422], await answered(tenant, `${tenant.base_url}/runs`, body));
  },
};
