// What else is asked of the films.
import { type Asked, measured, rowsOf, truthsOver, type Vocabulary } from '../asked.ts';
import { type Film, films } from '../real/films.ts';

const { list, count, top, bottom, measure, groups, values } = truthsOver(films);
const isBy = (director: string) => (one: Film) => one.director === director;
const isOf = (genre: string) => (one: Film) => one.genres.includes(genre);

const asked: readonly Asked[] = [
  ['not', 'Films rated neither R nor PG', list((one) => !['R', 'PG'].includes(one.rating))],
  ['not', 'films that are not from USA', list((one) => one.country !== 'USA')],
  [
    'not',
    'science fiction films not by Ridley Scott',
    list((one) => isOf('science fiction')(one) && !isBy('Ridley Scott')(one)),
  ],
  ['list', 'films rated Not Rated', list((one) => one.rating === 'Not Rated')],
  [
    'list',
    'PG-13 films by Christopher Nolan',
    list((one) => isBy('Christopher Nolan')(one) && one.rating === 'PG-13'),
  ],
  ['list', 'films with the genres drama and war', list((one) => isOf('drama')(one) && isOf('war')(one))],
  ['or', 'horror or western films', list((one) => isOf('horror')(one) || isOf('western')(one))],
  [
    'or',
    'films by Pete Docter or John Lasseter',
    list((one) => isBy('Pete Docter')(one) || isBy('John Lasseter')(one)),
  ],
  ['top', 'Highest rated film by imdb score', top(1, (one) => one.imdb_score)],
  ['top', 'the 3 films with the lowest gross', bottom(3, (one) => one.gross_musd)],
  ['top', 'shortest western', bottom(1, (one) => one.minutes, isOf('western'))],
  [
    'top',
    'Oldest 3 films from Germany',
    [
      bottom(
        3,
        (one) => one.year,
        (one) => one.country === 'Germany',
      ),
      bottom(
        3,
        (one) => one.release_date,
        (one) => one.country === 'Germany',
      ),
    ],
  ],
  [
    'measure',
    'How many minutes do all films by Martin Scorsese have in total?',
    measure('sum', (one) => one.minutes, isBy('Martin Scorsese')),
  ],
  [
    'measure',
    'average gross of PG films',
    measure(
      'avg',
      (one) => one.gross_musd,
      (one) => one.rating === 'PG',
    ),
  ],
  [
    'measure',
    'highest budget of a film from Italy',
    [
      measure(
        'max',
        (one) => one.budget_musd,
        (one) => one.country === 'Italy',
      ),
      top(
        1,
        (one) => one.budget_musd,
        (one) => one.country === 'Italy',
      ),
    ],
  ],
  ['measure of the first', 'Total gross of the 10 most expensive films', 'Total|10|most'],
  [
    'having',
    'Countries with more than 5 films',
    groups(
      (one) => one.country,
      (same) => same.length,
      (one) => films.filter(({ country }) => country === one.country).length > 5,
    ),
  ],
  ['date', 'Films from 1998 and 1999', list((one) => [1998, 1999].includes(one.year))],
  [
    'date',
    'films from before 1950',
    [list((one) => one.year < 1950), list((one) => one.release_date < '1950')],
  ],
  [
    'date',
    'Films released in December 1993 or January 1993',
    list((one) => /^1993-(12|01)/.test(one.release_date)),
  ],
  [
    'date',
    'films released between 1999-01-01 and 1999-12-31',
    list((one) => one.release_date.startsWith('1999')),
  ],
  [
    'date',
    'films from the 1980s by Steven Spielberg',
    list((one) => isBy('Steven Spielberg')(one) && one.year >= 1980 && one.year < 1990),
  ],
  [
    'bounds',
    'films with an imdb score over 8.5 and a budget below 10 million',
    list((one) => (one.imdb_score ?? 0) > 8.5 && one.budget_musd < 10),
  ],
  [
    'bounds',
    'films with a gross of more than 900 but less than 2000',
    list((one) => one.gross_musd > 900 && one.gross_musd < 2000),
  ],
  ['unit', 'films of at most 1.5 hours', list((one) => one.minutes <= 90)],
  ['unit', 'films with a gross above $2 billion', list((one) => one.gross_musd > 2000)],
  ['script', '千と千尋の神隠し', list((one) => one.name === '千と千尋の神隠し')],
  ['script', 'films by 黒澤明', list(isBy('黒澤明'))],
  ['script', 'films directed by يوسف شاهين', list(isBy('يوسف شاهين'))],
  ['script', 'Tell me about องค์บาก', list((one) => one.name === 'องค์บาก')],
  [
    'group',
    'average minutes per rating',
    groups(
      (one) => one.rating,
      (same) =>
        measured(
          'avg',
          same.map((one) => one.minutes),
        ),
    ),
  ],
  [
    'group',
    'Which 3 directors have the most films?',
    groups(
      (one) => one.director,
      (same) => same.length,
      () => true,
      { limit: 3, sign: -1 },
    ),
  ],
  ['values', 'all ratings', values((one) => one.rating)],
  ['count', 'How many films did David Fincher direct?', count(isBy('David Fincher'))],
  ['unknown', 'films that won an Oscar', 'won|Oscar'],
  ['rank', 'All but the 5 longest films', 'but|All'],
];

export const filmsHeldOut: Vocabulary = { name: 'films', rows: rowsOf('film', films), asked };
