// Inputs that have made a parser slow.

/** Two fragments, one after the other, each repeated through half of the text. */
const halves: readonly (readonly [parser: string, first: string, second: string])[] = [
  ['filter', '>1 ', '1,'],
  ['filter', '>1 ', 'jan'],
  ['plan', '>1 ', '1,'],
  ['plan', 'how many foo ', 'foo '],
  ['plan', 'and ', 'then '],
  ['filter', 'Berlin, ', 'Munich and '],
  ['dossier record', '[', '\\'],
  ['known links', '[', '['],
  ['known links', '[', ']('],
];

/** Phrases before runs of one sign. */
const RUN_READERS = ['plan', 'understand', 'live source', 'transform', 'filter'];
const PHRASES = ['for each', 'please write x for each', 'companies from', 'between 1', 'top 5 by'];
const RUNS = [' ', '\t', '\u00a0', '"', ',', '['];

/** Those of a parser, with at most so many characters. */
export function knownTexts(parser: string, most: number): string[] {
  const half = (part: string) => part.repeat(most / 2 / part.length);
  const texts = halves.flatMap(([name, ...parts]) => (name === parser ? [parts.map(half).join('')] : []));
  if (!RUN_READERS.includes(parser)) return texts;
  const runs = PHRASES.flatMap((phrase) =>
    RUNS.map((sign) => `${phrase}${sign.repeat(most - phrase.length - 2)} q`),
  );
  return [...texts, ...runs];
}
