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

/** A wire name as a label: `steps_to_filter` is `Steps to filter`. */
export function labelOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}
