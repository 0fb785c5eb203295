// Asks every question of every data set and judges the answers: right, honest about what it does not say, or wrong
// without a word. Understanding is timed over a large data set.
import type { DataSet, Question, Row } from '#domain/evaluation/truth.ts';
import type { Findings, Flags } from '../proof.ts';
import { type Answer, indexOf, judge, type Outcome } from './ask.ts';
import { clinic } from './clinic.ts';
import { estate } from './estate.ts';
import { fleet } from './fleet.ts';
import { library } from './library.ts';
import { shop } from './shop.ts';

/** The data sets. */
export const sets = [shop, clinic, fleet, estate, library];
/** The share of the answerable questions that must come out right. */
const RIGHT_AT_LEAST = 0.85;

/** Every question's outcome; of each data set only every `step`-th. */
export function askAll(
  seed: number,
  step = 1,
): { set: string; question: Question; answer: Answer; outcome: Outcome }[] {
  return sets.flatMap((make) => {
    const { name, rows, questions }: DataSet = make(seed);
    const ask = indexOf(rows);
    return questions
      .filter((_, i) => i % step === 0)
      .map((question) => {
        const answer = ask(question[0]);
        return { set: name, question, answer, outcome: judge(answer, question[1]) };
      });
  });
}

/** Prints a line for each data set and each question that did not come out right. */
export async function proveQuestions({ records, seed }: Flags<'records'>): Promise<Findings> {
  const asked = askAll(seed);
  const table = sets.map(({ name }) => {
    const own = asked.filter(({ set }) => set === name);
    const of = (outcome: Outcome, isAnswerable: boolean) =>
      own.filter((one) => one.outcome === outcome && (one.question[1] !== null) === isAnswerable).length;
    return {
      set: name,
      ...{ right: of('right', true), honest: of('honest', true), wrong: of('wrong', true) },
      ...{ unanswerable_honest: of('honest', false), unanswerable_wrong: of('wrong', false) },
    };
  });
  const answerable = asked.filter(({ question }) => question[1] !== null);
  const share = answerable.filter(({ outcome }) => outcome === 'right').length / answerable.length;
  const shown = asked.filter(({ outcome, question }) => outcome === 'honest' && question[1] !== null);
  return {
    questions: asked.length,
    unanswerable: asked.length - answerable.length,
    table,
    right_share: Math.round(share * 1000) / 1000,
    honest_of_answerable: shown.map(({ question, answer }) => ({
      question: question[0],
      words: answer.words,
    })),
    understanding_median_ms: understandingMs(seed, records),
    breaches: [
      ...asked
        .filter(({ outcome }) => outcome === 'wrong')
        .map(({ set, question, answer }) => `${set}: ${question[0]} ${JSON.stringify(answer.params)}`),
      ...(share < RIGHT_AT_LEAST ? [`only ${share} of the answerable questions are right`] : []),
    ],
  };
}

/** The median time to understand a question over about this many records. */
function understandingMs(seed: number, records: number): number {
  const { rows, questions } = shop(seed);
  const many = Array.from({ length: Math.ceil(records / rows.length) }, (_, k) =>
    rows.map((row): Row => (k === 0 ? row : { ...row, name: `${row.name} ${k}` })),
  ).flat();
  const ask = indexOf(many);
  const times = questions.map(([text]) => ask(text).understanding_ms).toSorted((a, b) => a - b);
  return Math.round((times[Math.floor(times.length / 2)] ?? 0) * 10) / 10;
}
