// What else is asked of the countries.
import { type Asked, measured, rowsOf, truthsOver, type Vocabulary } from '../asked.ts';
import { type Country, countries } from '../real/countries.ts';

const { list, count, top, bottom, measure, groups, values } = truthsOver(countries);
const isIn = (region: string) => (one: Country) => one.region === region;

const asked: readonly Asked[] = [
  ['count', 'Number of landlocked countries', count((one) => one.landlocked)],
  [
    'list',
    'Countries with languages French and English',
    list((one) => one.languages.includes('French') && one.languages.includes('English')),
  ],
  [
    'list',
    'Which African countries have the language Arabic?',
    list((one) => isIn('Africa')(one) && one.languages.includes('Arabic')),
  ],
  ['list', 'The country with the capital Oslo', list((one) => one.capital === 'Oslo')],
  ['top', 'least populous country', bottom(1, (one) => one.population)],
  ['top', 'The 4 smallest countries in Europe by area', bottom(4, (one) => one.area_km2, isIn('Europe'))],
  [
    'top',
    'countries in Oceania sorted by population, highest first',
    top(1000, (one) => one.population, isIn('Oceania')),
  ],
  [
    'negative number',
    'Countries with a longitude greater than -60 and less than -50',
    list((one) => one.longitude > -60 && one.longitude < -50),
  ],
  ['negative number', 'countries with latitude ≤ -30', list((one) => one.latitude <= -30)],
  ['negative number', 'countries at a longitude of minus 102', list((one) => one.longitude === -102)],
  [
    'bounds',
    'countries with an area between 30,000 and 50,000',
    list((one) => one.area_km2 >= 30_000 && one.area_km2 <= 50_000),
  ],
  [
    'bounds',
    'Countries with fewer than 400 thousand people in population',
    list((one) => one.population < 400_000),
  ],
  ['date', 'Countries that joined the UN before 1946', list((one) => one.un_member_since < 1946)],
  [
    'date',
    'countries with UN member since 1990, 1991 or 1992',
    list((one) => [1990, 1991, 1992].includes(one.un_member_since)),
  ],
  ['measure', 'What is the total area of Africa?', measure('sum', (one) => one.area_km2, isIn('Africa'))],
  [
    'measure',
    'smallest population',
    [measure('min', (one) => one.population), bottom(1, (one) => one.population)],
  ],
  [
    'group',
    'average area of landlocked countries per region',
    groups(
      (one) => one.region,
      (same) =>
        measured(
          'avg',
          same.map((one) => one.area_km2),
        ),
      (one) => one.landlocked,
    ),
  ],
  [
    'group',
    'Which language is spoken in the most countries?',
    groups(
      (one) => one.languages,
      (same) => same.length,
      () => true,
      { limit: 1, sign: -1 },
    ),
  ],
  [
    'having',
    'Regions with more than 15 countries',
    groups(
      (one) => one.region,
      (same) => same.length,
      (one) => countries.filter(isIn(one.region)).length > 15,
    ),
  ],
  ['code', 'Countries with the code US, IS or IN', list((one) => ['US', 'IS', 'IN'].includes(one.code))],
  ['code', 'How many countries have a code other than NO?', count((one) => one.code !== 'NO')],
  ['script', 'country with native name 대한민국', list((one) => one.native_name === '대한민국')],
  ['script', 'native name العربية السعودية', list((one) => one.native_name === 'العربية السعودية')],
  ['script', '日本', list((one) => one.native_name === '日本')],
  [
    'not',
    'countries in Asia except China and India',
    list((one) => isIn('Asia')(one) && !['China', 'India'].includes(one.name)),
  ],
  ['not', 'Countries in neither Europe nor Asia', list((one) => !isIn('Europe')(one) && !isIn('Asia')(one))],
  [
    'or',
    'landlocked countries in Africa or Asia',
    list((one) => one.landlocked && (isIn('Africa')(one) || isIn('Asia')(one))),
  ],
  [
    'values',
    'Which regions have landlocked countries?',
    [
      values(
        (one) => one.region,
        (one) => one.landlocked,
      ),
      groups(
        (one) => one.region,
        (same) => same.length,
        (one) => one.landlocked,
      ),
    ],
  ],
  ['measure of the first', 'Total population of the 3 largest countries by area', 'Total|3|largest'],
  ['best of each', 'Most populous country of every region', 'Most|every|region'],
  ['rank', 'third most populous country', 'third'],
  ['rank', 'countries from rank 3 to 6 by area', 'rank|3|6'],
  ['unknown', 'Countries that are safe to travel', 'safe|travel'],
  ['unknown', 'Richest country', 'Richest'],
  ['relation', 'Countries larger than France', 'larger|France|than'],
];

export const countriesHeldOut: Vocabulary = { name: 'countries', rows: rowsOf('country', countries), asked };
