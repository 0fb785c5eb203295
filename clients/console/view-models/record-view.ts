// Which records of a type are shown: as the address says it, and as a plan asks for it.
import type { CreateRun, EntityType, Plan } from '../../sdk/index.ts';
import type { Query } from './address.ts';
import { isObject } from './draft.ts';
import { scalarText } from './typed-text.ts';

type Field = EntityType['fields'][number];
type FetchStep = Extract<Plan['steps'][number], { kind: 'fetch' }>;
export type FetchParams = NonNullable<FetchStep['params']>;
export type Where = NonNullable<FetchParams['where']>;
/** A condition without others in it. */
export type Condition = Extract<Where, { op: unknown }>;
export type Operator = Condition['op'];

export interface RecordView {
  words: string;
  conditions: readonly Condition[];
  /** By name where there is none. */
  sorting: { column: string; descending: boolean } | undefined;
  /** From 0. */
  page: number;
  /** Paths of fields, and attributes of the record. */
  columns: readonly string[];
}

export const PAGE_RECORDS = 50;
/** Past the records of a first answer a larger one is asked for, which takes longer. */
const ANSWERS = [1000, 10_000] as const;
/** The most records that pages lead to. */
export const MOST_RECORDS = ANSWERS[1];
/** Of a plan's fetch step. */
const MOST_FIELDS = 50;
const FIRST_COLUMNS = 10;

/** What a condition says of its field, in words. */
export const operatorTexts: Readonly<Record<Operator, string>> = {
  '=': 'is',
  '!=': 'is not',
  '<': 'is less than',
  '<=': 'is at most',
  '>': 'is more than',
  '>=': 'is at least',
  contains: 'contains',
  starts_with: 'starts with',
  in: 'is one of',
  exists: 'is there',
};
const isOperator = (text: unknown): text is Operator =>
  typeof text === 'string' && Object.hasOwn(operatorTexts, text);

/** What the record itself has, next to its fields. */
export const attributes = ['external_uri', 'external_id', 'source', 'created_at', 'updated_at'] as const;

/** The view that an address describes; what it does not say, or says in no known form, is as at first. */
export function viewOf(query: Query, type: EntityType): RecordView {
  const { q = '', where, sort, down, page, columns } = query;
  const chosen = listOf(columns).filter((one) => typeof one === 'string');
  return {
    words: q,
    conditions: listOf(where).filter(isCondition),
    sorting: sort ? { column: sort, descending: down === '1' } : undefined,
    page: Math.max(0, Math.trunc(Number(page ?? 1)) - 1 || 0),
    columns: chosen.length > 0 ? chosen : firstColumns(type),
  };
}

/** The members of an address for conditions, columns, an order or words; another view begins at its first page. */
export const addressOf = {
  conditions: (conditions: readonly Condition[]) => ({
    where: conditions.length > 0 ? JSON.stringify(conditions) : undefined,
    page: undefined,
  }),
  columns: (columns: readonly string[]) => ({ columns: JSON.stringify(columns) }),
  sorting: (column: string, descending: boolean) => ({
    sort: column,
    down: descending ? '1' : undefined,
    page: undefined,
  }),
  words: (words: string) => ({ q: words || undefined, page: undefined }),
  page: (page: number) => ({ page: page > 0 ? String(page + 1) : undefined }),
} as const;

function listOf(text: string | undefined): unknown[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/** The service checks the value. */
const isCondition = (value: unknown): value is Condition =>
  isObject(value) && typeof value.field === 'string' && isOperator(value.op) && 'value' in value;

const firstColumns = ({ fields }: EntityType) =>
  fields
    .filter(({ kinds }) => kinds.some((kind) => kind !== 'object'))
    .slice(0, FIRST_COLUMNS)
    .map(({ field }) => field);

/** All that a table of the type can show. */
export const columnChoices = ({ fields }: EntityType): string[] => [
  ...fields.map(({ field }) => field),
  ...attributes,
];

/** Longer searches are one text, so that no condition is refused for its size. */
const MOST_WORDS = 4;
const SEARCHED_FIELDS = 8;
const LONGEST_TEXT = 200;

/** Every word is in the name, or in one of the texts. */
function whereOfWords(text: string, { fields }: EntityType): Where[] {
  const trimmed = text.trim().slice(0, LONGEST_TEXT);
  const words = trimmed.split(/\s+/).filter(Boolean);
  const texts = fields.filter(({ kinds }) =>
    kinds.some((kind) => kind === 'string' || kind === 'date' || kind === 'list'),
  );
  const searched = ['name', ...texts.slice(0, SEARCHED_FIELDS).map(({ field }) => field)];
  return (words.length > MOST_WORDS ? [trimmed] : words).map((value) => ({
    or: searched.map((field) => ({ field, op: 'contains', value })),
  }));
}

/** The condition that the records of a view meet; undefined for all of the type. */
export function whereOf({ words, conditions }: RecordView, type: EntityType): Where | undefined {
  const all = [...conditions, ...whereOfWords(words, type)];
  return all.length > 1 ? { and: all } : all[0];
}

/** How many records a page needs to be asked for. */
const limitOf = (page: number) => ((page + 1) * PAGE_RECORDS <= ANSWERS[0] ? ANSWERS[0] : ANSWERS[1]);

/** What a fetch step is asked for: the records of the view in their order, with all that its columns may become. */
export function paramsOf(view: RecordView, type: EntityType): FetchParams {
  const { sorting, page, columns } = view;
  return {
    ...selectionOf(view, type),
    sort: sorting ? [{ field: sorting.column, direction: sorting.descending ? 'desc' : 'asc' }] : 'name_asc',
    limit: limitOf(page),
    fields: [...new Set([...columns, ...columnChoices(type)])].slice(0, MOST_FIELDS),
  };
}

/** The least that shows the page of a view: where records are too long for all that it may become. */
export const pageParamsOf = (view: RecordView, type: EntityType): FetchParams => ({
  ...paramsOf(view, type),
  limit: Math.min((view.page + 1) * PAGE_RECORDS, MOST_RECORDS),
  fields: view.columns.slice(0, MOST_FIELDS),
});

/** The records of a view, in no order. */
export function selectionOf(view: RecordView, type: EntityType): FetchParams {
  const where = whereOf(view, type);
  return { entity_types: [type.type], ...(where && { where }) };
}

/** What a view shows, in words: `ticket, Status is open, with the words “cable”`. */
export function titleOf({ words, conditions }: RecordView, { type }: EntityType): string {
  const parts = [type, ...conditions.map(conditionText), ...(words ? [`with “${words}”`] : [])];
  return parts.join(', ');
}

/** `Status is open`, `Amount (EUR) is more than 3,000`. */
export function conditionText({ field, op, value }: Condition): string {
  if (op === 'exists') return `${field} ${value ? 'is there' : 'is not there'}`;
  return `${field} ${operatorTexts[op]} ${textOf(op, value)}`;
}

/** What is typed for a value. */
export function textOf(op: Operator, value: Condition['value']): string {
  if (op === 'exists') return value ? 'yes' : 'no';
  return Array.isArray(value) ? value.map(String).join(', ') : String(value);
}

/** The condition that is meant by what was typed: values are of the kinds that the field has. */
export function conditionOf(field: string, op: Operator, text: string, type: EntityType): Condition {
  const kinds = type.fields.find((one) => one.field === field)?.kinds ?? [];
  switch (op) {
    case 'exists':
      return { field, op, value: text !== 'no' };
    case 'contains':
    case 'starts_with':
      return { field, op, value: text };
    case 'in':
      return { field, op, value: text.split(',').map((one) => scalarOf(one.trim(), kinds)) };
    case '=':
    case '!=':
      return { field, op, value: scalarOf(text.trim(), kinds) };
    default: {
      const value = scalarOf(text.trim(), kinds);
      return { field, op, value: typeof value === 'boolean' ? text : value };
    }
  }
}

function scalarOf(text: string, kinds: Field['kinds']): string | number | boolean {
  const read = scalarText.read(text);
  if (typeof read === 'number') return kinds.length === 0 || kinds.includes('number') ? read : text;
  if (typeof read === 'boolean') return kinds.length === 0 || kinds.includes('boolean') ? read : text;
  return text;
}

const LONGEST_TITLE = 200;
export const cutTitle = (title: string) =>
  title.length > LONGEST_TITLE ? `${title.slice(0, LONGEST_TITLE - 1)}…` : title;

/** A run that asks about the records of a view: its conditions as a plan, to be edited before it is sent. */
export function askAbout(view: RecordView, type: EntityType): CreateRun {
  const title = cutTitle(`About ${titleOf(view, type)}`);
  const { sorting } = view;
  const params: FetchParams = {
    ...selectionOf(view, type),
    ...(sorting && {
      sort: [{ field: sorting.column, direction: sorting.descending ? 'desc' : 'asc' }],
    }),
  };
  return {
    input_type: 'plan',
    plan: {
      title,
      steps: [
        { kind: 'fetch', title: 'Records', params },
        { kind: 'analyze', title: 'Findings', instructions: 'What stands out?' },
        { kind: 'reconstitute', title: 'Answer', params: { expected_artifacts: ['table', 'text'] } },
      ],
    },
  };
}
