// Discovery: which candidate records add most to the items.
import type { InputOf, OutputOf } from '#models/tasks/index.ts';
import { rankByWords } from '#platform/lexical-ranking.ts';
import { fieldsOf, humanName, listed, shown, textOf } from './items.ts';
import { subjectWords } from './relevance.ts';

type Candidate = InputOf<'discover'>['candidates'][number];

const LINKS_WEIGHT = 0.5;
const WORDS_WEIGHT = 0.35;
const SHARED_WEIGHT = 0.15;

/** Ranks candidates by links to the items, similarity to the instructions and shared values; at most `limit`. */
export function discover(input: InputOf<'discover'>): OutputOf<'discover'> {
  const docs = input.candidates.map((candidate) => ({ id: candidate.id, text: textOf(candidate) }));
  const ranked = rankByWords(subjectWords(input.instructions).join(' '), docs);
  const likeness = new Map(ranked.map(({ id, score }) => [id, score / (ranked[0]?.score ?? 1)]));
  const names = new Map(input.items.map(({ id, name }) => [id, name]));
  const values = new Set(input.items.flatMap((item) => fieldsOf(item).map(valueKey)));
  const mostLinks = Math.max(1, ...input.candidates.map(({ links }) => links.length));
  const picks = input.candidates.map((candidate) => {
    const shared = fieldsOf(candidate).filter((field) => values.has(valueKey(field)));
    const like = likeness.get(candidate.id) ?? 0;
    const score =
      (LINKS_WEIGHT * candidate.links.length) / mostLinks +
      WORDS_WEIGHT * like +
      SHARED_WEIGHT * Math.min(1, shared.length / 3);
    const common = shared.slice(0, 2).map(({ key, value }) => `${humanName(key)} ${shown(value)}`);
    return {
      id: candidate.id,
      score: Math.round(score * 1e6) / 1e6,
      reason: reasonFor(candidate, names, common, like),
    };
  });
  return { picks: picks.sort((a, b) => b.score - a.score).slice(0, input.limit) };
}

function valueKey({ key, value }: { key: string; value: unknown }): string {
  return `${key}=${JSON.stringify(value)}`;
}

function reasonFor(candidate: Candidate, names: Map<string, string>, common: string[], like: number): string {
  const links = [...new Set(candidate.links.map((link) => names.get(link) ?? link))];
  const parts = [
    ...(links.length > 0
      ? [`linked by ${listed(links.slice(0, 3))}${links.length > 3 ? ' and others' : ''}`]
      : []),
    ...(common.length > 0 ? [`shares ${listed(common)}`] : []),
    ...(like > 0 ? ['answers the words of the instructions'] : []),
  ];
  return `${candidate.name}: ${parts.join('; ') || `another ${humanName(candidate.type)} of the workspace`}`;
}
