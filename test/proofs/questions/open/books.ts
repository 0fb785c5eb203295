// What is asked of the books.
import { type Asked, measured, rowsOf, truthsOver, type Vocabulary } from '../asked.ts';
import { type Book, books } from '../real/books.ts';

const { list, count, top, bottom, measure, groups, values } = truthsOver(books);
const isIn = (language: string) => (one: Book) => one.language === language;

const asked: readonly Asked[] = [
  ['count', 'How many books are in French?', count(isIn('French'))],
  ['list', 'German paperback books', list((one) => isIn('German')(one) && one.format === 'paperback')],
  ['list', 'books by Albert Camus', list((one) => one.author === 'Albert Camus')],
  ['unknown', 'How many books are about Android?', 'Android|about'],
  ['unit', 'books with a price over 20,5', list((one) => one.price_eur > 20.5)],
  ['unit', 'books over €20', list((one) => one.price_eur > 20)],
  ['unit', 'books with a discount over 20%', list((one) => one.discount > 0.2)],
  ['unit', 'books with a discount of 10%', list((one) => one.discount === 0.1)],
  ['top', 'The 3 cheapest books', bottom(3, (one) => one.price_eur)],
  ['top', 'the most expensive Japanese book', top(1, (one) => one.price_eur, isIn('Japanese'))],
  ['top', 'The 2 books with the fewest pages', bottom(2, (one) => one.pages)],
  ['top', 'Last 3 books acquired', [top(3, (one) => one.acquired)]],
  ['script', '红楼梦', list((one) => one.name === '红楼梦')],
  ['script', 'books by 夏目漱石', list((one) => one.author === '夏目漱石')],
  ['script', 'books by نجيب محفوظ', list((one) => one.author === 'نجيب محفوظ')],
  ['script', 'Tell me about गोदान', list((one) => one.name === 'गोदान')],
  ['date', 'books acquired in March', [list((one) => one.acquired.startsWith('2026-03'))]],
  ['date', 'books acquired last month', list((one) => one.acquired.startsWith('2026-05'))],
  ['date', 'books acquired in Q1 2026', list((one) => /^2026-0[123]/.test(one.acquired))],
  [
    'date',
    'books acquired on 02.06.2026 or 01.06.2026',
    list((one) => ['2026-06-01', '2026-06-02'].includes(one.acquired)),
  ],
  ['not', 'books that are not in stock', list((one) => !one.in_stock)],
  ['not', 'all but the 3 cheapest books', 'but|cheapest|3'],
  [
    'group',
    'average pages per language',
    groups(
      (one) => one.language,
      (same) =>
        measured(
          'avg',
          same.map((one) => one.pages),
        ),
    ),
  ],
  [
    'measure',
    'total copies of hardcover books',
    measure(
      'sum',
      (one) => one.copies,
      (one) => one.format === 'hardcover',
    ),
  ],
  ['values', 'which languages do the books have?', values((one) => one.language)],
];

export const booksAsked: Vocabulary = { name: 'books', rows: rowsOf('book', books), asked };
