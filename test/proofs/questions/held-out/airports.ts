// What else is asked of the airports.
import { type Asked, measured, rowsOf, truthsOver, type Vocabulary } from '../asked.ts';
import { type Airport, airports } from '../real/airports.ts';

const { list, count, top, bottom, measure, groups, values } = truthsOver(airports);
const isOneOf =
  (...states: string[]) =>
  (one: Airport) =>
    states.includes(one.state);
const isUs = (one: Airport) => one.country === 'US';

const asked: readonly Asked[] = [
  ['code', 'Airports in OR or WA', list(isOneOf('OR', 'WA'))],
  ['code', 'Airports in ME and NH', list(isOneOf('ME', 'NH'))],
  ['code', 'How many airports are in OK?', count(isOneOf('OK'))],
  ['code', 'airports with the code SEA, PDX or IND', list((one) => ['SEA', 'PDX', 'IND'].includes(one.code))],
  ['code', 'airports in LA', list(isOneOf('LA'))],
  ['code', 'airports in IS, IT or NO', list((one) => ['IS', 'IT', 'NO'].includes(one.country))],
  ['negative number', 'Airports with a latitude under -30', list((one) => one.latitude < -30)],
  [
    'negative number',
    'airports with longitude between -158 and -150',
    list((one) => one.longitude >= -158 && one.longitude <= -150),
  ],
  ['negative number', 'airport at an elevation of −210 ft', list((one) => one.elevation_ft === -210)],
  ['negative number', 'airports with a negative elevation', list((one) => one.elevation_ft < 0)],
  ['top', 'The 2 northernmost airports', 'northernmost'],
  ['top', 'Lowest airport by elevation', bottom(1, (one) => one.elevation_ft)],
  ['top', 'Top 3 airports by number of runways', top(3, (one) => one.runways)],
  ['top', '5 oldest airports in US', bottom(5, (one) => one.opened, isUs)],
  [
    'top',
    'airports in CO from highest to lowest elevation',
    top(100, (one) => one.elevation_ft, isOneOf('CO')),
  ],
  [
    'count',
    'airports with exactly one runway in GB',
    list((one) => one.runways === 1 && one.country === 'GB'),
  ],
  ['count', 'How many airports have four runways?', count((one) => one.runways === 4)],
  ['date', 'Airports opened in 1926 and 1927', list((one) => /^192[67]/.test(one.opened))],
  ['date', 'airports opened since 2010', list((one) => one.opened >= '2010')],
  ['date', 'airports opened before March 1920', list((one) => one.opened < '1920-03')],
  ['date', 'airports from the fifties', list((one) => one.opened >= '1950' && one.opened < '1960')],
  ['date', 'Airport opened on 17.11.1962', list((one) => one.opened === '1962-11-17')],
  ['bounds', 'airports with between 5 and 7 runways', list((one) => one.runways >= 5 && one.runways <= 7)],
  [
    'bounds',
    'airports over 4000 ft with fewer than 5 runways',
    list((one) => one.elevation_ft > 4000 && one.runways < 5),
  ],
  ['unit', 'Airports with an elevation over 2 km', list((one) => one.elevation_ft > 2000 / 0.3048)],
  [
    'having',
    'Cities with two or more airports',
    groups(
      (one) => one.city,
      (same) => same.length,
      (one) => airports.filter(({ city }) => city === one.city).length >= 2,
    ),
  ],
  ['group', 'number of airports by country', groups((one) => one.country)],
  [
    'group',
    'Which state has the most airports in US?',
    groups(
      (one) => one.state,
      (same) => same.length,
      isUs,
      { limit: 1, sign: -1 },
    ),
  ],
  [
    'group',
    'total runways per country',
    groups(
      (one) => one.country,
      (same) =>
        measured(
          'sum',
          same.map((one) => one.runways),
        ),
    ),
  ],
  [
    'measure',
    'average elevation of airports in CO',
    measure('avg', (one) => one.elevation_ft, isOneOf('CO')),
  ],
  [
    'not',
    'Airports in the US not in CA, TX or FL',
    list((one) => isUs(one) && !isOneOf('CA', 'TX', 'FL')(one)),
  ],
  ['values', 'List the countries of the airports', [values((one) => one.country), list()]],
  ['unknown', 'airports with a direct flight to Berlin', 'direct|flight'],
  ['relation', 'airports in the same city as Heathrow', 'same'],
  ['rank', 'fifth highest airport', 'fifth'],
];

export const airportsHeldOut: Vocabulary = { name: 'airports', rows: rowsOf('airport', airports), asked };
