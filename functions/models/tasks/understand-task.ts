// The task `understand`: reads a query before the run exists.
import { type AnswerSchema, formOf, listOf, oneOf, orNull, text } from './answer-schema.ts';
import { memberIn, nameIn, textIn, textsIn } from './as-meant.ts';
import { defineTask, type KnownWorkspace } from './model-task.ts';
import { candidateIds, dayOf, halfTheWorkspace, shownWorkspace } from './shown-workspace.ts';

interface Input extends KnownWorkspace {
  query: string;
  strict_mode: boolean;
}

const reasons = ['missing_subject', 'too_broad', 'multiple_interpretations', 'not_understood'] as const;
const verdicts = ['clear', ...reasons, 'entity_ambiguous'] as const;

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

const prompt = [
  'Read the query over the record types of the workspace, then judge it, in this order:',
  '- `interpretation`: one sentence with the best reading.',
  '- `not_understood`: as written and in order, every word of the query that says something which no type, field, value, name, number, date,',
  '  order or group here can express. Words about the asking do not count, nor those about a live source and what its description says.',
  '  Never read such a word as something near to it.',
  '- `verdict`: `clear` for every query that a sensible colleague could start on. Else `missing_subject` (nothing to ask about), `too_broad`',
  '  (it asks for everything), `multiple_interpretations` (readings differ so much that work on the wrong one is wasted), `not_understood`',
  '  (nothing of it but a name or a place has to do with these records), `entity_ambiguous` (it names one record, and several candidates',
  '  answer to it equally).',
  '- `question`, `candidate_ids`: for `entity_ambiguous` what tells them apart, and their ids; else null and [].',
  '`shape` has the types with their number of records and fields (texts that a field holds stand between |), and live sources; `values` are',
  'texts of fields that the query mentions, `candidates` the records that it names. With `strict_mode` false the query runs by your reading.',
  'For example, over companies with a city: "Profitable companies in Berlin" is {"interpretation":"The companies whose city is Berlin.",',
  '"not_understood":["Profitable"],"verdict":"clear","question":null,"candidate_ids":[]}, and "Show me things" is {"interpretation":"All records.",',
  '"not_understood":[],"verdict":"too_broad","question":null,"candidate_ids":[]}.',
].join('\n');

export const understand = defineTask<Input, Output>({
  prompt,
  shown(input) {
    const { query, strict_mode, today } = input;
    const request = { query, strict_mode, today: dayOf(today) };
    return { data: shownWorkspace(input, prompt, request), request };
  },
  answerFor({ query, candidates }) {
    const { all } = candidateIds(candidates).ids;
    return formOf({
      interpretation: text,
      not_understood: listOf(wordOf(query)),
      verdict: oneOf(verdicts.filter((verdict) => verdict !== 'entity_ambiguous' || all.length > 0)),
      question: orNull(text),
      candidate_ids: listOf(oneOf(all)),
    });
  },
  judge(answer, { candidates, query }) {
    const not_understood: string[] = [];
    for (const said of textsIn(memberIn(answer, 'not_understood'))) {
      const words = wordsMeant(said, query);
      if (!words) return `"${said}" in not_understood is no word of the query.`;
      not_understood.push(...words);
    }
    const verdict = verdictIn(answer);
    if (!verdict) return `verdict must be one of: ${verdicts.join(', ')}.`;
    const interpretation = textIn(memberIn(answer, 'interpretation'));
    if (interpretation === '') return 'The interpretation is missing.';
    const reading = { interpretation, not_understood: [...new Set(not_understood)] };
    if (verdict === 'clear') return { verdict, ...reading };
    if (verdict !== 'entity_ambiguous') {
      return verdict === 'not_understood' && not_understood.length === 0
        ? 'not_understood needs its words.'
        : { verdict: 'ambiguous', reason: verdict, ...reading };
    }
    const question = textIn(memberIn(answer, 'question'));
    if (question === '') return 'An ambiguous record needs a question.';
    const given = textsIn(memberIn(answer, 'candidate_ids'));
    const candidate_ids = given.flatMap((id) => candidateIds(candidates).ids.real(id) ?? []);
    return given.length > 0 && candidate_ids.length === 0
      ? 'candidate_ids may hold ids of the candidates only.'
      : { verdict, question, candidate_ids: [...new Set(candidate_ids)], ...reading };
  },
  halved: halfTheWorkspace,
});

/** The verdict; an ambiguous query may have its reason apart. */
function verdictIn(answer: unknown): (typeof verdicts)[number] | undefined {
  const said = memberIn(answer, 'verdict');
  const isApart = textIn(said).toLowerCase() === 'ambiguous';
  const name = nameIn(isApart ? memberIn(answer, 'reason') : said, verdicts);
  return verdicts.find((verdict) => verdict === name);
}

const WORD_MAX_CHARACTERS = 40;
/** Scripts without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const withoutMarks = (word: string) => word.replace(/^[\p{P}\p{S}]+|[\p{P}\p{S}]+$/gu, '');

/** One of the words of a query. */
function wordOf(query: string): AnswerSchema {
  const words = query.split(/\s+/).map(withoutMarks).filter(Boolean);
  const areWords = words.every((word) => word.length <= WORD_MAX_CHARACTERS) && !UNSPACED.test(query);
  return areWords ? oneOf(words) : text;
}

/** What a said word is in the query: itself as written there, or several words that were joined. */
function wordsMeant(said: string, query: string): string[] | undefined {
  const whole = asWritten(said, query) ?? asWritten(withoutMarks(said), query);
  if (whole) return [whole];
  const parts = said
    .split(/[\s,;]+/)
    .map(withoutMarks)
    .filter(Boolean);
  const found = parts.flatMap((part) => asWritten(part, query) ?? []);
  return parts.length > 0 && found.length === parts.length ? found : undefined;
}

/** A text as the query spells it. */
function asWritten(said: string, query: string): string | undefined {
  if (said === '') return undefined;
  if (query.includes(said)) return said;
  const lower = query.toLowerCase();
  const at = lower.indexOf(said.toLowerCase());
  if (at < 0) return undefined;
  return lower.length === query.length ? query.slice(at, at + said.length) : said;
}
