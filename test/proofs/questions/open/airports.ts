// What is asked of the airports.
import { type Asked, measured, rowsOf, truthsOver, type Vocabulary } from '../asked.ts';
import { type Airport, airports } from '../real/airports.ts';

const { list, count, top, bottom, measure, groups } = truthsOver(airports);
const isOneOf =
  (...states: string[]) =>
  (one: Airport) =>
    states.includes(one.state);

const asked: readonly Asked[] = [
  ['code', 'Airports in WA or OR', list(isOneOf('WA', 'OR'))],
  ['code', 'Airports in IN or OH', list(isOneOf('IN', 'OH'))],
  ['code', 'Airports in HI', list(isOneOf('HI'))],
  ['code', 'airports in OK, TX or ME', list(isOneOf('OK', 'TX', 'ME'))],
  ['negative number', 'Airports with a longitude below -150', list((one) => one.longitude < -150)],
  ['negative number', 'Airports with an elevation of -11', list((one) => one.elevation_ft === -11)],
  ['negative number', 'airports below sea level', 'sea|level|below'],
  ['negative number', 'Airports with an elevation under -50 ft', list((one) => one.elevation_ft < -50)],
  ['top', 'The highest airport by elevation', top(1, (one) => one.elevation_ft)],
  ['top', 'The 4 lowest airports by elevation', bottom(4, (one) => one.elevation_ft)],
  ['top', 'newest airport', top(1, (one) => one.opened)],
  [
    'count',
    'How many airports in US have more than 4 runways?',
    count((one) => one.country === 'US' && one.runways > 4),
  ],
  ['count', 'airports with exactly two runways', list((one) => one.runways === 2)],
  ['count', 'airports with one runway', list((one) => one.runways === 1)],
  ['date', 'Airports opened in the nineties', list((one) => one.opened >= '1990' && one.opened < '2000')],
  ['date', 'airports opened in 1926 or 1927', list((one) => /^192[67]/.test(one.opened))],
  ['date', 'airports opened by 1920-01-01', list((one) => one.opened <= '1920-01-01')],
  [
    'bounds',
    'Airports at an elevation over 1000 but below 3000 feet',
    list((one) => one.elevation_ft > 1000 && one.elevation_ft < 3000),
  ],
  [
    'bounds',
    'airports with at least 5 and at most 6 runways',
    list((one) => one.runways >= 5 && one.runways <= 6),
  ],
  [
    'having',
    'States with at least 4 airports',
    groups(
      (one) => one.state,
      (same) => same.length,
      (one) => one.state !== '' && airports.filter(isOneOf(one.state)).length >= 4,
    ),
  ],
  [
    'group',
    'Average elevation per country',
    groups(
      (one) => one.country,
      (same) =>
        measured(
          'avg',
          same.map((one) => one.elevation_ft),
        ),
    ),
  ],
  [
    'measure',
    'What is the total number of runways in London?',
    measure(
      'sum',
      (one) => one.runways,
      (one) => one.city === 'London',
    ),
  ],
  ['not', 'Airports in AK other than ANC', list((one) => one.state === 'AK' && one.code !== 'ANC')],
  [
    'not',
    'airports outside the US with more than 3 runways',
    list((one) => one.country !== 'US' && one.runways > 3),
  ],
  ['unknown', 'busiest airport', 'busiest'],
];

export const airportsAsked: Vocabulary = { name: 'airports', rows: rowsOf('airport', airports), asked };
