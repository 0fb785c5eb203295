// Turns what a query says about fields into a condition over records, where it is certain.
import { type Condition, nameOfPath, type Scalar, type Where } from '#contract/conditions.ts';
import type { MentionedValue, OutlineField } from '#contract/record-queries.ts';
import { stem } from '#platform/words.ts';
import type { Clause, Requirement, Sentence, Test } from './clause.ts';
import { comparisonOf } from './field-comparison.ts';
import { bestFields, SUBJECT } from './known-fields.ts';

/** What a query can refer to: fields of its types, and its marked values. */
export interface Vocabulary {
  fields: OutlineField[];
  marks: Map<string, MentionedValue[]>;
}

/** Conditions that must all be true; `open` when the query says more than they do. */
export interface FieldConditions {
  all: Where[];
  open: boolean;
}

/** Parses sentences; anything that refers to no known field or value leaves the question open. */
export function conditionsOf(sentences: Sentence[], vocabulary: Vocabulary): FieldConditions {
  const parsed = sentences.flatMap(({ mood, clauses }) =>
    mood === 'keep'
      ? clauses.map((clause) => clauseOf(clause, vocabulary))
      : [
          {
            all: [],
            open: clauses.some(({ requirements, types }) => requirements.length + types.length > 0),
          },
        ],
  );
  const all = parsed.flatMap((one) => one.all);
  return { all: alternatives(all, vocabulary.fields), open: parsed.some(({ open }) => open) };
}

/** Several values of a single-valued field are alternatives, however they are joined: "in Oslo and in Rome". */
function alternatives(all: Where[], fields: OutlineField[]): Where[] {
  const lists = fields.filter(({ kinds }) => kinds.includes('list')).map(({ path }) => nameOfPath(path));
  const groups = Map.groupBy(all, (one) => {
    const field = 'op' in one && (one.op === '=' || one.op === 'in') ? one.field : undefined;
    return field === undefined || lists.includes(field) ? one : field;
  });
  return [...groups.values()].map(anyOf);
}

function clauseOf(clause: Clause, vocabulary: Vocabulary): FieldConditions {
  const { requirements, negated, types } = clause;
  const read = requirements.filter(says).map((requirement) => requirementOf(requirement, vocabulary));
  const all = read.flatMap((one) => one ?? []);
  const open = read.includes(undefined);
  if (!negated) return { all, open };
  // A negated clause that is only partly understood would exclude too much.
  if (open || all.length === 0) return { all: [], open: open || types.length > 0 };
  return { all: [{ not: allOf(all) }], open };
}

/** The word for the requested type adds no requirement. */
function says(requirement: Requirement): boolean {
  return requirement.some(
    (test) => test.kind !== 'words' || test.keys !== null || test.words.join() !== stem(SUBJECT),
  );
}

/** The conditions of a requirement, all of which must be true; undefined when one of its tests is uncertain. */
function requirementOf(requirement: Requirement, vocabulary: Vocabulary): Where[] | undefined {
  const marked = requirement.map((test) => (test.kind === 'words' ? valuesOf(test, vocabulary) : undefined));
  const values = marked.flatMap((one) => one ?? []);
  // "software companies in Oslo or Rome": adjacent wordings are separated by their fields.
  if (!marked.includes(undefined) && marked.some((one) => (one?.length ?? 0) > 1))
    return [...Map.groupBy(values, (one) => one.map(({ path }) => path).join())].map(([, same]) =>
      anyOf(same.flatMap(equalities)),
    );
  const parts = requirement.map((test, i) => {
    const said = marked[i];
    return said ? anyOf(said.flatMap(equalities)) : testOf(test, vocabulary);
  });
  const certain = parts.filter((part) => part !== undefined);
  return certain.length === parts.length ? [anyOf(certain)] : undefined;
}

/** The values that the words of a test stand for, one list per mark; undefined when a word is not a mark. */
function valuesOf(
  { words, keys }: Extract<Test, { kind: 'words' }>,
  { marks }: Vocabulary,
): MentionedValue[][] | undefined {
  const values = words.map((word) => {
    const all = marks.get(word) ?? [];
    const named = all.filter(({ path }) => keys?.includes(path));
    return named.length > 0 ? named : all;
  });
  return values.every((one) => one.length > 0) ? values : undefined;
}

function equalities(values: MentionedValue[]): Where[] {
  return values.map(({ path, value }) => ({ field: nameOfPath(path), op: '=', value }));
}

function testOf(test: Test, { fields }: Vocabulary): Where | undefined {
  if (test.kind === 'words' || test.keys === null) return undefined;
  const { keys } = test;
  if (test.kind === 'compare') {
    const parts = bestFields(
      keys,
      fields,
      (field) => comparisonOf(field, test.comparison) !== undefined,
    ).flatMap((field) => comparisonOf(field, test.comparison) ?? []);
    return parts.length > 0 ? anyOf(parts) : undefined;
  }
  const named = fields.filter(({ path }) => keys.includes(path));
  return named.length > 0 ? anyOf(named.map(present)) : undefined;
}

/** A flag that is set, or a field that is present. */
function present({ path, kinds }: OutlineField): Where {
  const field = nameOfPath(path);
  return kinds.includes('boolean') ? { field, op: '=', value: true } : { field, op: 'exists', value: true };
}

/** Any of the conditions; conditions on the same field become one `in`. */
function anyOf(conditions: Where[]): Where {
  const byField = Map.groupBy(conditions.filter(isEquality), ({ field }) => field);
  const others = conditions.filter((condition) => !isEquality(condition));
  const parts: Where[] = [
    ...[...byField].map(([field, same]): Where => {
      const [value, ...more] = [...new Set(same.map((one) => one.value))];
      return value === undefined || more.length > 0
        ? { field, op: 'in', value: value === undefined ? [] : [value, ...more] }
        : { field, op: '=', value };
    }),
    ...others,
  ];
  const [only] = parts;
  return only && parts.length === 1 ? only : { or: parts };
}

function isEquality(where: Where): where is Condition & { op: '='; value: Scalar } {
  return 'op' in where && where.op === '=';
}

/** All of the conditions; there must be at least one. */
export function allOf(conditions: Where[]): Where {
  const [only] = conditions;
  return only && conditions.length === 1 ? only : { and: conditions };
}
