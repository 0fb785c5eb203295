// Questions put together from parts, over records that a seed makes, with their true answers: more than anyone writes.
import { type Random, random } from '../random.ts';
import { type Asked, measured, rowsOf, truthsOver, type Vocabulary } from './asked.ts';

const PORTS = ['Berlin', 'Oslo', 'Rome', 'Lagos'];
const CODES = ['OR', 'WA', 'IN', 'NO', 'IS', 'ME'];
const GRADES = ['gold', 'silver', 'bronze'];

interface Parcel {
  name: string;
  port: string;
  state_code: string;
  grade: string;
  balance: number;
  weight_kg: number;
  moisture_ratio: number;
  pieces: number;
  fragile: boolean;
  shipped_on: string;
}

const parcelsOf = (seed: number): Parcel[] =>
  Array.from({ length: 140 }, (_, i) => {
    const chance = random(seed, i);
    return {
      name: `Parcel P${i}x`,
      ...{ port: chance.pick(PORTS), state_code: chance.pick(CODES), grade: chance.pick(GRADES) },
      balance: chance.below(400) - 200 + i / 1000,
      weight_kg: 1 + chance.below(900) / 10 + i / 10_000,
      moisture_ratio: chance.below(101) / 100,
      pieces: 1 + chance.below(6),
      fragile: chance.chance(0.5),
      shipped_on: new Date(Date.UTC(2023, 0, 1 + chance.below(1200))).toISOString().slice(0, 10),
    };
  });

/** Words of a question and what they ask of an item. */
interface Part {
  words: string;
  keep: (one: Parcel) => boolean;
}

const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June'];
const NUMBERS = ['one', 'two', 'three', 'four', 'five'];

/** Two that differ. */
function two(chance: Random, from: readonly string[]): [string, string] {
  const first = chance.pick(from);
  return [first, chance.pick(from.filter((one) => one !== first))];
}

const values: ((chance: Random) => Part)[] = [
  (chance) => {
    const port = chance.pick(PORTS);
    return { words: `in ${port}`, keep: (one) => one.port === port };
  },
  (chance) => {
    const [first, second] = two(chance, PORTS);
    return { words: `in ${first} or ${second}`, keep: (one) => [first, second].includes(one.port) };
  },
  (chance) => {
    const port = chance.pick(PORTS);
    return { words: `not in ${port}`, keep: (one) => one.port !== port };
  },
  (chance) => {
    const [first, second] = two(chance, CODES);
    return {
      words: `with state code ${first} or ${second}`,
      keep: (one) => [first, second].includes(one.state_code),
    };
  },
  (chance) => {
    const grade = chance.pick(GRADES);
    return { words: `with grade ${grade}`, keep: (one) => one.grade === grade };
  },
  (chance) => {
    const grade = chance.pick(GRADES);
    return { words: `whose grade is not ${grade}`, keep: (one) => one.grade !== grade };
  },
  () => ({ words: 'that are fragile', keep: (one) => one.fragile }),
  () => ({ words: 'that are not fragile', keep: (one) => !one.fragile }),
];

const numbers: ((chance: Random) => Part)[] = [
  (chance) => {
    const least = chance.below(300) - 150;
    return { words: `with a balance over ${least}`, keep: (one) => one.balance > least };
  },
  (chance) => {
    const most = chance.below(300) - 150;
    return { words: `with a balance of at most ${most}`, keep: (one) => one.balance <= most };
  },
  (chance) => {
    const low = -chance.below(150);
    const high = low + 20 + chance.below(100);
    return {
      words: `with a balance between ${low} and ${high}`,
      keep: (one) => one.balance >= low && one.balance <= high,
    };
  },
  (chance) => {
    const low = 10 + chance.below(40);
    const high = low + 5 + chance.below(30);
    return {
      words: `with a weight over ${low} but under ${high} kg`,
      keep: (one) => one.weight_kg > low && one.weight_kg < high,
    };
  },
  (chance) => {
    const grams = 1000 * (5 + chance.below(70));
    return { words: `with a weight of at least ${grams} g`, keep: (one) => one.weight_kg >= grams / 1000 };
  },
  (chance) => {
    const percent = 5 * (1 + chance.below(18));
    return {
      words: `with a moisture ratio below ${percent}%`,
      keep: (one) => one.moisture_ratio < percent / 100,
    };
  },
  (chance) => {
    const pieces = 1 + chance.below(5);
    return { words: `with exactly ${NUMBERS[pieces - 1]} pieces`, keep: (one) => one.pieces === pieces };
  },
  (chance) => {
    const pieces = 2 + chance.below(4);
    return { words: `with fewer than ${pieces} pieces`, keep: (one) => one.pieces < pieces };
  },
];

const times: ((chance: Random) => Part)[] = [
  (chance) => {
    const year = 2023 + chance.below(3);
    return { words: `shipped in ${year}`, keep: (one) => one.shipped_on.startsWith(String(year)) };
  },
  (chance) => {
    const year = 2023 + chance.below(2);
    return {
      words: `shipped in ${year} and ${year + 1}`,
      keep: ({ shipped_on }) => shipped_on >= String(year) && shipped_on < String(year + 2),
    };
  },
  (chance) => {
    const month = chance.below(MONTHS.length);
    const start = `2025-0${month + 1}`;
    return { words: `shipped in ${MONTHS[month]} 2025`, keep: (one) => one.shipped_on.startsWith(start) };
  },
  (chance) => {
    const day = `2024-0${1 + chance.below(9)}-1${chance.below(10)}`;
    return { words: `shipped before ${day}`, keep: (one) => one.shipped_on < day };
  },
  (chance) => {
    const day = `2024-0${1 + chance.below(9)}-1${chance.below(10)}`;
    return { words: `shipped by ${day}`, keep: (one) => one.shipped_on <= day };
  },
  (chance) => {
    const year = 2024 + chance.below(2);
    return { words: `shipped since ${year}`, keep: (one) => one.shipped_on >= String(year) };
  },
];

/** One part of each of one to three kinds, in any order. */
function partsOf(chance: Random): Part[] {
  const kinds = [values, numbers, times].filter(() => chance.chance(0.55));
  const chosen = (kinds.length === 0 ? [values] : kinds).map((kind) => chance.pick(kind)(chance));
  return chance.chance(0.5) ? chosen : chosen.toReversed();
}

function questionOf(parcels: readonly Parcel[], chance: Random): Asked {
  const parts = partsOf(chance);
  const words = parts.map((part) => part.words).join(' ');
  const keep = (one: Parcel) => parts.every((part) => part.keep(one));
  const { list, count, top, bottom, measure, groups } = truthsOver(parcels);
  const first = 1 + chance.below(8);
  const forms: Asked[] = [
    ['list', `parcels ${words}`, list(keep)],
    ['list', `Show me all parcels ${words}`, list(keep)],
    ['count', `How many parcels are there ${words}?`, count(keep)],
    ['top', `top ${first + 1} parcels ${words} by balance`, top(first + 1, (one) => one.balance, keep)],
    ['top', `The ${first + 1} lightest parcels ${words}`, bottom(first + 1, (one) => one.weight_kg, keep)],
    ['top', `parcels ${words} sorted by weight descending`, top(1000, (one) => one.weight_kg, keep)],
    [
      'group',
      `number of parcels ${words} by port`,
      groups(
        (one) => one.port,
        (same) => same.length,
        keep,
      ),
    ],
  ];
  // A number over nothing has no true answer.
  if (parcels.some(keep))
    forms.push(
      ['measure', `average balance of parcels ${words}`, measure('avg', (one) => one.balance, keep)],
      ['measure', `total pieces of parcels ${words}`, measure('sum', (one) => one.pieces, keep)],
      [
        'group',
        `average weight of parcels ${words} per grade`,
        groups(
          (one) => one.grade,
          (same) =>
            measured(
              'avg',
              same.map((one) => one.weight_kg),
            ),
          keep,
        ),
      ],
    );
  return chance.pick(forms);
}

/** As many generated questions, each of another draw. */
export function generated(seed: number, count: number): Vocabulary {
  const parcels = parcelsOf(seed);
  const asked = Array.from({ length: count }, (_, i) => questionOf(parcels, random(seed + 1, i)));
  return { name: 'generated', rows: rowsOf('parcel', parcels), asked };
}
