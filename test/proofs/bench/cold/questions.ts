// The questions of the bench, as steps ask them of Records, by kind.

import type { Entity } from '#contract/entities.ts';
import type { OperationName } from '#record-index/index-operations.ts';
import { random } from '../../random.ts';
import { vectorOf } from './records.ts';

const MIN_REVENUE = 500_000;
const types = ['company'];
const where = {
  and: [
    { field: 'city', op: '=', value: 'City7' },
    { field: 'revenue', op: '>', value: MIN_REVENUE },
  ],
};
/** How many records each question asks for. */
export const limit = 10;

interface Asked {
  operation: OperationName;
  input: object;
}

/** Whether the conditions of the questions select a record. */
export const isSelected = ({ type, fields }: Entity): boolean =>
  type === 'company' &&
  fields.city === 'City7' &&
  typeof fields.revenue === 'number' &&
  fields.revenue > MIN_REVENUE;

/** In the order in which they are asked: vectors come last, so that memory is also seen without them. */
export const questionNames = ['where_sort', 'count', 'group', 'words', 'vectors'] as const;
export type QuestionName = (typeof questionNames)[number];

/** Each question by its name. */
export const questionsOf = (dimensions: number): Record<QuestionName, Asked> => ({
  where_sort: {
    operation: 'find',
    input: { types, where, sort: [{ field: 'revenue', direction: 'desc' }], limit },
  },
  count: {
    operation: 'group',
    input: { types, where, group_by: [], measures: [{ as: 'count', op: 'count' }], limit },
  },
  group: {
    operation: 'group',
    input: {
      ...{ types, group_by: ['city'], limit },
      measures: [{ as: 'average', op: 'avg', field: 'revenue' }],
    },
  },
  // A sixth of all records have the word.
  words: {
    operation: 'find',
    input: { types, words: ['finance'], type_is_word: true, sort: 'relevance', limit },
  },
  vectors: {
    operation: 'nearest',
    input: { types, vector: vectorOf(random(99, 0), dimensions), limit, min_score: 0 },
  },
});
