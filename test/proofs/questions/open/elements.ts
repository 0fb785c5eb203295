// What is asked of the chemical elements.
import { type Asked, measured, rowsOf, truthsOver, type Vocabulary } from '../asked.ts';
import { type Element, elements } from '../real/elements.ts';

const { list, count, top, bottom, measure, groups, values } = truthsOver(elements);
const isA = (category: string) => (one: Element) => one.category === category;
const above = (value: number | undefined, bound: number) => value !== undefined && value > bound;
const below = (value: number | undefined, bound: number) => value !== undefined && value < bound;

const asked: readonly Asked[] = [
  [
    'negative number',
    'Elements with a melting point below -200',
    list((one) => below(one.melting_point_c, -200)),
  ],
  ['negative number', 'elements with a boiling point of −183', list((one) => one.boiling_point_c === -183)],
  [
    'negative number',
    'elements whose melting point is between -200 and -100 degrees',
    list((one) => below(one.melting_point_c, -100 + 1e-9) && above(one.melting_point_c, -200 - 1e-9)),
  ],
  [
    'negative number',
    'How many elements boil below -100 °C?',
    [count((one) => below(one.boiling_point_c, -100))],
  ],
  ['count', 'How many noble gases are there?', count(isA('noble gas'))],
  ['list', 'liquid elements', list((one) => one.phase === 'liquid')],
  ['list', 'Radioactive transition metals', list((one) => one.radioactive && isA('transition metal')(one))],
  ['presence', 'elements without a melting point', list((one) => one.melting_point_c === undefined)],
  ['top', 'The 3 densest elements', top(3, (one) => one.density_g_cm3 ?? 0)],
  [
    'top',
    'Lowest melting point',
    [bottom(1, (one) => one.melting_point_c), measure('min', (one) => one.melting_point_c)],
  ],
  ['top', 'The 5 lightest elements by atomic mass', bottom(5, (one) => one.atomic_mass)],
  [
    'date',
    'elements discovered in the 1800s',
    [list((one) => (one.discovered ?? 0) >= 1800 && (one.discovered ?? 0) < 1900)],
  ],
  ['date', 'Elements discovered before 1750', list((one) => below(one.discovered, 1750))],
  ['date', 'elements discovered in 1774 and 1817', list((one) => [1774, 1817].includes(one.discovered ?? 0))],
  ['date', 'elements discovered in or after 1940', list((one) => (one.discovered ?? 0) >= 1940)],
  [
    'bounds',
    'solids with a density of more than 5 but fewer than 6',
    list((one) => one.phase === 'solid' && above(one.density_g_cm3, 5) && below(one.density_g_cm3, 6)),
  ],
  ['code', 'the element with symbol No', 'No|symbol'],
  ['code', 'Elements with symbol He, In or As', list((one) => ['He', 'In', 'As'].includes(one.symbol))],
  [
    'group',
    'average density by category',
    groups(
      (one) => one.category,
      (same) =>
        measured(
          'avg',
          same.map((one) => one.density_g_cm3),
        ),
    ),
  ],
  [
    'group',
    'Which category has the most elements?',
    groups(
      (one) => one.category,
      (same) => same.length,
      () => true,
      { limit: 1, sign: -1 },
    ),
  ],
  ['not', 'elements that are neither solid nor gas', list((one) => one.phase === 'liquid')],
  [
    'measure',
    'average atomic mass of the halogens',
    measure('avg', (one) => one.atomic_mass, isA('halogen')),
  ],
  ['values', 'Which phases are there?', values((one) => one.phase)],
  ['approximate', 'elements with a density around 8', 'around|density|8'],
  ['unknown', 'Elements used in batteries', 'used|batteries'],
];

export const elementsAsked: Vocabulary = { name: 'elements', rows: rowsOf('element', elements), asked };
