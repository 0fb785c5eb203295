// What an answer of a provider's model looks like per task: the schema it is asked for, and the checks before it is believed.
import * as z from 'zod';
import type { InputOf, OutputOf, TaskKind } from './model.ts';
import { PlanAnswer, planned } from './plan-answer.ts';

/** A believable output, or what is wrong with the answer, in words that the model can act on. */
export type Judged<K extends TaskKind> = { ok: true; output: OutputOf<K> } | { ok: false; complaint: string };

export interface AnswerForm<K extends TaskKind> {
  /** Flat, every property required: what strict structured output of any provider can take. */
  schema: z.ZodType;
  judge(answer: unknown, input: InputOf<K>): Judged<K>;
}

/** `settle` returns the output, or a complaint as text. */
function form<K extends TaskKind, S extends z.ZodType>(
  schema: S,
  settle: (answer: z.infer<S>, input: InputOf<K>) => OutputOf<K> | string,
): AnswerForm<K> {
  return {
    schema,
    judge(answer, input) {
      const parsed = schema.safeParse(answer);
      if (!parsed.success) return { ok: false, complaint: z.prettifyError(parsed.error) };
      const output = settle(parsed.data, input);
      return typeof output === 'string' ? { ok: false, complaint: output } : { ok: true, output };
    },
  };
}

const Score = z.number().min(0).max(1);
const Text = z.string().min(1);

const Understanding = z.object({
  verdict: z.enum(['clear', 'ambiguous', 'entity_ambiguous']),
  interpretation: Text,
  reason: z.enum(['multiple_interpretations', 'missing_subject', 'too_broad']).nullable(),
  question: z.string().nullable(),
  candidate_ids: z.array(z.string()),
});
const Verdicts = z.object({
  verdicts: z.array(z.object({ index: z.number().int(), keep: z.boolean(), score: Score })),
});
const Values = z.object({
  values: z.array(
    z.object({
      field: z.string(),
      value: z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]),
    }),
  ),
});
const Findings = z.object({ findings: Text });
const Picks = z.object({ picks: z.array(z.object({ id: z.string(), score: Score, reason: Text })) });
const Writing = z.object({
  message: Text,
  texts: z.array(z.object({ content: Text })),
  table_title: z.string(),
});
const Section = z.object({ content: Text });

/** The form of every task's answer. */
export const answerForms: { [K in TaskKind]: AnswerForm<K> } = {
  understand: form<'understand', typeof Understanding>(Understanding, understood),
  plan: form<'plan', typeof PlanAnswer>(PlanAnswer, planned),
  filter: form<'filter', typeof Verdicts>(Verdicts, ({ verdicts }, { items }) => {
    const byIndex = new Map(verdicts.map((verdict) => [verdict.index, verdict]));
    const inOrder = items.flatMap((_, index) => byIndex.get(index) ?? []);
    if (verdicts.length !== items.length || inOrder.length !== items.length)
      return `There must be exactly one verdict for each index from 0 to ${items.length - 1}.`;
    return { verdicts: inOrder.map(({ keep, score }) => ({ keep, score })) };
  }),
  transform: form<'transform', typeof Values>(Values, ({ values }, { output_fields }) => {
    const byField = new Map(values.map(({ field, value }) => [field, value]));
    const missing = output_fields.filter((field) => !byField.has(field));
    if (missing.length > 0 || values.length !== output_fields.length)
      return `There must be exactly one value for each of: ${output_fields.join(', ')}.`;
    return { fields: Object.fromEntries(output_fields.map((field) => [field, byField.get(field) ?? null])) };
  }),
  analyze: form<'analyze', typeof Findings>(Findings, (answer) => answer),
  discover: form<'discover', typeof Picks>(Picks, ({ picks }, { candidates, limit }) => {
    const known = new Set(candidates.map(({ id }) => id));
    const stranger = picks.find(({ id }) => !known.has(id));
    if (stranger) return `"${stranger.id}" is not the id of a candidate.`;
    if (new Set(picks.map(({ id }) => id)).size !== picks.length)
      return 'A candidate may be picked once only.';
    return { picks: picks.toSorted((a, b) => b.score - a.score).slice(0, limit) };
  }),
  reconstitute: form<'reconstitute', typeof Writing>(
    Writing,
    (answer, { text_titles, table_wanted, run_title }) => {
      if (answer.texts.length !== text_titles.length)
        return `There must be exactly ${text_titles.length} texts, in the order of text_titles.`;
      const texts = answer.texts.map(({ content }, i) => ({ title: text_titles[i] ?? '', content }));
      return {
        message: answer.message,
        texts,
        table_title: table_wanted ? answer.table_title || run_title : '',
      };
    },
  ),
  dossier_section: form<'dossier_section', typeof Section>(Section, (answer) => answer),
};

function understood(
  { verdict, interpretation, reason, question, candidate_ids }: z.infer<typeof Understanding>,
  { candidates }: InputOf<'understand'>,
): OutputOf<'understand'> | string {
  if (verdict === 'clear') return { verdict, interpretation };
  if (verdict === 'ambiguous')
    return reason === null ? 'An ambiguous query needs a reason.' : { verdict, reason, interpretation };
  if (question === null || question === '') return 'An ambiguous record needs a question.';
  const known = new Set(candidates.map(({ id }) => id));
  return candidate_ids.every((id) => known.has(id))
    ? { verdict, question, candidate_ids, interpretation }
    : 'candidate_ids may hold ids of the candidates only.';
}
