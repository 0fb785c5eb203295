// Asks the offline model a question over records in an index, as the service does, and judges the answer.
import { type FetchParams, recordsToAsk } from '#domain/evaluation/records-to-ask.ts';
import { type Found, isTrue, type Row, type Truth } from '#domain/evaluation/truth.ts';
import { plan } from '#models/offline/plan.ts';
import { readTriggers } from '#models/offline/triggers.ts';
import { understand } from '#models/offline/understand.ts';

export type Outcome = 'right' | 'honest' | 'wrong';

export interface Answer {
  /** Words that were not understood; null when the query was refused. */
  words: string[] | null;
  found: Found | null;
  params: unknown;
  understanding_ms: number;
}

/** An index of the rows, and what answers questions over it. */
export function indexOf(rows: readonly Row[]): (query: string) => Answer {
  const { known, found } = recordsToAsk(rows);
  return (query) => {
    const begun = performance.now();
    const asked = { query, ...known(query) };
    const verdict = understand({ ...asked, strict_mode: true }, readTriggers('').triggers);
    const understanding_ms = performance.now() - begun;
    if (verdict.verdict !== 'clear') return { words: null, found: null, params: verdict, understanding_ms };
    const [first] = plan({ ...asked, interpretation: verdict.interpretation }).steps;
    const params: FetchParams = first?.params ?? {};
    return { words: verdict.not_understood, found: found(params), params, understanding_ms };
  };
}

/** Right; honest: it says what it did not understand, or is refused; or wrong without a word. */
export function judge({ words, found }: Answer, truth: Truth): Outcome {
  if (words === null || words.length > 0) return 'honest';
  return truth !== null && found !== null && isTrue(found, truth) ? 'right' : 'wrong';
}
