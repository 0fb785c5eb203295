// What is asked of the countries.
import { type Asked, measured, rowsOf, truthsOver, type Vocabulary } from '../asked.ts';
import { type Country, countries } from '../real/countries.ts';

const { list, count, top, bottom, measure, groups, values } = truthsOver(countries);
const isIn = (region: string) => (one: Country) => one.region === region;

const asked: readonly Asked[] = [
  ['count', 'How many countries are in Africa?', count(isIn('Africa'))],
  ['list', 'Landlocked countries in Europe', list((one) => one.landlocked && isIn('Europe')(one))],
  ['top', 'Smallest country by area', bottom(1, (one) => one.area_km2)],
  ['top', 'Top 5 countries by population', top(5, (one) => one.population)],
  ['top', 'The 3 largest countries in Asia by area', top(3, (one) => one.area_km2, isIn('Asia'))],
  ['negative number', 'Countries with a latitude below -20', list((one) => one.latitude < -20)],
  ['negative number', 'Countries with a longitude of -8', list((one) => one.longitude === -8)],
  [
    'negative number',
    'countries with latitude between -10 and 0',
    list((one) => one.latitude >= -10 && one.latitude <= 0),
  ],
  [
    'bounds',
    'Countries with a population over 50 million but under 100 million',
    list((one) => one.population > 50e6 && one.population < 100e6),
  ],
  ['date', 'Countries that are UN members since 1990 or later', list((one) => one.un_member_since >= 1990)],
  [
    'measure',
    'Average population of countries in Oceania',
    measure('avg', (one) => one.population, isIn('Oceania')),
  ],
  ['group', 'Number of countries per region', groups((one) => one.region)],
  [
    'group',
    'Total population by region',
    groups(
      (one) => one.region,
      (same) =>
        measured(
          'sum',
          same.map((one) => one.population),
        ),
    ),
  ],
  [
    'having',
    'Regions with at least 20 countries',
    groups(
      (one) => one.region,
      (same) => same.length,
      (one) => countries.filter(isIn(one.region)).length >= 20,
    ),
  ],
  ['code', 'Countries with code NO or IT', list((one) => ['NO', 'IT'].includes(one.code))],
  ['code', 'Countries whose code is DE or FR', list((one) => ['DE', 'FR'].includes(one.code))],
  [
    'relation',
    'Countries that border Germany',
    [list((one) => one.borders.includes('DE')), list((one) => one.borders.includes('Germany'))],
  ],
  ['script', 'Countries with the native name भारत', list((one) => one.native_name === 'भारत')],
  ['script', 'native name ประเทศไทย', list((one) => one.native_name === 'ประเทศไทย')],
  [
    'not',
    'Countries in the Americas that are not landlocked',
    list((one) => isIn('Americas')(one) && !one.landlocked),
  ],
  ['values', 'List all regions', values((one) => one.region)],
  ['measure of the first', 'Average population of the top 5 countries by area', 'Average|top|5'],
  ['best of each', 'Largest country in each region by area', 'Largest|each|region'],
  ['unknown', 'Countries with a king', 'king'],
  ['rank', 'The second largest country by area', 'second'],
];

export const countriesAsked: Vocabulary = { name: 'countries', rows: rowsOf('country', countries), asked };
