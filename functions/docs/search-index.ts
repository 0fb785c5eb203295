// What the search of the pages looks through, as JSON: guides, operations, schemas, errors and rules.
import { type Group, groups } from './reference.ts';
import { type Entry, sections } from './sections.ts';

/** An entry as the script reads it. */
export interface Found {
  title: string;
  /** Address below the site. */
  at: string;
  /** The page or list that has it. */
  in: string;
  /** How much sooner than others it is wanted, where it matches as well as they do. */
  rank: number;
  /** What else it is found by. */
  words: string;
}

/** Words of no use in a search. */
const FILLER =
  /^(a|all|also|an|and|another|any|are|as|at|be|because|been|but|by|can|cannot|do|does|each|either|else|every|for|from|gets|has|have|how|if|in|into|is|it|its|itself|least|many|may|more|most|must|neither|never|no|none|not|of|on|one|only|or|other|others|otherwise|same|so|such|than|that|the|their|them|then|there|these|they|this|those|to|too|was|were|what|whatever|when|where|which|while|who|whole|whose|will|with|within|without|would|you|your)$/;

/**
 * The words of a text as the search compares them: each once, in lower case. It finds parts of words, so those that are
 * in another one are left out.
 */
function searchable(text: string): string {
  const found = text.toLowerCase().match(/[\p{L}\p{N}_](?:[\p{L}\p{N}_./-]*[\p{L}\p{N}_])?/gu) ?? [];
  const useful = found.filter((word) => !FILLER.test(word));
  const longestFirst = [...new Set(useful)].sort((a, b) => b.length - a.length);
  return longestFirst.reduce((all, word) => (all.includes(word) ? all : `${all} ${word}`), '').trimStart();
}

const plain = (title: string) => title.replaceAll('`', '');
const addressOf = (href: string) => href.replace('.md', '');

/** A page as a whole: found by its guide, its operations, and its schemas with their fields. */
function pageEntry({ slug, title, description, entries, schemas }: Group): Found {
  const operations = entries.map(({ operation }) => `${operation.summary} ${operation.description ?? ''}`);
  const fields = schemas.flatMap(({ name, schema }) => [
    name.replace(/(?<=[a-z])(?=[A-Z])/g, ' '),
    ...Object.keys(schema.properties ?? {}),
  ]);
  const words = searchable([description, ...operations, ...fields].join(' '));
  return { title, at: `docs/${slug}`, in: 'Page', rank: 3, words };
}

const RANKS: Readonly<Record<string, number>> = { Schemas: -3, Rules: -1, Errors: 0 };

const entryOf =
  (section: string) =>
  (entry: Entry): Found => ({
    title: plain(entry.title),
    at: addressOf(entry.href),
    in: section,
    rank: RANKS[section] ?? (entry.call === undefined ? 1 : 2),
    words: searchable(entry.words),
  });

export const searchIndex: readonly Found[] = [
  ...groups.map(pageEntry),
  ...sections.flatMap(({ title, entries }) => entries.map(entryOf(title))),
];
