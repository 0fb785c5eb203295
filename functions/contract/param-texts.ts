// The meaning of each step param, with its default: for the reference and the console. Functions never load it.
import { limits } from './limits.ts';
import type { ParamsOf, StepKind } from './steps.ts';

type ParamText = string | { description: string; default: unknown };

const stepsBefore = 'Indexes of the earlier steps whose items are used; defaults to the previous step.';
const allBefore = 'Indexes of the earlier steps that are read; defaults to all of them.';
const entity_types = 'Only records of these types.';
const source = {
  description:
    'Where to look: `entities`, an entity type, `notes`, `relationships`, `artifacts` or `global`. An entity type is one of the workspace, singular or plural; `global` needs `config.xray` or `config.global_search`. An unknown name yields no items and a warning.',
  default: 'entities',
};

export const paramTexts: { [K in StepKind]: { [P in keyof ParamsOf<K>]?: ParamText } } = {
  fetch: {
    source,
    query: {
      description: 'Keeps records that match at least one of its words, best first; empty keeps all.',
      default: '',
    },
    limit: {
      description: 'Maximum number of records. To pick the best, fetch more and filter.',
      default: 100,
    },
    entity_types,
    fields:
      'Only these fields of each record, named as in `where`; defaults to all of them. A field that no record has is named in the warning `field_not_found`.',
    sort: 'Order of the items: a word, or one to three fields. Defaults to relevance if there is a query.',
    where: 'Keeps the records that meet the condition, in addition to `query`.',
    group_by:
      'Groups the records by these fields; the items are groups with their measures. Each field is named once. A record counts under at most 1,000 groups.',
    measures:
      'What is computed for each group; defaults to one `count`. Without `group_by`, all records form one group.',
    context_step_ids: {
      description: `Steps whose items go with a job. For a source of kind \`job\` or \`person\` alone; indexes of earlier steps, at most ${limits.job_items_in_max} items.`,
      default: [],
    },
  },
  vector_search: {
    query: 'What to search for; defaults to the instructions of the step, then its title.',
    source,
    limit: { description: 'Maximum number of records.', default: 20 },
    min_score: { description: 'Records below this similarity are left out.', default: 0 },
    entity_types,
    where: 'Only records that meet the condition.',
  },
  filter: {
    steps_to_filter: stepsBefore,
    limit_to: 'Maximum number of items to keep; defaults to all that match.',
  },
  transform: {
    steps_to_transform: stepsBefore,
    output_fields: { description: 'Names of the fields to write for each item.', default: ['result'] },
    limit: {
      description: `Maximum number of items to work on; above ${limits.transform_default_items} only with \`config.unlimited_transform\`. Credits are reserved for this number and charged per item.`,
      default: limits.transform_default_items,
    },
  },
  analyze: {
    context_step_ids: allBefore,
    focus: 'What to focus on.',
    max_tokens: { description: 'Approximate length of the findings.', default: 2000 },
  },
  discover: {
    query: 'What the new records should be about; defaults to the instructions of the step.',
    context_step_ids: allBefore,
    entity_types,
    limit: { description: 'Maximum number of records.', default: 25 },
    depth: {
      description: 'Maximum number of relationships between a known record and a new one.',
      default: 1,
    },
  },
  reconstitute: {
    context_step_ids: allBefore,
    expected_artifacts: {
      description:
        'Each entry asks for one artifact: `table`, `text`, `entity_card`, or any other string as the title of a text. `NONE` asks for none. Case does not matter.',
      default: ['text'],
    },
    max_tokens: { description: 'Approximate length of the answer.', default: 4000 },
  },
  inject_context: { text: 'Text, passed on unchanged.', entities: 'Records, by reference.' },
};
