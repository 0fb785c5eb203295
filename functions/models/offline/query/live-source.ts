// The live source that a query names: "… from crm", "in crm".
import type { DescribedSource } from '#contract/live-sources.ts';

/** A query that names a source, and the rest of it. */
export interface NamedSource {
  source: DescribedSource;
  rest: string;
}

/** The source named last, of several at one place the one with the longest name; undefined if none is. */
export function namedSource(query: string, sources: readonly DescribedSource[]): NamedSource | undefined {
  const found = sources.flatMap((source) => {
    const match = [...query.matchAll(mentionOf(source.name))].at(-1);
    return match ? [{ source, at: match.index, length: match[0].length }] : [];
  });
  const [best] = found.toSorted((left, right) => right.at - left.at || right.length - left.length);
  if (!best) return undefined;
  const rest = query.slice(0, best.at) + query.slice(best.at + best.length);
  return { source: best.source, rest: rest.trim() };
}

/** A name's parts may be joined by spaces. */
function mentionOf(name: string): RegExp {
  const spelled = name.replace(/[-_]+/g, '[-_ ]+');
  return new RegExp(
    `(?<![\\p{L}\\p{N}])(?:from|in|of|via)\\s+(?:(?:the|our|my)\\s+)?["'\`]?${spelled}["'\`]?(?![\\p{L}\\p{N}_-])`,
    'giu',
  );
}
