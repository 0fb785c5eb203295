// Random attribute values: from a small vocabulary, so that conditions and updates match existing values.
import type { JsonObject } from '../../../../lib/local/json-values.ts';
import type { Random } from '../../../support/random.ts';

/** The types that a key can have. */
export type KeyType = 'S' | 'N' | 'B';

const NUMBERS = ['0', '1', '2', '3', '5', '7', '10', '-1', '1.5', '100'];
const NUMBER_FORMS = ['1.0', '01', '+1', '1e2', '.5', '-0', '0e5', '1E+1', '2.50', '0.1', '00.10e1', '20e-1'];
const FAR_NUMBERS = [
  '12345678901234567890123456789012345678',
  '0.12345678901234567890123456789012345678',
  '99999999999999999999999999999999999999',
  '9.9999999999999999999999999999999999999e125',
  '-9.9999999999999999999999999999999999999e125',
  '1e125',
  '1e-130',
  '-1e-130',
  '1e40',
  '1e21',
  '0.0000001',
];
const STRINGS = ['', 'a', 'b', 'ab', 'abc', 'x', 'é', '\u{1F600}', '\uFFFD', 'S', 'N', 'a b'];
const BINARIES = ['', 'AA==', 'AQ==', 'AAE=', 'AAEC', 'fw==', 'gA==', '/w=='];

/** The text of a number; one of many forms and sizes now and then. */
function numberText(random: Random): string {
  if (random.oneIn(12)) return random.pick(FAR_NUMBERS);
  return random.pick(random.oneIn(6) ? NUMBER_FORMS : NUMBERS);
}

function some<T>(random: Random, choices: readonly T[], most: number): T[] {
  const chosen = new Set<T>();
  for (let left = 1 + random.below(most); left > 0; left -= 1) chosen.add(random.pick(choices));
  return [...chosen];
}

const scalars = {
  S: (random: Random) => ({ S: random.pick(STRINGS) }),
  N: (random: Random) => ({ N: numberText(random) }),
  B: (random: Random) => ({ B: random.pick(BINARIES) }),
  BOOL: (random: Random) => ({ BOOL: random.oneIn(2) }),
  NULL: () => ({ NULL: true }),
} satisfies Record<string, (random: Random) => JsonObject>;

const sets = {
  SS: (random: Random) => ({ SS: some(random, STRINGS, 4) }),
  NS: (random: Random) => ({ NS: some(random, NUMBERS, 4) }),
  BS: (random: Random) => ({ BS: some(random, BINARIES, 4) }),
} satisfies Record<string, (random: Random) => JsonObject>;

const SCALAR_TYPES = Object.keys(scalars) as (keyof typeof scalars)[];
const SET_TYPES = Object.keys(sets) as (keyof typeof sets)[];

function list(random: Random, depth: number): JsonObject {
  return { L: Array.from({ length: random.below(4) }, () => anyValue(random, depth + 1)) };
}

function map(random: Random, depth: number): JsonObject {
  const names = some(random, ['a', 'b', 'c', 'd'], 3);
  return { M: Object.fromEntries(names.map((name) => [name, anyValue(random, depth + 1)])) };
}

/** A value of any type. */
export function anyValue(random: Random, depth = 0): JsonObject {
  if (depth < 3 && random.oneIn(4)) return random.oneIn(2) ? list(random, depth) : map(random, depth);
  if (random.oneIn(5)) return sets[random.pick(SET_TYPES)](random);
  return scalars[random.pick(SCALAR_TYPES)](random);
}

/** A value of the type; lists and maps are of all kinds. */
export function valueOfType(random: Random, type: string): JsonObject {
  if (type === 'L') return list(random, 0);
  if (type === 'M') return map(random, 0);
  if (Object.hasOwn(scalars, type)) return scalars[type as keyof typeof scalars](random);
  return sets[type as keyof typeof sets](random);
}

/** Attributes besides the keys: usually of these types. */
export const ATTRIBUTES: Readonly<Record<string, string>> = {
  s: 'S',
  t: 'S',
  n: 'N',
  v: 'N',
  m: 'M',
  l: 'L',
  ss: 'SS',
  ns: 'NS',
  bs: 'BS',
  bo: 'BOOL',
  nu: 'NULL',
  bi: 'B',
  name: 'S',
  'a.b': 'N',
  mixed: '',
};

/** A value for the attribute. */
export function valueFor(random: Random, attribute: string): JsonObject {
  const type = ATTRIBUTES[attribute];
  if (!type || random.oneIn(40)) return anyValue(random);
  if (attribute === 'm' && !random.oneIn(20)) return knownMap(random);
  if (attribute === 'l' && !random.oneIn(10)) return knownList(random);
  return valueOfType(random, type);
}

/** A map in which the generator's paths lead somewhere. */
function knownMap(random: Random): JsonObject {
  return {
    M: {
      a: scalars.N(random),
      b: knownList(random),
      c: { M: { d: scalars.S(random), e: sets.SS(random) } },
      ...(random.oneIn(2) && { name: scalars.S(random) }),
    },
  };
}

function knownList(random: Random): JsonObject {
  const items = [scalars.N(random), scalars.S(random), { M: { x: scalars.N(random) } }, scalars.N(random)];
  return { L: items.slice(0, 1 + random.below(items.length)) };
}

const KEYS: Readonly<Record<KeyType, readonly string[]>> = {
  S: ['a', 'ab', 'abc', 'b', 'é', '\u{1F600}', '\uFFFD', 'z'],
  N: ['-5', '-1', '0', '1', '1.5', '2', '10', '100', '1e30', '-1e-5'],
  B: ['AA==', 'AAA=', 'AP8=', 'fw==', 'gA==', '/w==', '/wA='],
};
const NUMBER_KEY_FORMS = ['1.0', '01', '1e1', '1.50', '-0', '+2', '100e-1'];

/** A value for a key: one of `choices`, so that keys meet. */
export function keyValue(random: Random, type: KeyType, choices: number): JsonObject {
  if (type === 'N' && random.oneIn(10)) return { N: random.pick(NUMBER_KEY_FORMS) };
  return { [type]: random.pick(KEYS[type].slice(0, choices)) };
}

/** Values that no engine takes, or takes only just. */
export function oddValue(random: Random): JsonObject {
  const odd: readonly (() => JsonObject)[] = [
    () => ({}),
    () => ({ S: 'x', N: '1' }),
    () => ({ X: 'x' }),
    () => ({ NULL: false }),
    () => ({ SS: [] }),
    () => ({ NS: [] }),
    () => ({ BS: [] }),
    () => ({ SS: ['a', 'a'] }),
    () => ({ NS: ['1', '1.0'] }),
    () => ({ NS: ['1', 'x'] }),
    () => ({ BS: ['AA==', 'AA=='] }),
    () => ({
      N: random.pick(['', 'x', ' 1', '1 ', 'NaN', 'Infinity', '0x1', '1_0', '--1', '1.2.3', '1e', '.', 'e5']),
    }),
    () => ({ N: random.pick(['1e126', '-1e126', '10e125', '1e-131', '0.1e-130', '-1e-131']) }),
    () => ({
      N: random.pick(['123456789012345678901234567890123456789', '1.00000000000000000000000000000000000001']),
    }),
    () => ({ L: [{}] }),
    () => ({ M: { a: { SS: [] } } }),
    () => nested(29 + random.below(6)),
  ];
  return random.pick(odd)();
}

/** A text in this many nested lists. */
function nested(levels: number): JsonObject {
  let value: JsonObject = { S: 'deep' };
  for (let level = 0; level < levels; level += 1)
    value = level % 2 === 0 ? { L: [value] } : { M: { a: value } };
  return value;
}
