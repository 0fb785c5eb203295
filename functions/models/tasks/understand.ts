// The task `understand`: reads a query before the run exists.
import * as z from 'zod';
import { defineTask, type KnownWorkspace, Text } from './task.ts';

interface Input extends KnownWorkspace {
  query: string;
  strict_mode: boolean;
}

const reasons = ['multiple_interpretations', 'missing_subject', 'too_broad', 'not_understood'] as const;

type Output = {
  interpretation: string;
  /** The words of the query that the records cannot answer, as written, in order. */
  not_understood: string[];
} & (
  | { verdict: 'clear' }
  | { verdict: 'ambiguous'; reason: (typeof reasons)[number] }
  /** The query names a record that several records, or none, match. */
  | { verdict: 'entity_ambiguous'; question: string; candidate_ids: string[] }
);

const Answer = z.object({
  verdict: z.enum(['clear', 'ambiguous', 'entity_ambiguous']),
  interpretation: Text,
  not_understood: z.array(z.string()),
  reason: z.enum(reasons).nullable(),
  question: z.string().nullable(),
  candidate_ids: z.array(z.string()),
});

export const understand = defineTask<Input, Output, typeof Answer>({
  prompt:
    'Decide whether the query has one reasonable reading over the record types of the workspace. Verdict `clear` for every query that a ' +
    'sensible colleague could start on. `ambiguous` only when there is no subject (missing_subject), when it asks for everything ' +
    '(too_broad), when readings differ so much that work on the wrong one would be wasted (multiple_interpretations), or when nothing of ' +
    'it but a name or a place has to do with these records (not_understood). ' +
    '`entity_ambiguous` when it names one record that several candidates answer to equally: ask a question that tells them apart and give ' +
    'their ids. `interpretation` is always one sentence with the best reading. `not_understood` lists, as written and in order, every word ' +
    'of the query that says something which no type, field, value, name, number, date, order or group of this workspace can express; words ' +
    'about the asking do not count, nor do those about a live source (`sources` of `shape`) and what its description says. Never read such a word as something near to it. Unused fields are null or empty.',
  request: ['query', 'strict_mode', 'today'],
  answer: Answer,
  judge({ verdict, interpretation, not_understood, reason, question, candidate_ids }, { candidates, query }) {
    const strange = not_understood.find((word) => word === '' || !query.includes(word));
    if (strange !== undefined) return `"${strange}" in not_understood is no word of the query.`;
    const reading = { interpretation, not_understood };
    if (verdict === 'clear') return { verdict, ...reading };
    if (verdict === 'ambiguous') {
      if (reason === null) return 'An ambiguous query needs a reason.';
      if (reason === 'not_understood' && not_understood.length === 0)
        return 'not_understood needs its words.';
      return { verdict, reason, ...reading };
    }
    if (question === null || question === '') return 'An ambiguous record needs a question.';
    const known = new Set(candidates.map(({ id }) => id));
    return candidate_ids.every((id) => known.has(id))
      ? { verdict, question, candidate_ids, ...reading }
      : 'candidate_ids may hold ids of the candidates only.';
  },
});
