// What is asked of the films.
import { type Asked, measured, rowsOf, truthsOver, type Vocabulary } from '../asked.ts';
import { type Film, films } from '../real/films.ts';

const { list, count, top, bottom, measure, groups, values } = truthsOver(films);
const isBy = (director: string) => (one: Film) => one.director === director;

const asked: readonly Asked[] = [
  ['not', 'How many films are not rated R?', count((one) => one.rating !== 'R')],
  ['not', 'Films not rated PG', list((one) => one.rating !== 'PG')],
  ['list', 'Not Rated films', list((one) => one.rating === 'Not Rated')],
  ['list', 'films directed by Stanley Kubrick', list(isBy('Stanley Kubrick'))],
  [
    'list',
    'crime films from Italy or France',
    list((one) => one.genres.includes('crime') && ['Italy', 'France'].includes(one.country)),
  ],
  ['top', 'Lowest rated films, top 3 by imdb score', bottom(3, (one) => one.imdb_score)],
  ['top', 'longest film', top(1, (one) => one.minutes)],
  ['top', 'The 3 shortest films by minutes', bottom(3, (one) => one.minutes)],
  [
    'measure',
    'Average imdb score of films by Alfred Hitchcock',
    measure('avg', (one) => one.imdb_score, isBy('Alfred Hitchcock')),
  ],
  ['measure of the first', 'Average budget of the top 5 films by gross', 'Average|top|5'],
  [
    'having',
    'Directors with at least 4 films',
    groups(
      (one) => one.director,
      (same) => same.length,
      (one) => films.filter(isBy(one.director)).length >= 4,
    ),
  ],
  ['date', 'Films from 1994', list((one) => one.year === 1994)],
  [
    'date',
    'films from the fifties',
    [
      list((one) => one.year >= 1950 && one.year < 1960),
      list((one) => one.release_date >= '1950' && one.release_date < '1960'),
    ],
  ],
  ['date', 'Films released in June or July 1998', list((one) => /^1998-0[67]/.test(one.release_date))],
  ['date', 'films released after 2010-06-30', list((one) => one.release_date > '2010-06-30')],
  [
    'bounds',
    'films longer than 120 minutes but shorter than 125 minutes',
    list((one) => one.minutes > 120 && one.minutes < 125),
  ],
  ['unit', 'films longer than 3 hours', list((one) => one.minutes > 180)],
  ['script', '七人の侍', list((one) => one.name === '七人の侍')],
  ['script', 'films by 宮崎駿', list(isBy('宮崎駿'))],
  ['script', 'Tell me about लगान', list((one) => one.name === 'लगान')],
  ['script', 'how many films are by ปรัชญา ปิ่นแก้ว', count(isBy('ปรัชญา ปิ่นแก้ว'))],
  ['group', 'Number of films by genre', groups((one) => one.genres)],
  [
    'group',
    'highest gross per country',
    groups(
      (one) => one.country,
      (same) =>
        measured(
          'max',
          same.map((one) => one.gross_musd),
        ),
    ),
  ],
  ['values', 'Which countries are the films from?', values((one) => one.country)],
  ['unknown', 'films with a happy ending', 'happy|ending'],
];

export const filmsAsked: Vocabulary = { name: 'films', rows: rowsOf('film', films), asked };
