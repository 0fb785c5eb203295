// Understanding: whether a query has one reasonable interpretation, and what of it none of its readings says, before a
// run exists (rules.md: query 2, query 5).

import type { ModelItem } from '#models/tasks/model-task.ts';
import type { InputOf, OutputOf } from '#models/tasks/task-registry.ts';
import { contentWords, wordsOf } from '#platform/words.ts';
import { fieldsOf, humanName, listed, plural, shown } from './items.ts';
import { titleOf } from './plan.ts';
import type { Question } from './query/question.ts';
import { readQuery } from './query/read-query.ts';
import type { Triggers } from './triggers.ts';
import { typeOf } from './vocabulary.ts';

/** The verdict on a query without triggers. Ordinary requests are clear; only obvious cases are not. */
export function understand(input: InputOf<'understand'>, triggers: Triggers): OutputOf<'understand'> {
  const question = readQuery(input);
  // Where there are no records, no word can mean one: the answer says that there are none.
  const not_understood = input.shape.types.length === 0 ? [] : question.not_understood;
  const { rival } = question;
  const interpretation = rival
    ? `Read as: ${titleOf(question)}. It may mean as well: ${titleOf(rival)}.`
    : interpret(input.query, question);
  const reading = { interpretation, not_understood };
  if (triggers.ambiguous || (rival && not_understood.length === 0))
    return { verdict: 'ambiguous', reason: 'multiple_interpretations', ...reading };
  if (!question.says && question.names.length === 0 && question.where === null) {
    const isSilent = question.not_understood.length === 0;
    if (isSilent && !question.wishes.transform) {
      return { verdict: 'ambiguous', reason: question.isBroad ? 'too_broad' : 'missing_subject', ...reading };
    }
  }
  if (not_understood.length > 0 && !question.says)
    return { verdict: 'ambiguous', reason: 'not_understood', ...reading };
  const rivals = question.live ? [] : rivalsIn(input.query, input.candidates);
  if (rivals.length === 0) return { verdict: 'clear', ...reading };
  return {
    verdict: 'entity_ambiguous',
    question: `Which ${rivals[0]?.name} do you mean: ${rivals.slice(0, 5).map(introduced).join('; or ')}?`,
    candidate_ids: rivals.map(({ id }) => id),
    ...reading,
  };
}

function interpret(query: string, question: Question): string {
  const types = question.names.length > 0 ? [] : question.types.map((type) => plural(type, 2));
  const names = [...new Set(question.names.map(({ name }) => name))].slice(0, 3);
  const records = listed([...types, ...names]) || 'the records of the workspace';
  const subject = question.live ? `what ${question.live.source.name} has` : records;
  const words = query
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/(?<![.?!])[.?!]+$/, '');
  return words === ''
    ? `Read as a request about ${subject}.`
    : `Read as a request about ${subject}: ${words}.`;
}

/** Candidates of one name that the query's other words do not distinguish; [] when the query is unambiguous. */
function rivalsIn(query: string, candidates: ModelItem[]): ModelItem[] {
  if (/\b(all|every|each|both|named|called|duplicates?)\b/i.test(query)) return [];
  const groups = Map.groupBy(candidates, ({ name }) => wordsOf(name).join(' '));
  const text = ` ${wordsOf(query).join(' ')} `;
  const mentioned = [...groups.keys()].filter((name) => name !== '' && text.includes(` ${name} `));
  for (const name of mentioned) {
    const group = groups.get(name) ?? [];
    const partOfLonger = mentioned.some((other) => other !== name && ` ${other} `.includes(` ${name} `));
    if (group.length < 2 || partOfLonger) continue;
    const rest = contentWords(text.replace(` ${name} `, ' '));
    const fits = group.map((item) => fitOf(item, rest));
    const best = Math.max(...fits);
    const rivals = group.filter((_, i) => fits[i] === best);
    if (rivals.length > 1) return rivals;
  }
  return [];
}

function fitOf(item: ModelItem, words: string[]): number {
  const own = new Set(fieldsOf(item).flatMap(({ value }) => wordsOf(shown(value))));
  const type = wordsOf(humanName(item.type)).map(typeOf);
  return words.filter((word) => own.has(word) || type.includes(typeOf(word))).length;
}

function introduced(item: ModelItem): string {
  const facts = fieldsOf(item)
    .filter(({ value }) => shown(value).length <= 60)
    .slice(0, 2)
    .map(({ key, value }) => `${humanName(key)} ${shown(value)}`);
  return facts.length > 0
    ? `the ${humanName(item.type)} with ${facts.join(', ')}`
    : `the ${humanName(item.type)} ${item.id}`;
}
