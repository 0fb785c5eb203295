// What runs ask of records under the bench, each a plan of one step.
import { request, succeeded, type Target } from '../client.ts';

const where = {
  and: [
    { field: 'city', op: '=', value: 'City7' },
    { field: 'revenue', op: '>', value: 500_000 },
  ],
};
const fetchOf = (params: object) => ({
  kind: 'fetch',
  title: 'Fetch',
  params: { source: 'companies', ...params },
});
export const questions = {
  where_sort_limit: fetchOf({ where, sort: [{ field: 'revenue', direction: 'desc' }], limit: 10 }),
  by_type: fetchOf({ limit: 10 }),
  by_words: fetchOf({ query: 'w1a w2b', limit: 10 }),
  group: fetchOf({
    group_by: ['city'],
    measures: [{ as: 'average', op: 'avg', field: 'revenue' }],
    limit: 10,
  }),
  count: fetchOf({ where, measures: [{ as: 'count', op: 'count' }] }),
  vector: {
    kind: 'vector_search',
    title: 'Search',
    params: { source: 'companies', query: 'w1a w2b', where, limit: 10 },
  },
};

/** Runs a plan of one step; returns the milliseconds from its creation until it has succeeded. */
export async function oneStep(target: Target, step: object): Promise<number> {
  const begun = performance.now();
  const run = await request(target, 'POST', '/runs', 202, {
    input_type: 'plan',
    plan: { title: 'Bench', steps: [step] },
  });
  await succeeded(target, String(run.id));
  return performance.now() - begun;
}
