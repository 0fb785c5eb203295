// Asks every question of every vocabulary and judges the answers: right, honest about what it does not say, or wrong
// without a word. Understanding is timed over a large data set.
import { TODAY } from '#domain/evaluation/records-to-ask.ts';
import type { Findings, Flags } from '../proof.ts';
import { type Answer, indexOf, judge, type Outcome } from './ask.ts';
import type { Asked, Vocabulary } from './asked.ts';
import { generated } from './generated.ts';
import { type Known, knownOf } from './oracle/known.ts';
import { lost } from './oracle/oracle.ts';
import { LONGEST_MS_MAX, QUESTION_MS_MAX, timesOver } from './times.ts';
import { seeded, written } from './vocabularies.ts';

/** The share of the answerable questions that must come out right, of the seeded vocabularies and of all. */
const RIGHT_AT_LEAST = { seeded: 0.85, all: 0.8 };

export interface Judged {
  vocabulary: string;
  asked: Asked;
  answer: Answer;
  outcome: Outcome;
  /** The load-bearing words that are neither in the plan nor named. */
  lost: string[];
}

/** The outcome of every question of these vocabularies; of each only every `step`-th. */
export function askAll(vocabularies: readonly Vocabulary[], step = 1): Judged[] {
  return vocabularies.flatMap(({ name, rows, asked }) => {
    const ask = indexOf(rows);
    const known = knownOf(rows);
    return asked
      .filter((_, i) => i % step === 0)
      .map((question) => {
        const answer = ask(question[1]);
        const lost = lostIn(question[1], answer, known);
        return { vocabulary: name, asked: question, answer, lost, outcome: judge(answer, question, lost) };
      });
  });
}

/** A refusal loses nothing. */
function lostIn(text: string, { words, params, found }: Answer, known: Known): string[] {
  if (words === null) return [];
  const names = found?.kind === 'records' ? found.names : [];
  return lost(text, { params, names, words, today: TODAY }, known);
}

/** Whether a plan can answer it. */
const isAnswerable = ({ asked: [, , truth] }: Judged): boolean => typeof truth !== 'string';

/** The share of the answerable questions that came out right. */
export function rightShare(all: readonly Judged[]): number {
  const answerable = all.filter(isAnswerable);
  const right = answerable.filter(({ outcome }) => outcome === 'right');
  return Math.round((right.length / answerable.length) * 1000) / 1000;
}

/** Counts a line for each vocabulary and kind, and shows each question that was answered wrongly without a word. */
export async function proveQuestions({
  records,
  generated: count,
  seed,
}: Flags<'records' | 'generated'>): Promise<Findings> {
  const long = askAll(seeded(seed));
  const all = [...long, ...askAll([...written, generated(seed, count)])];
  const answerable = all.filter(isAnswerable);
  const times = timesOver(seed, records);
  const shares = { seeded: rightShare(long), all: rightShare(all) };
  return {
    questions: all.length,
    not_promised: all.length - answerable.length,
    by_vocabulary: tally(all, ({ vocabulary }) => vocabulary),
    by_kind: tally(all, ({ asked: [kind] }) => kind),
    right_share: shares,
    honest_of_answerable: answerable
      .filter(({ outcome }) => outcome === 'honest')
      .map(({ vocabulary, asked, answer }) => `${vocabulary}: ${asked[1]} ${JSON.stringify(answer.words)}`),
    times,
    breaches: [
      ...all
        .filter(({ outcome }) => outcome === 'wrong')
        .map(
          ({ vocabulary, asked, answer }) => `${vocabulary}: ${asked[1]} ${JSON.stringify(answer.params)}`,
        ),
      ...(times.question_slowest_ms > QUESTION_MS_MAX ? ['a question took too long'] : []),
      ...Object.entries(times.longest_ms)
        .filter(([, ms]) => ms > LONGEST_MS_MAX)
        .map(([text, ms]) => `the longest text of ${text} took ${ms} ms`),
      ...(shares.seeded < RIGHT_AT_LEAST.seeded || shares.all < RIGHT_AT_LEAST.all
        ? [`too few of the answerable questions are right: ${JSON.stringify(shares)}`]
        : []),
    ],
  };
}

/** How many were asked, and came out right, honest and wrong. */
function tally(all: readonly Judged[], by: (judged: Judged) => string) {
  return Object.fromEntries(
    [...Map.groupBy(all, by)].map(([name, own]) => {
      const of = (outcome: Outcome) => own.filter((one) => one.outcome === outcome).length;
      return [name, { asked: own.length, right: of('right'), honest: of('honest'), wrong: of('wrong') }];
    }),
  );
}
