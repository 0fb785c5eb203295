// The search of the reference: which entries have the words, the most wanted first.

/** An entry of the index. */
export interface Entry {
  title: string;
  /** Address below the site. */
  at: string;
  in: string;
  rank: number;
  words: string;
}

/** Words that tell nothing apart. */
const FILLER = /^(an?|and|are|by|can|do|for|from|how|i|in|is|it|of|on|or|the|to|what|with|you)$/;

/** The words to look for, without the `s` of a plural; fillers alone are words, too. */
function wordsOf(query: string): string[] {
  const all = query
    .toLowerCase()
    .split(/[\s,?]+/)
    .filter(Boolean);
  const telling = all.filter((word) => !FILLER.test(word));
  return (telling.length > 0 ? telling : all).map((word) => word.replace(/(?<=\w{3}[^s])s$/, ''));
}

/** How well one word matches; 0 if it does not. */
function scoreOf(word: string, title: string, { words, in: within }: Entry): number {
  const own = title.split(/[^\p{L}\p{N}_]+/u);
  if (own.includes(word)) return 10;
  if (own.some((one) => one.startsWith(word))) return 6;
  if (within.toLowerCase().startsWith(word)) return 4;
  if (` ${words}`.includes(` ${word}`)) return 2;
  return title.includes(word) || words.includes(word) ? 1 : 0;
}

/** The entries that have every word of the query, best first. */
export function search(entries: readonly Entry[], query: string): Entry[] {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  return entries
    .flatMap((entry) => {
      const title = entry.title.toLowerCase();
      const scores = words.map((word) => scoreOf(word, title, entry));
      return scores.includes(0) ? [] : [{ entry, score: scores.reduce((a, b) => a + b, entry.rank) }];
    })
    .sort((a, b) => b.score - a.score)
    .map(({ entry }) => entry);
}
