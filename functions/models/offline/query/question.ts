// What a query asks for: its clauses, put together.
import { type FieldSort, type GroupField, type Measure, Where } from '#contract/conditions.ts';
import type { DescribedSource } from '#contract/live-sources.ts';
import type { ModelItem } from '#models/tasks/model-task.ts';
import type { Parsed } from './chart.ts';
import { type GroupSize, type Placed, partsOf } from './clause.ts';
import { dropsOrder, groupsOf, rankable, sizeable, sortOf } from './grouping.ts';
import { conditionsOf, testsOf } from './joined-conditions.ts';
import { BROAD } from './lexicon.ts';
import { orderOf } from './ordering.ts';
import { isFiller, type Text, wordAt } from './text.ts';
import { nounOf, wordsLeft } from './tokens.ts';
import type { Wishes } from './wishes.ts';

/** What a query asks for. */
export interface Question {
  types: string[];
  /** Records that it names, where they are not values of others. */
  names: ModelItem[];
  /** The types of the records that are to be related to them. */
  related: string[];
  where: Where | null;
  sort: FieldSort[];
  /** How many records or groups are requested; null for all. */
  limit: number | null;
  /** Requested instead of records. */
  groups: { group_by: GroupField[]; measures: Measure[] } | null;
  /** How many records each of these groups has; null for any number. */
  size: GroupSize | null;
  wishes: Wishes;
  /** The live source that is asked, and the word that its items must have; null when records are. */
  live: { source: DescribedSource; word: string | null } | null;
  /** Words of the notes that are asked for; null when records are. */
  notes: string | null;
  /** The words that say something which is in no part of this, as written, in order. */
  not_understood: string[];
  /** What the query means as well, where nothing says which of the two; null where something does. */
  rival: Question | null;
  /** Whether it names types. */
  isTyped: boolean;
  /** Whether more is understood than names, places and other bare values. */
  says: boolean;
  /** Whether it asks for everything. */
  isBroad: boolean;
}

interface Around {
  query: string;
  related: string[];
  wishes: Wishes;
  isTyped: boolean;
  /** Whether records are asked for by name. */
  isOfNames: boolean;
  /** Whether notes may be read. */
  readsNotes: boolean;
}

/** The clauses, put together. */
export function questionOf(text: Text, parsed: Parsed, around: Around): Question {
  const { query, wishes, isTyped, isOfNames } = around;
  const { clauses } = parsed;
  const left = new Set(parsed.left);
  const leave = (placed: Pick<Placed, 'at' | 'end'>) => {
    for (let at = placed.at; at < placed.end; at++) left.add(at);
  };
  const tests = testsOf(text, clauses, left, leave);
  const order = orderOf(text, clauses, tests, leave);
  const names = partsOf(clauses, 'name').flatMap(({ part }) => part.item ?? []);
  const groups = isOfNames && order.measures.length === 0 ? null : groupsOf(text, order, tests, leave);
  const isDropped = groups !== null && dropsOrder(text, order, groups);
  // Without a type nothing is selected or ordered.
  const isNothing = text.types.length === 0 && !isOfNames;
  if (isDropped) for (const one of order.ordering) leave(one);
  if (isNothing) for (const one of [...order.ordering, ...order.measuring, ...tests]) leave(one);
  const { where, other } = conditionsOf(clauses, tests, left, leave);
  const sound = where === null || Where.safeParse(where).success;
  const notes = isTyped || !around.readsNotes ? null : notesOf(text);
  const unread = notes === null ? [...left].filter((at) => !isFiller(text, at)).sort((a, b) => a - b) : [];
  const said = wordsLeft(
    query,
    unread.flatMap((at) => text.tokens[at] ?? []),
  );
  const not_understood = said.filter((word) => /[\p{L}\p{N}]/u.test(word));
  const named: Where | null =
    names.length > 0 && (groups || tests.length > 0)
      ? { field: 'name', op: 'in', value: [...new Set(names.map(({ name }) => name))].slice(0, 100) }
      : null;
  const says =
    isTyped ||
    notes !== null ||
    // "How many tickets were sold?" where there are none: the number of all records is no part of an answer.
    (groups !== null && (text.types.length > 0 || not_understood.length === 0)) ||
    order.sort.length > 0 ||
    order.limit !== null ||
    tests.some(({ part }) => !part.bare) ||
    // The name of a field alone does not make sense of the words around it.
    (order.shown.length > 0 && not_understood.length === 0);
  const question: Question = {
    types: [...text.types],
    names: [...new Set(names)],
    related: around.related,
    where: sound ? both(both(where, named), groups ? sizeable(order) : rankable(order)) : null,
    sort: groups ? groups.sort : sortOf(order),
    limit: groups && groups.group_by.length === 0 ? null : order.limit,
    groups: groups && { group_by: groups.group_by, measures: groups.measures },
    size: order.size,
    wishes,
    live: null,
    rival: null,
    notes,
    not_understood: sound
      ? not_understood
      : text.tokens.filter(({ kind }) => kind === 'word' || kind === 'number').map((one) => one.text),
    isTyped,
    says: says && sound,
    isBroad: text.tokens.some(({ word }) => BROAD.has(word)),
  };
  return { ...question, rival: other && sound ? { ...question, where: both(other, named) } : null };
}

const both = (left: Where | null, right: Where | null): Where | null =>
  left && right ? { and: [left, right] } : (left ?? right);

/** What is asked of notes, which have no fields: their words, whatever these mean of records. */
function notesOf(text: Text): string | null {
  const isNote = (i: number) => nounOf(wordAt(text, i)) === 'note';
  if (!text.tokens.some((_, i) => isNote(i))) return null;
  return text.tokens
    .filter((_, i) => !isFiller(text, i) && !isNote(i))
    .map((token) => token.text)
    .join(' ');
}
