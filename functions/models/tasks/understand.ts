// The task `understand`: reads a query before the run exists.
import * as z from 'zod';
import { defineTask, type KnownWorkspace, Text } from './task.ts';

interface Input extends KnownWorkspace {
  query: string;
  strict_mode: boolean;
}

type Output =
  | { verdict: 'clear'; interpretation: string }
  | {
      verdict: 'ambiguous';
      reason: 'multiple_interpretations' | 'missing_subject' | 'too_broad';
      interpretation: string;
    }
  /** The query names a record that several records, or none, match. */
  | { verdict: 'entity_ambiguous'; question: string; candidate_ids: string[]; interpretation: string };

const Answer = z.object({
  verdict: z.enum(['clear', 'ambiguous', 'entity_ambiguous']),
  interpretation: Text,
  reason: z.enum(['multiple_interpretations', 'missing_subject', 'too_broad']).nullable(),
  question: z.string().nullable(),
  candidate_ids: z.array(z.string()),
});

export const understand = defineTask<Input, Output, typeof Answer>({
  prompt:
    'Decide whether the query has one reasonable reading over the record types of the workspace. Verdict `clear` for every query that a ' +
    'sensible colleague could start on. `ambiguous` only when there is no subject (missing_subject), when it asks for everything ' +
    '(too_broad), or when readings differ so much that work on the wrong one would be wasted (multiple_interpretations). ' +
    '`entity_ambiguous` when it names one record that several candidates answer to equally: ask a question that tells them apart and give ' +
    'their ids. `interpretation` is always one sentence with the best reading. Unused fields are null or empty.',
  request: ['query', 'strict_mode'],
  answer: Answer,
  judge({ verdict, interpretation, reason, question, candidate_ids }, { candidates }) {
    if (verdict === 'clear') return { verdict, interpretation };
    if (verdict === 'ambiguous')
      return reason === null ? 'An ambiguous query needs a reason.' : { verdict, reason, interpretation };
    if (question === null || question === '') return 'An ambiguous record needs a question.';
    const known = new Set(candidates.map(({ id }) => id));
    return candidate_ids.every((id) => known.has(id))
      ? { verdict, question, candidate_ids, interpretation }
      : 'candidate_ids may hold ids of the candidates only.';
  },
});
