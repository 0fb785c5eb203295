// Plans and questions to begin with, made of the workspace's own types and fields.
import type { CreateRun, EntityType } from '../../sdk/index.ts';
import { dateText } from './figures.ts';

type PlanRun = Extract<CreateRun, { input_type: 'plan' }>;
type Step = PlanRun['plan']['steps'][number];
type Field = EntityType['fields'][number];

const table: Step = { kind: 'reconstitute', title: 'Answer', params: { expected_artifacts: ['table'] } };

/** A plan for each way of asking: by a condition, by groups, by the judgement of a model. */
export function plansOf({ type, fields }: EntityType): PlanRun[] {
  const what = pluralOf(type);
  const group = fields.filter(isGrouping).toSorted((a, b) => a.samples.length - b.samples.length)[0];
  const field = fields.find(isAmount) ?? group;
  const title = `${what.slice(0, 1).toUpperCase()}${what.slice(1)}`;
  const fetch = { kind: 'fetch', title } as const;
  const where = field && conditionOf(field);
  return [
    ...(where
      ? [
          planOf(`${title} with a condition`, [
            { ...fetch, params: { source: what, where, limit: 20 } },
            table,
          ]),
        ]
      : []),
    ...(group
      ? [
          planOf(`Number of ${what} by ${wordsOf(group)}`, [
            { ...fetch, params: { source: what, group_by: [group.field] } },
            table,
          ]),
        ]
      : []),
    planOf(`${title} that a model picks`, [
      { ...fetch, params: { source: what, limit: 100 } },
      { kind: 'filter', title: 'Pick', instructions: questionOf(what, group), params: { limit_to: 10 } },
      { kind: 'reconstitute', title: 'Answer', params: { expected_artifacts: ['table', 'text'] } },
    ]),
  ];
}

/** A question about the records of a type. */
export function queryOf({ type, fields }: EntityType): string {
  const amount = fields.find(isAmount);
  return amount ? `Top 5 ${pluralOf(type)} by ${wordsOf(amount)}` : `How many ${pluralOf(type)} are there?`;
}

const planOf = (title: string, steps: Step[]): PlanRun => ({
  input_type: 'plan',
  plan: { title, steps },
});

/** A text with few values, as far as the samples tell. */
const isGrouping = ({ kinds, samples }: Field) =>
  kinds.includes('string') &&
  samples.length > 0 &&
  samples.every((one) => String(one).length <= 30 && dateText(String(one)) === undefined);

const isAmount = ({ kinds, min, max }: Field) =>
  kinds.includes('number') && min !== undefined && max !== undefined && min < max;

const conditionOf = ({ field, min, max, samples }: Field) =>
  typeof min === 'number' && typeof max === 'number'
    ? ({ field, op: '>', value: Math.round((min + max) / 2) } as const)
    : ({ field, op: '=', value: samples[0] ?? '' } as const);

const questionOf = (what: string, group: Field | undefined) =>
  group ? `${what} whose ${wordsOf(group)} is ${group.samples[0]}` : `${what} worth a look`;

const wordsOf = ({ field }: Field) => field.replace(/[_.]+/g, ' ');

function pluralOf(type: string): string {
  if (/[^aeiou]y$/.test(type)) return `${type.slice(0, -1)}ies`;
  return /(s|x|ch|sh)$/.test(type) ? `${type}es` : `${type}s`;
}
