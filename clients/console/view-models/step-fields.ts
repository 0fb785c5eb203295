// Which form field edits each step param.
import type { ParamsOf, StepKind } from '../contract.ts';

export type FieldKind =
  | 'text'
  | 'area'
  | 'number'
  | 'words'
  | 'lines'
  | 'steps'
  | 'where'
  | 'sort'
  | 'measures'
  | 'entities';

/** The params of each kind that most steps need; the others are shown on request. */
export const mainFields: { [K in StepKind]: readonly (keyof ParamsOf<K>)[] } = {
  fetch: ['source', 'where', 'limit'],
  vector_search: ['query', 'source', 'limit'],
  filter: ['limit_to'],
  transform: ['output_fields'],
  analyze: ['focus'],
  discover: ['query', 'limit'],
  reconstitute: ['expected_artifacts'],
  inject_context: ['text', 'entities'],
};

/** The kinds whose instructions a model reads. */
export const readsInstructions: ReadonlySet<StepKind> = new Set([
  'filter',
  'transform',
  'analyze',
  'reconstitute',
]);

/** Every param of every step kind, in form order. */
export const stepFields: { [K in StepKind]: { [P in keyof ParamsOf<K>]-?: FieldKind } } = {
  fetch: {
    source: 'text',
    query: 'text',
    limit: 'number',
    entity_types: 'words',
    fields: 'words',
    where: 'where',
    sort: 'sort',
    group_by: 'words',
    measures: 'measures',
  },
  vector_search: {
    query: 'text',
    source: 'text',
    limit: 'number',
    min_score: 'number',
    entity_types: 'words',
    where: 'where',
  },
  filter: { steps_to_filter: 'steps', limit_to: 'number' },
  transform: { steps_to_transform: 'steps', output_fields: 'words', limit: 'number' },
  analyze: { context_step_ids: 'steps', focus: 'text', max_tokens: 'number' },
  discover: {
    query: 'text',
    context_step_ids: 'steps',
    entity_types: 'words',
    limit: 'number',
    depth: 'number',
  },
  reconstitute: { context_step_ids: 'steps', expected_artifacts: 'words', max_tokens: 'number' },
  inject_context: { text: 'area', entities: 'entities', note_ids: 'words', artifact_ids: 'words' },
};
