// An example of each step kind, for the reference, the guide to plans and agents.
import type { PlanStep } from '../plans.ts';
import type { StepKind } from '../steps.ts';

export const stepExamples: { readonly [K in StepKind]: Extract<PlanStep, { kind: K }> } = {
  fetch: {
    kind: 'fetch',
    title: 'Large companies in Berlin',
    params: {
      source: 'companies',
      where: {
        and: [
          { field: 'city', op: '=', value: 'Berlin' },
          { field: 'revenue_musd', op: '>', value: 10 },
        ],
      },
      sort: [{ field: 'revenue_musd', direction: 'desc' }],
      limit: 50,
    },
  },
  vector_search: {
    kind: 'vector_search',
    title: 'Companies about batteries',
    params: { source: 'companies', query: 'battery storage for homes', limit: 20 },
  },
  filter: {
    kind: 'filter',
    title: 'Keep the manufacturers',
    instructions: 'Companies that make the goods they sell',
    params: { limit_to: 20 },
  },
  transform: {
    kind: 'transform',
    title: 'Sum up each company',
    instructions: 'Describe in one sentence what the company sells, and to whom',
    params: { output_fields: ['offer', 'customers'], limit: 20 },
  },
  analyze: {
    kind: 'analyze',
    title: 'What they have in common',
    instructions: 'What do these companies have in common?',
    params: { focus: 'markets and sizes' },
  },
  discover: {
    kind: 'discover',
    title: 'People behind them',
    params: { query: 'founders and managers', entity_types: ['person'], depth: 1, limit: 25 },
  },
  reconstitute: {
    kind: 'reconstitute',
    title: 'Write the answer',
    params: { expected_artifacts: ['table', 'text'] },
  },
  inject_context: {
    kind: 'inject_context',
    title: 'What we know already',
    params: { text: 'We sell to manufacturers in Germany.', entities: [{ external_uri: 'crm:norddata' }] },
  },
};
