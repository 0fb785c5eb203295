// A query over records in exact terms: types, condition, order, count, groups; and whether it says more than that.
import { type FieldSort, type Measure, nameOfPath, Where } from '#contract/conditions.ts';
import type { OutlineField } from '#contract/record-queries.ts';
import type { InputOf } from '#models/tasks/index.ts';
import type { Sentence } from './clause.ts';
import { readConditions } from './conditions.ts';
import { allOf, conditionsOf } from './field-conditions.ts';
import { bestFields, fieldsOfTypes, hasNumbers, isDated, SUBJECT, shapeOfFields } from './known-fields.ts';
import { type MeasureWords, readMeasure } from './measure-words.ts';
import { type OrderWords, readOrder } from './order-words.ts';
import { typeMentions, typesNamed } from './type-mentions.ts';
import { markValues } from './value-marks.ts';
import { type Wish, wishesOf, withoutTail } from './wishes.ts';

export interface Question {
  types: string[];
  where: Where | null;
  sort: FieldSort[];
  /** How many records are requested; null for all. */
  limit: number | null;
  /** Requested instead of records. */
  groups: { group_by: OutlineField[]; measure: Measure } | null;
  /** Whether the query says more about the records than conditions can. */
  open: boolean;
  /** What else the query asks to have done. */
  wishes: Wish;
}

type Input = InputOf<'plan'>;

/** Parses a query without triggers. */
export function readQuestion(input: Input): Question {
  const order = readOrder(input.query, input.shape);
  const measured = readMeasure(order.text, input.shape);
  if (measured && withoutTail(measured.rest) === measured.rest) {
    const question = questionOf(measured.rest, measured.types, order, input);
    if (!question.open && order.limit === null) return grouping(question, measured, order);
  }
  const wishes = wishesOf(order.text);
  return questionOf(wishes.selection, typesNamed(order.text, input.shape), order, input);
}

function grouping(
  question: Question,
  { group_by, measure }: MeasureWords,
  { direction }: OrderWords,
): Question {
  const sort: FieldSort[] = direction ? [{ field: measure.as, direction }] : [];
  const wishes = { ...question.wishes, analyze: false, discover: false, transform: null };
  return { ...question, sort, wishes, groups: { group_by, measure } };
}

/** What a text asks of records of these types. */
function questionOf(text: string, types: string[], order: OrderWords, input: Input): Question {
  const { fields, sentences, marks, plain } = read(text, types, input);
  const stated = conditionsOf(sentences, { fields, marks });
  const where = stated.all.length === 0 ? null : allOf(stated.all);
  const { sort, numbers } = orderOf(order, sentences, fields);
  const guarded = order.limit !== null && numbers ? allOf([...stated.all, numbers]) : where;
  const sound = guarded === null || Where.safeParse(guarded).success;
  return {
    types,
    where: sound ? guarded : null,
    sort,
    limit: order.limit,
    groups: null,
    open: stated.open || !sound || !plain,
    wishes: wishesOf(input.query),
  };
}

/** The sentences of a text, parsed with the fields of the types and the mentioned values. */
function read(text: string, types: string[], { shape, values }: Input) {
  const fields = fieldsOfTypes(shape, types);
  const theirs = values.filter((value) => value.types.some((type) => types.includes(type)));
  const marked = markValues(text, theirs, shape);
  const mentions = typeMentions(marked.text, shape);
  const sentences = readConditions(withSubject(marked.text, mentions), shapeOfFields(fields, marked.marks));
  const between = mentions.slice(1).map(({ start }, i) => marked.text.slice(mentions[i]?.end, start));
  // Types that are not just listed are related somehow, which no condition expresses.
  const plain = between.every((joint) =>
    /^[\s,&/]*(?:(?:and|or)\s+)?(?:the\s+|all\s+|our\s+)*$/i.test(joint),
  );
  return { fields, sentences, marks: marked.marks, plain };
}

function withSubject(text: string, mentions: { start: number; end: number }[]): string {
  return mentions.reduceRight(
    (rest, { start, end }) => `${rest.slice(0, start)}${SUBJECT}${rest.slice(end)}`,
    text,
  );
}

/** The requested order, and a condition that excludes values of other kinds when ranking by a numeric field. */
function orderOf(
  { by, direction }: OrderWords,
  sentences: Sentence[],
  fields: OutlineField[],
): { sort: FieldSort[]; numbers?: Where } {
  if (by === 'name') return { sort: [{ field: 'name', direction: direction ?? 'asc' }] };
  const rank = sentences.find((sentence) => sentence.rank !== null)?.rank;
  const dated = by === 'age' ? datedIn(sentences, fields) : undefined;
  if (by === 'age')
    return {
      sort: [{ field: dated ? nameOfPath(dated.path) : 'created_at', direction: direction ?? 'desc' }],
    };
  const [field] = rank
    ? [...bestFields(rank.keys, fields, hasNumbers), ...bestFields(rank.keys, fields)]
    : [];
  if (!rank || !field) return { sort: [] };
  const name = nameOfPath(field.path);
  const descending = hasNumbers(field) || isDated(field) ? rank.descending : false;
  const sort: FieldSort[] = [{ field: name, direction: direction ?? (descending ? 'desc' : 'asc') }];
  const mixed = hasNumbers(field) && field.kinds.length > 1;
  return mixed ? { sort, numbers: { field: name, op: '>=', value: -Number.MAX_VALUE } } : { sort };
}

/** The date field that the sentences refer to. */
function datedIn(sentences: Sentence[], fields: OutlineField[]): OutlineField | undefined {
  const tests = sentences.flatMap(({ clauses }) =>
    clauses.flatMap(({ requirements }) => requirements.flat()),
  );
  const keys = tests.flatMap((test) => (test.kind === 'compare' ? (test.keys ?? []) : []));
  const ranked = sentences.flatMap(({ rank }) => rank?.keys ?? []);
  return bestFields([...keys, ...ranked], fields, isDated)[0];
}
