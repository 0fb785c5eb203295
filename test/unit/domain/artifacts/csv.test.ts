// rules.md: exports 3. Cells of a CSV file, judged by a parser that others wrote.
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvLine } from '#domain/artifacts/csv.ts';

const read = (line: string): string[] => parse(line, { record_delimiter: '\r\n' })[0] ?? [];

test('a line of any texts is read as they are', () => {
  const texts = fc.array(fc.string({ unit: 'binary', maxLength: 8 }), { minLength: 2, maxLength: 4 });
  fc.assert(
    fc.property(texts, (cells) => {
      expect(read(csvLine(cells, true))).toEqual(cells);
    }),
  );
});

const formulas = [
  ...['=1+1', '+1', '-2+3', '@SUM(A1)', '\ttab', '\r', '-', '--1', '-1 apple'],
  ...['＝1+1', '＋1', '－1+1', '＠SUM(A1)', '﹢1', ' =1', '\n=1', '\r\n=1', '\u3000=1', '\u00a0+1'],
  ...['|=1', '｜＝1', ' | -1'],
];
test.each(formulas)('what a spreadsheet would compute is disarmed: %j', (cell) => {
  expect(read(csvLine([cell, 'x'], false))).toEqual([`'${cell}`, 'x']);
  expect(read(csvLine([cell, 'x'], true))).toEqual([cell, 'x']);
});

test.each([' plain', '| a | b |', 'a=1', '１－２', '日本', '-1', '-0.5', '-1e-7', ''])(
  'what it would not is unchanged: %j',
  (cell) => {
    expect(read(csvLine([cell, 'x'], false))).toEqual([cell, 'x']);
  },
);

test.each(['\t', ';'])(
  'a line of texts is one line of the same cells where %j separates, too (rules.md: exports 4)',
  (by) => {
    const texts = fc.array(fc.string({ unit: 'binary', maxLength: 8 }), { minLength: 2, maxLength: 4 });
    fc.assert(
      fc.property(
        texts,
        fc.array(fc.constantFrom(by, ',', '"', "'", ' ', '=1'), { maxLength: 6 }),
        (cells, signs) => {
          const line = [...cells, signs.join('')];
          // Both separate, as where a program is told several: each still ends only where the line has its comma.
          const found: string[][] = parse(csvLine(line, true), {
            delimiter: [',', by],
            record_delimiter: '\r\n',
          });
          expect(found).toEqual([line]);
        },
      ),
    );
  },
);

test.each(['x;=1', 'a\tb', "'", "'a", "a'", ' a', 'a ', '\u00a0a', 'a\u3000', '\v', '=1'])(
  'a cell that another separator or quote would change is quoted: %j (rules.md: exports 4)',
  (cell) => {
    expect(csvLine([cell], true)).toBe(cell === '=1' ? '=1\r\n' : `"${cell}"\r\n`);
    expect(csvLine([cell], false)).toMatch(/^".*"\r\n$/);
  },
);

test.each(['a b', "o'clock", 'a|b', '-1', 'ü'])('others are not: %j', (cell) => {
  expect(csvLine([cell, { a: 1 }], false)).toBe(`${cell},"{""a"":1}"\r\n`);
});

test('numbers, booleans, null, lists and objects', () => {
  expect(csvLine([-3, 12.5, true, null, ['=1'], { a: '"' }], false)).toBe(
    `-3,12.5,true,,"[""=1""]","{""a"":""\\""""}"\r\n`,
  );
});
