// Discovery: which candidate records add most to the items.
import type { InputOf, OutputOf } from '#models/tasks/task-registry.ts';
import { rankByWords } from '#platform/lexical-ranking.ts';
import { type Field, fieldsOf, humanName, listed, shown, textOf } from './items.ts';
import { subjectWords } from './relevance.ts';

const LINKS_WEIGHT = 0.5;
const WORDS_WEIGHT = 0.35;
const SHARED_WEIGHT = 0.15;
const SHOWN = 3;

const valueKey = ({ key, value }: Field) => `${key}=${JSON.stringify(value)}`;

/** Ranks candidates by links to the items, similarity to the instructions and shared values; at most `limit`. */
export function discover({
  instructions,
  items,
  candidates,
  limit,
}: InputOf<'discover'>): OutputOf<'discover'> {
  const docs = candidates.map((candidate) => ({ id: candidate.id, text: textOf(candidate) }));
  const ranked = rankByWords(subjectWords(instructions).join(' '), docs);
  const likeness = new Map(ranked.map(({ id, score }) => [id, score / (ranked[0]?.score ?? 1)]));
  const names = new Map(items.map(({ id, name }) => [id, name]));
  const values = new Set(items.flatMap((item) => fieldsOf(item).map(valueKey)));
  const mostLinks = Math.max(1, ...candidates.map(({ links }) => links.length));
  const picks = candidates.map((candidate) => {
    const { id, links } = candidate;
    const linked = [...new Set(links.map((link) => names.get(link) ?? link))];
    const shared = fieldsOf(candidate).filter((field) => values.has(valueKey(field)));
    const like = likeness.get(id) ?? 0;
    const score =
      (LINKS_WEIGHT * links.length) / mostLinks +
      WORDS_WEIGHT * like +
      SHARED_WEIGHT * Math.min(1, shared.length / SHOWN);
    const common = shared.slice(0, SHOWN).map(({ key, value }) => `${humanName(key)} ${shown(value)}`);
    const reasons = [
      ...(linked.length > 0 ? [`linked by ${listed(linked.slice(0, SHOWN))}`] : []),
      ...(common.length > 0 ? [`shares ${listed(common)}`] : []),
      ...(like > 0 ? ['answers the words of the instructions'] : []),
    ];
    const reason = reasons.join('; ') || `another ${humanName(candidate.type)} of the workspace`;
    return { id, score: Math.round(score * 1e6) / 1e6, reason };
  });
  return { picks: picks.toSorted((left, right) => right.score - left.score).slice(0, limit) };
}
