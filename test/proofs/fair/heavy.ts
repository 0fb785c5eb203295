// The corpus of heavy work: what one tenant may ask for at its largest, one entry per kind.
import { createHash, createHmac } from 'node:crypto';
import { request } from '../bench/client.ts';
import { idOf, mazePaths, RECORDS, SCROLL, type Tenant } from './tenants.ts';

/** Does its work once. `site` is where inbound sync goes. */
export type Heavy = (tenant: Tenant, site: string) => Promise<void>;

const POLL_MS = 100;
type Plan = { title: string; steps: object[] };

async function run(tenant: Tenant, body: object): Promise<string> {
  const id = String((await request(tenant, 'POST', '/runs', 202, body)).id);
  for (;;) {
    const { status, errors } = await request(tenant, 'GET', `/runs/${id}`, 200);
    if (status === 'succeeded') return id;
    if (status === 'failed') throw new Error(`a heavy run failed: ${JSON.stringify(errors)}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

const plan = (...steps: object[]): { input_type: string; plan: Plan } => ({
  input_type: 'plan',
  plan: { title: 'Heavy', steps },
});
const fetched = (limit: number, more: object = {}) => ({
  kind: 'fetch',
  title: 'All',
  params: { source: 'companies', limit, ...more },
});
const step = (kind: string, params: object = {}, instructions = 'companies with many words') => ({
  kind,
  title: kind,
  instructions,
  params,
});
const runs =
  (body: object): Heavy =>
  async (tenant) =>
    void (await run(tenant, body));

/** Keeps several runs busy for a while, then cancels what is left of them and waits until they have ended. */
export function keepsBusy(body: object): Heavy {
  return async (tenant) => {
    const until = Date.now() + BUSY_MS;
    await Promise.all(
      Array.from({ length: BUSY_RUNS }, async () => {
        while (Date.now() < until) {
          const id = String((await request(tenant, 'POST', '/runs', 202, body)).id);
          const isOver = async () =>
            typeof (await request(tenant, 'GET', `/runs/${id}`, 200)).completed_at === 'number';
          while (!(await isOver())) {
            if (Date.now() > until) await request(tenant, 'POST', `/runs/${id}/cancel`, 200);
            await new Promise((resolve) => setTimeout(resolve, POLL_MS));
          }
        }
      }),
    );
  };
}
const BUSY_MS = 15_000;
const BUSY_RUNS = 12;

/** A plan of this step as often as a plan may have it. */
export const repeated = (kind: string, params: object, instructions = 'companies with many words') =>
  plan(...Array.from({ length: 50 }, () => step(kind, params, instructions)));
/** As many conditions as a step, or a monitor, may have. */
export const conditions = (field: string, op: string, of = '') => ({
  or: Array.from({ length: 3 }, (_, k) => ({
    or: Array.from({ length: 16 }, (_, i) => ({ field, op, value: `none${of} of ${k} ${i}` })),
  })),
});
/** A query whose only words are far apart. */
export const blanks = { input_type: 'query', query: `for each${' '.repeat(3_880)}q` };
/** A fetch of records whose keys split the paths of its fields in every way. */
export const mazeFields = { source: 'mazes', fields: mazePaths };
/** An answer whose properties are such paths. */
export const mazeSchema = {
  type: 'object',
  properties: {
    rows: {
      type: 'array',
      items: {
        type: 'object',
        properties: Object.fromEntries(
          mazePaths.slice(0, 40).map((path) => [path, { type: ['string', 'null'] }]),
        ),
      },
    },
  },
};
export const averages = Array.from({ length: 10 }, (_, i) => ({ as: `m${i}`, op: 'avg', field: 'revenue' }));
export const comparisons = Array.from({ length: 50 }, (_, i) => `revenue over ${i} million`).join(' and ');
export const sentences = 'companies whose texts mention w1a and others that follow along, '
  .repeat(125)
  .slice(0, 8_000);

/** The costliest steps that are allowed: next to them, a bystander's fetch of one record takes at most a second. */
export const costliest: Record<string, Heavy> = {
  busy_conditions: keepsBusy(
    repeated('fetch', { source: 'companies', where: conditions('accents', 'contains') }),
  ),
  busy_conditions_on_lists: keepsBusy(
    repeated('fetch', { source: 'companies', where: conditions('tags', 'starts_with') }),
  ),
  busy_groups: keepsBusy(
    repeated('fetch', { source: 'companies', group_by: ['tags', 'kinds'], measures: averages }),
  ),
  busy_distinct_groups: keepsBusy(
    repeated('fetch', { source: 'companies', group_by: ['id', 'tags', 'kinds'], measures: averages }),
  ),
  busy_fetches: keepsBusy(repeated('fetch', { source: 'companies', limit: RECORDS })),
  busy_mazes: keepsBusy(repeated('fetch', mazeFields)),
  busy_answers_of_mazes: keepsBusy({
    ...plan(step('fetch', { source: 'mazes' }), step('reconstitute')),
    output_schema: mazeSchema,
  }),
  busy_vector_searches: keepsBusy(
    repeated('vector_search', { source: 'companies', limit: 200, where: conditions('accents', 'contains') }),
  ),
  busy_filters: keepsBusy(
    plan(
      fetched(RECORDS),
      ...Array.from({ length: 49 }, () => step('filter', { steps_to_filter: [0] }, comparisons)),
    ),
  ),
  busy_transforms: keepsBusy({
    ...plan(
      fetched(5_000),
      step(
        'transform',
        { limit: 5_000, output_fields: Array.from({ length: 20 }, (_, i) => `field ${i}`) },
        sentences,
      ),
    ),
    config: { unlimited_transform: true },
  }),
};

/** Sends the same request over and over for a while and reads the answer only as bytes. */
function floods(
  make: (
    tenant: Tenant,
    site: string,
  ) => { method: string; url: string; headers?: Record<string, string>; body?: string },
): Heavy {
  return async (tenant, site) => {
    const { method, url, headers, body } = make(tenant, site);
    const until = Date.now() + FLOOD_MS;
    const one = async () => {
      while (Date.now() < until)
        await (
          await fetch(url, {
            method,
            headers: {
              authorization: `Bearer ${tenant.api_key}`,
              'content-type': 'application/json',
              ...headers,
            },
            ...(body !== undefined && { body }),
          })
        ).arrayBuffer();
    };
    await Promise.all(Array.from({ length: FLOOD_CLIENTS }, one));
  };
}
const FLOOD_MS = 3_000;
const FLOOD_CLIENTS = 2;

const filled = (bytes: number) => 'lorem ipsum dolor 12 '.repeat(Math.ceil(bytes / 21)).slice(0, bytes);
const creates = (body: object): Heavy =>
  floods(({ base_url }) => ({ method: 'POST', url: `${base_url}/runs`, body: JSON.stringify(body) }));

const manyWords = Array.from({ length: 7_000 }, (_, i) => `w${i % 900}`).join(' ');

/** A sync message that writes a company with these attributes. */
const synced =
  (attributes: object) =>
  ({ bridge }: Tenant, site: string) => {
    const resource = { type: 'company', id: '1' };
    const data = { ...resource, attributes: { name: 'One', ...attributes } };
    const body = JSON.stringify({ resource, operation: 'create', data });
    const key = createHash('sha256').update(bridge.secret).digest('hex');
    return {
      method: 'POST',
      url: `${site}/api/webhooks/sync/${bridge.bridge_id}`,
      body,
      headers: {
        'X-Webhook-Signature': `sha256=${createHmac('sha256', key).update(body).digest('hex')}`,
        'X-Webhook-Timestamp': new Date().toISOString(),
      },
    };
  };

const MONITORS = 100;

/** A monitor with as many conditions as it may have, none of which holds. */
const watching = (n: number) => ({
  name: `Monitor ${n}`,
  run: plan(fetched(1)),
  on: {
    change: { types: ['company'], where: conditions('text', 'contains', ` ${n}`), settle_seconds: 86_400 },
  },
});

/** By name. The order matters: later entries read what earlier ones left. */
export const heavyWork: Record<string, Heavy> = {
  fetch_10000: runs(plan(fetched(RECORDS))),
  fetch_10000_then_more: runs(plan(fetched(RECORDS), step('filter'), step('analyze'))),
  filter_10000: runs(plan(fetched(RECORDS), step('filter'))),
  groups_10000: runs(
    plan(
      fetched(RECORDS, { group_by: ['revenue', 'city'] }),
      step('reconstitute', { expected_artifacts: ['table'] }),
    ),
  ),
  transform_100: runs(plan(fetched(100), step('transform', { output_fields: ['summary', 'kind', 'size'] }))),
  transform_5000: runs({
    ...plan(fetched(5_000), step('transform', { limit: 5_000, output_fields: ['summary'] })),
    config: { unlimited_transform: true },
  }),
  analyze_10000: runs(plan(fetched(RECORDS), step('analyze'))),
  table_10000: runs(
    plan(fetched(RECORDS), step('reconstitute', { expected_artifacts: ['table', 'text', 'entity_card'] })),
  ),
  discover_depth_2: runs(plan(fetched(500), step('discover', { depth: 2, limit: 100 }))),
  dossier_of_a_hub: runs({
    input_type: 'preset',
    preset: 'dossier',
    params: { entity: { id: idOf(0) }, sections: Array.from({ length: 12 }, (_, i) => `Section ${i}`) },
  }),
  vector_search: runs(
    plan({ kind: 'vector_search', title: 'Like', params: { query: 'w1a w2b', limit: 100 } }),
  ),
  steps_50: runs(plan(fetched(1000), ...Array.from({ length: 49 }, () => step('analyze')))),
  inject_big: runs(
    plan(
      ...Array.from({ length: 12 }, () => ({
        kind: 'inject_context',
        title: 'Text',
        params: { text: filled(20_000) },
      })),
      step('analyze'),
      step('reconstitute'),
    ),
  ),
  query: runs({
    input_type: 'query',
    query: 'Top 500 companies by revenue in City7 or City9 with a text about w1a',
  }),
  plan_1_mb: creates(
    plan(
      ...Array.from({ length: 15 }, () => ({
        kind: 'inject_context',
        title: 'Text',
        params: { text: filled(20_000) },
        description: filled(1000),
        instructions: filled(8000),
      })),
      ...Array.from({ length: 35 }, () => step('analyze', { focus: filled(500) }, filled(8_000))),
    ),
  ),
  params_64_kb: creates(
    plan({
      kind: 'fetch',
      title: 'In',
      params: {
        source: 'companies',
        where: {
          or: Array.from({ length: 8 }, (_, k) => ({
            field: 'city',
            op: 'in',
            value: Array.from({ length: 100 }, (_, i) => `${k} ${i} ${'x'.repeat(60)}`),
          })),
        },
      },
    }),
  ),
  wrong_body_1_mb: creates({
    input_type: 'query',
    query: 'x',
    metadata: Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [`key${i}`, i])),
  }),
  query_of_blanks: creates(blanks),
  nested_body_1_mb: floods(({ base_url }) => ({
    method: 'POST',
    url: `${base_url}/runs`,
    body: `${'['.repeat(500_000)}${']'.repeat(500_000)}`,
  })),
  query_4000: creates({ input_type: 'query', query: filled(4000) }),
  resolve_100: floods(({ base_url }) => ({
    method: 'GET',
    url: `${base_url}/entities/resolve?refs=${encodeURIComponent(JSON.stringify(Array.from({ length: 100 }, (_, i) => ({ external_uri: `fair:${i}` }))))}`,
  })),
  sync_1_mb: floods(synced({ text: manyWords, more: filled(900_000) })),
  sync_beside_100_monitors: async (tenant, site) => {
    const made = await Promise.all(
      Array.from({ length: MONITORS }, (_, n) => request(tenant, 'POST', '/monitors', 201, watching(n))),
    );
    await floods(synced({ text: SCROLL }))(tenant, site).finally(() =>
      Promise.all(made.map(({ id }) => request(tenant, 'DELETE', `/monitors/${id}`, 204))),
    );
  },
  list_100: floods(({ base_url }) => ({ method: 'GET', url: `${base_url}/runs?limit=100` })),
  artifact_10000: async (tenant, site) => {
    const id = await run(
      tenant,
      plan(fetched(RECORDS), step('reconstitute', { expected_artifacts: ['table'] })),
    );
    const { artifacts } = await request(tenant, 'GET', `/runs/${id}`, 200);
    const [table] = Array.isArray(artifacts) ? artifacts : [];
    await floods(({ base_url }) => ({ method: 'GET', url: `${base_url}/artifacts/${table.id}` }))(
      tenant,
      site,
    );
  },
};
