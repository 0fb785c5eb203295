// Parsers of tenants' texts take time that grows with the length alone: the short form of `npm run prove --
// fuzz:parsers`.
import { expect, test } from 'vitest';
import { comparisonsIn } from '#models/offline/numbers.ts';
import { parsers } from '../proofs/fuzz/parsers/parsers.ts';
import { timeParsers } from '../proofs/fuzz/parsers/run.ts';

/** Far above what the command allows, and far below what a parser takes that reads a text again and again. */
const CAP_MS = 1000;

test('no parser takes long over a repetitive text', async () => {
  const worst = await timeParsers({ seed: 10, first: 0, end: 12, suspect_ms: CAP_MS });
  expect(worst.filter(({ ms }) => ms > CAP_MS)).toEqual([]);
});

test.each([
  ['comparisons before lists of digits', 'filter', '>1 ', '1,'],
  ['comparisons before months', 'filter', '>1 ', 'jan'],
  ['comparisons before lists of digits', 'plan', '>1 ', '1,'],
  ['words before a type', 'plan', 'how many foo ', 'foo '],
  ['words of going on', 'plan', 'and ', 'then '],
  ['lists of values', 'filter', 'Berlin, ', 'Munich and '],
  ['open brackets', 'dossier record', '[', '\\'],
  ['open brackets', 'known links', '[', '['],
  ['open brackets before closed ones', 'known links', '[', ']('],
])('%s do not stall %s', async (_, name, first, second) => {
  const parser = parsers.find((one) => one.name === name);
  const half = (parser?.max_characters ?? 0) / 2;
  const text = first.repeat(half / first.length) + second.repeat(half / second.length);
  const begun = process.threadCpuUsage();
  await parser?.parse(text);
  expect(process.threadCpuUsage(begun).user / 1000).toBeLessThan(CAP_MS);
});

test.each(['plan', 'understand', 'live source', 'transform', 'filter'])(
  'phrases before runs of one sign do not stall %s',
  async (name) => {
    const parser = parsers.find((one) => one.name === name);
    const most = parser?.max_characters ?? 0;
    const begun = process.threadCpuUsage();
    for (const phrase of ['for each', 'please write x for each', 'companies from', 'between 1', 'top 5 by'])
      for (const sign of [' ', '\t', '\u00a0', '"', ',', '['])
        await parser?.parse(`${phrase}${sign.repeat(most - phrase.length - 2)} q`);
    expect(process.threadCpuUsage(begun).user / 1000).toBeLessThan(CAP_MS);
  },
);

test('an instruction is read for 50 comparisons at most, and what follows is words', () => {
  expect(comparisonsIn('over 1, '.repeat(60))).toHaveLength(50);
});
