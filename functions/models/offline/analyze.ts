// Analysis: findings about the items, written from their data.
import type { InputOf, OutputOf } from '#models/tasks/task-registry.ts';
import { contentWords } from '#platform/words.ts';
import { lineOf } from './in-words.ts';
import { counted, listed, within } from './items.ts';
import { bestFirst, subjectWords, tellingSentences } from './relevance.ts';
import { groupings, measures, partOf } from './statistics.ts';

/** Markdown findings within `max_tokens`: what there is, its groups, its numbers, the best matches for the question. */
export function analyze({
  focus,
  instructions,
  items,
  found,
  context,
  max_tokens,
}: InputOf<'analyze'>): OutputOf<'analyze'> {
  const question = `${focus} ${instructions}`;
  const asked = contentWords(question);
  const words = subjectWords(question);
  const part = partOf({ items, found });
  const closest = bestFirst(words, items)
    .slice(0, 5)
    .map((item) => lineOf(item, words, 4));
  const heard = tellingSentences(words, context, 5).map((line) => line.replace(/^[-*]\s+/, ''));
  const parts = [
    `**Scope.** The findings rest on ${part || counted(found)}.`,
    ...groupings(items, asked, 3),
    ...measures(items, asked, 4, part),
    ...(closest.length > 0 ? [`**Closest to the question.**\n${closest.join('\n')}`] : []),
    ...(heard.length > 0 ? [`**From the steps before.** ${listed(heard)}`] : []),
  ];
  return { findings: within(parts.join('\n\n'), max_tokens) };
}
