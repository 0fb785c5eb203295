// The arguments of `npm run pack`: what it cannot use is refused in one line, before anything is written.
import { expect, test } from 'vitest';
import { readPackArguments } from '../../../bin/pack/arguments.ts';

test('without arguments the packages have no scope', () => {
  expect(readPackArguments([])).toEqual({ scope: undefined });
});

test('a scope is taken', () => {
  expect(readPackArguments(['--scope', '@acme'])).toEqual({ scope: '@acme' });
});

test.each([
  [['--scope', 'acme'], '--scope must be a name such as @acme, not "acme"'],
  [['--scope', '@Acme'], '"@Acme"'],
  [['--scope', '@a/b'], '"@a/b"'],
  [['--scope', '@a\n@b'], '@a'],
  [['--scope'], '--scope'],
  [['--scop', '@acme'], 'unknown flag --scop; did you mean --scope?'],
  [['@acme'], '@acme'],
])('%j is refused in one line', (args, said) => {
  expect(() => readPackArguments(args)).toThrow(said);
});
