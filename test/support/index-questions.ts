// Questions to an index, to compare its answers with those of another one.
import type { DatabaseSync } from 'node:sqlite';
import type { FindQuery } from '#contract/record-queries.ts';
import { checked as operations } from './snapshot-objects.ts';

/** The id of a record by its number. */
export const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

const all: Pick<FindQuery, 'types' | 'limit'> = { types: null, limit: 5 };
const where = (value: string) => ({ field: 'value', op: 'contains', value }) as const;
const near = { types: ['company'], vector: [1, 2, 3], limit: 9, min_score: -1 };
const group = (field: string) => ({
  query: {
    types: null,
    group_by: [field],
    sort: [],
    measures: [{ as: 'sum', op: 'sum' as const, field: 'n' }],
    limit: 9,
  },
  other_files: [],
});
const noFile = () => {
  throw new Error('one file has all records');
};

/** Every operation that reads, with questions to records that have a number as their id, and a `value`. */
export const questions: Record<string, (index: DatabaseSync) => unknown> = {
  by_value: (index) => operations.find(index, { ...all, sort: [{ field: 'value' }] }),
  by_name: (index) => operations.find(index, { ...all, sort: 'name_asc' }),
  by_id: (index) => operations.find(index, { ...all, sort: [] }),
  by_time: (index) => operations.find(index, { ...all, sort: 'updated_desc' }),
  searched: (index) => operations.find(index, { ...all, where: where('text'), sort: [{ field: 'n' }] }),
  relevant: (index) =>
    operations.find(index, { ...all, words: ['beta', 'text'], sort: 'relevance', limit: 9 }),
  of_type: (index) =>
    operations.find(index, { ...all, types: ['person'], words: ['beta'], sort: 'name_asc' }),
  counted: (index) => operations.count(index, { types: ['person'], where: where('w') }),
  all: (index) => operations.count(index, { types: null }),
  grouped: (index) => operations.group(index, group('value'), noFile),
  grouped_by_name: (index) => operations.group(index, group('name'), noFile),
  nearest: (index) => operations.nearest(index, near),
  nearest_some: (index) => operations.nearest(index, { ...near, words: ['beta'] }),
  types: (index) => operations.types(index),
  outline: (index) => operations.outline(index),
  described: (index) => operations.describe(index, { limit: 10 }),
  fields: (index) => operations.fields(index, { types: null, paths: ['value', 'none'] }),
  one: (index) => operations.recordWithLinks(index, { id: idOf(1), limit: 10 }),
  named: (index) => operations.named(index, { text: 'tw', limit: 10 }),
  listed: (index) => operations.named(index, { limit: 10 }),
  identified: (index) =>
    operations.identified(index, [
      { id: idOf(1) },
      { external_uri: 'uri:1' },
      { external_id: '2', source: 'custom' },
    ]),
  mentioned: (index) => operations.mentionedRecords(index, { text: 'what does Acme do', limit: 9 }),
  mentioned_values: (index) => operations.mentionedValues(index, { text: 'in Łódź unknown', limit: 9 }),
  links: (index) => operations.linksOf(index, { ids: [idOf(1), idOf(2)], limit: 9 }),
  found_links: (index) =>
    operations.findLinks(index, { words: ['beta'], types: null, sort: 'relevance', limit: 9 }),
  fingerprint: (index) => operations.fingerprint(index),
};

/** Those by words. How well a hit matches depends on how often an index has applied its changes. */
const ranked = ['relevant', 'of_type', 'found_links'];

/** The answer to a question, to be compared with that of another index: of one by words, what it has found. */
export function answerOf(name: string, index: DatabaseSync): unknown {
  const answer = questions[name]?.(index);
  if (!ranked.includes(name)) return answer;
  const { hits, links, matched } = Object(answer);
  return { ids: (hits ?? links).map(({ id }: { id: string }) => id).toSorted(), matched };
}
