// The mutants of `npm run prove -- mutations`: a tool that changes nothing would find every test good.
import { expect, test } from 'vitest';
import { mutantsOf } from '../../proofs/mutations/mutants.ts';

const mutated = (text: string) =>
  mutantsOf(text).map(({ start, end, replacement }) => text.slice(0, start) + replacement + text.slice(end));

test('operators, conditions, values and statements change one at a time', () => {
  expect(mutated('if (a < b) c();')).toEqual([
    'if (true) c();',
    'if (false) c();',
    'if (a <= b) c();',
    'if (a < b) ;',
  ]);
  expect(mutated('f = !a && [1];')).toEqual([
    ';',
    'f = a && [1];',
    'f = !a || [1];',
    'f = !a && [];',
    'f = !a && [2];',
  ]);
  expect(mutated('throw Math.max(a, b);')).toEqual([';', 'throw Math.min(a, b);']);
});

test('types, imports, names of properties and the words of the log stay', () => {
  const text =
    "import { a } from 'a'; type B = 'b' | 1; log.info('c', { d: 1 < 2 }); const e = { 'f-g': h };";
  expect(mutated(text)).toEqual([]);
});

test('an operator is found past the signs around its operands', () => {
  expect(mutated('const f = (a - 1) - (b);')).toContain('const f = (a - 1) + (b);');
});
