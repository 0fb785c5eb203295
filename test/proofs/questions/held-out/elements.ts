// What else is asked of the chemical elements.
import { type Asked, measured, rowsOf, truthsOver, type Vocabulary } from '../asked.ts';
import { type Element, elements } from '../real/elements.ts';

const { list, count, top, bottom, measure, groups } = truthsOver(elements);
const isA = (category: string) => (one: Element) => one.category === category;
const above = (value: number | undefined, bound: number) => value !== undefined && value > bound;
const below = (value: number | undefined, bound: number) => value !== undefined && value < bound;

const asked: readonly Asked[] = [
  [
    'negative number',
    'gases with a boiling point above -100',
    list((one) => one.phase === 'gas' && above(one.boiling_point_c, -100)),
  ],
  ['negative number', 'element with a melting point of -38.8', list((one) => one.melting_point_c === -38.8)],
  [
    'negative number',
    'Elements with melting point > -50 and < 50',
    list((one) => above(one.melting_point_c, -50) && below(one.melting_point_c, 50)),
  ],
  ['count', 'how many radioactive elements?', count((one) => one.radioactive)],
  ['count', 'How many metalloids are solid?', count((one) => isA('metalloid')(one) && one.phase === 'solid')],
  ['list', 'alkali metals and halogens', list((one) => isA('alkali metal')(one) || isA('halogen')(one))],
  ['list', 'element with atomic number 26', list((one) => one.atomic_number === 26)],
  ['list', 'elements with atomic numbers 6, 7 and 8', list((one) => [6, 7, 8].includes(one.atomic_number))],
  ['presence', 'elements with no discovered date', list((one) => one.discovered === undefined)],
  [
    'presence',
    'elements that have a boiling point but no melting point',
    list((one) => one.boiling_point_c !== undefined && one.melting_point_c === undefined),
  ],
  ['top', 'heaviest element', [top(1, (one) => one.atomic_mass)]],
  ['top', 'Top 3 elements by melting point', top(3, (one) => one.melting_point_c)],
  ['top', 'the three elements with the lowest boiling point', bottom(3, (one) => one.boiling_point_c)],
  [
    'top',
    'bottom 4 solids by density',
    bottom(
      4,
      (one) => one.density_g_cm3,
      (one) => one.phase === 'solid',
    ),
  ],
  [
    'date',
    'elements discovered between 1890 and 1900',
    list((one) => (one.discovered ?? 0) >= 1890 && (one.discovered ?? 0) <= 1900),
  ],
  [
    'date',
    'elements discovered in the forties',
    [list((one) => (one.discovered ?? 0) >= 1940 && (one.discovered ?? 0) < 1950)],
  ],
  ['date', 'Elements from 1803', list((one) => one.discovered === 1803)],
  [
    'bounds',
    'elements with a density of at least 20 but at most 22.5',
    list((one) => (one.density_g_cm3 ?? 0) >= 20 && (one.density_g_cm3 ?? 99) <= 22.5),
  ],
  [
    'bounds',
    'elements with a melting point over 3000 and a boiling point under 5300',
    list((one) => above(one.melting_point_c, 3000) && below(one.boiling_point_c, 5300)),
  ],
  [
    'bounds',
    'elements with a melting point and boiling point over 3000',
    list((one) => above(one.melting_point_c, 3000) && above(one.boiling_point_c, 3000)),
  ],
  ['code', 'Elements with symbol At or I', list((one) => ['At', 'I'].includes(one.symbol))],
  ['code', 'symbol Be', list((one) => one.symbol === 'Be')],
  ['group', 'How many elements per phase?', groups((one) => one.phase)],
  [
    'group',
    'category with the highest average density',
    groups(
      (one) => one.category,
      (same) =>
        measured(
          'avg',
          same.map((one) => one.density_g_cm3),
        ),
      () => true,
      { limit: 1, sign: -1 },
    ),
  ],
  [
    'having',
    'Categories with fewer than 6 elements',
    groups(
      (one) => one.category,
      (same) => same.length,
      (one) => elements.filter(isA(one.category)).length < 6,
    ),
  ],
  [
    'not',
    'transition metals that are not radioactive',
    list((one) => isA('transition metal')(one) && !one.radioactive),
  ],
  [
    'not',
    'solid elements excluding actinides and lanthanides',
    list((one) => one.phase === 'solid' && !isA('actinide')(one) && !isA('lanthanide')(one)),
  ],
  [
    'measure',
    'maximum density of the alkali metals',
    measure('max', (one) => one.density_g_cm3, isA('alkali metal')),
  ],
  [
    'measure',
    'What is the lowest boiling point of a noble gas?',
    [
      measure('min', (one) => one.boiling_point_c, isA('noble gas')),
      bottom(1, (one) => one.boiling_point_c, isA('noble gas')),
    ],
  ],
  ['unit', 'elements with a melting point above 1000 K', 'K|1000'],
  ['approximate', 'elements with an atomic mass of about 59', 'about|59'],
  ['rank', 'second densest element', 'second'],
  ['best of each', 'densest element per category', 'densest|per'],
  ['unknown', 'poisonous elements', 'poisonous'],
  ['unknown', 'elements named after a planet', 'planet|after'],
];

export const elementsHeldOut: Vocabulary = { name: 'elements', rows: rowsOf('element', elements), asked };
