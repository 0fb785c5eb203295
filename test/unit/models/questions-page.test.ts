// Every example of the guide to questions is read as the guide says (rules.md: query 10).
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Plan } from '#contract/plans.ts';
import { recordsToAsk } from '#domain/evaluation/records-to-ask.ts';
import type { Row } from '#domain/evaluation/truth.ts';
import { planInWords } from '#domain/runs/plan-in-words.ts';
import { loadBearing } from '#models/load-bearing.ts';
import { plan } from '#models/offline/plan.ts';
import { readTriggers } from '#models/offline/triggers.ts';
import { understand } from '#models/offline/understand.ts';
import { codeBlocks } from '../../support/snippets.ts';

const page = 'functions/contract/document/guides/questions.md';
const [lines = ''] = codeBlocks(page, 'jsonl');
const rows: Row[] = lines
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
const { known } = recordsToAsk(rows);

/** The rows of the tables whose second column has this heading. */
const examples = (heading: string) =>
  readFileSync(page, 'utf8')
    .split(`| question | ${heading} |\n|---|---|\n`)
    .slice(1)
    .flatMap((table) => [...(table.split('\n\n')[0] ?? '').matchAll(/^\| `(.*?)` \| (.*?) ?\|$/gm)])
    .map(([, question = '', second = '']): [string, string] => [question, second]);

/** What the question is read as; the words that refuse it, or that are named. */
function read(query: string): { words: string[]; as: string | null } {
  const asked = { query, ...known(query) };
  const verdict = understand({ ...asked, strict_mode: true }, readTriggers('').triggers);
  const words = verdict.not_understood;
  const isRefused = verdict.verdict !== 'clear' || loadBearing(words, ['boat', 'skipper']).length > 0;
  if (isRefused) return { words, as: null };
  return { words, as: planInWords(Plan.parse(plan({ ...asked, interpretation: '' }))) };
}

test.each(examples('read as'))('%s', (question, as) => {
  expect(read(question)).toEqual({ words: [], as });
});

test.each(examples('why'))('%s is refused with its words', (question) => {
  const { words, as } = read(question);
  expect(as).toBeNull();
  expect(words).not.toEqual([]);
});

test('a word that is in no step is named', () => {
  expect(read('happy boats in Kiel')).toMatchObject({
    words: ['happy'],
    as: expect.stringContaining('Kiel'),
  });
});
