// What else is asked of the books.
import { type Asked, measured, rowsOf, truthsOver, type Vocabulary } from '../asked.ts';
import { type Book, books } from '../real/books.ts';

const { list, count, top, bottom, measure, groups, values } = truthsOver(books);
const isIn = (language: string) => (one: Book) => one.language === language;

const asked: readonly Asked[] = [
  ['count', 'number of e-books', count((one) => one.format === 'e-book')],
  ['list', 'hardcover books in Russian', list((one) => isIn('Russian')(one) && one.format === 'hardcover')],
  [
    'list',
    'Books by Jane Austen or Mark Twain',
    list((one) => ['Jane Austen', 'Mark Twain'].includes(one.author)),
  ],
  ['count', 'books with exactly three copies', list((one) => one.copies === 3)],
  ['count', 'books with one copy', list((one) => one.copies === 1)],
  [
    'bounds',
    'books with more than 1000 but fewer than 1300 pages',
    list((one) => one.pages > 1000 && one.pages < 1300),
  ],
  ['bounds', 'books between 5 and 6 EUR', list((one) => one.price_eur >= 5 && one.price_eur <= 6)],
  [
    'bounds',
    'books published after 1900 and before 1910',
    list((one) => one.published > 1900 && one.published < 1910),
  ],
  ['unit', 'books with a discount of at least 25 %', list((one) => one.discount >= 0.25)],
  ['unit', 'books with a discount below 5%', list((one) => one.discount < 0.05)],
  ['unit', 'books cheaper than 4,5 EUR', list((one) => one.price_eur < 4.5)],
  ['unit', 'books over 30 USD', 'USD'],
  ['top', 'The most expensive book', top(1, (one) => one.price_eur)],
  ['top', '4 longest books by pages', top(4, (one) => one.pages)],
  ['top', 'The 2 shortest French books by pages', bottom(2, (one) => one.pages, isIn('French'))],
  ['top', 'most recently acquired book', top(1, (one) => one.acquired)],
  ['top', 'the cheapest and the most expensive book', 'cheapest|most|and'],
  ['script', 'books by 鲁迅', list((one) => one.author === '鲁迅')],
  ['script', '吾輩は猫である', list((one) => one.name === '吾輩は猫である')],
  ['script', 'Books by प्रेमचंद', list((one) => one.author === 'प्रेमचंद')],
  ['script', 'ข้างหลังภาพ', list((one) => one.name === 'ข้างหลังภาพ')],
  ['script', 'books by Лев Толстой', list((one) => one.author === 'Лев Толстой')],
  ['date', 'books acquired in December', list((one) => one.acquired.startsWith('2025-12'))],
  ['date', 'books acquired this month', list((one) => one.acquired.startsWith('2026-06'))],
  ['date', 'books acquired from March to May 2026', list((one) => /^2026-0[345]/.test(one.acquired))],
  ['date', 'books acquired from 2024', list((one) => one.acquired.startsWith('2024'))],
  ['date', 'books acquired on or after 2026-05-31', list((one) => one.acquired >= '2026-05-31')],
  ['date', 'books published in the 19th century', 'century|19th'],
  [
    'not',
    'English books that are not paperback',
    list((one) => isIn('English')(one) && one.format !== 'paperback'),
  ],
  ['not', 'books with no discount', [list((one) => one.discount === 0)]],
  [
    'not',
    'in stock books not in English or French',
    list((one) => one.in_stock && !isIn('English')(one) && !isIn('French')(one)),
  ],
  [
    'group',
    'sum of copies by format',
    groups(
      (one) => one.format,
      (same) =>
        measured(
          'sum',
          same.map((one) => one.copies),
        ),
    ),
  ],
  [
    'group',
    'Which author has the most books?',
    groups(
      (one) => one.author,
      (same) => same.length,
      () => true,
      { limit: 1, sign: -1 },
    ),
  ],
  [
    'having',
    'Authors with more than one book',
    groups(
      (one) => one.author,
      (same) => same.length,
      (one) => books.filter(({ author }) => author === one.author).length > 1,
    ),
  ],
  ['measure', 'average price of Chinese books', measure('avg', (one) => one.price_eur, isIn('Chinese'))],
  ['values', 'formats of the books', [values((one) => one.format), list()]],
  ['measure of the first', 'average price of the 5 longest books', 'average|5|longest'],
  ['best of each', 'the longest book per language', 'longest|per'],
  ['relation', 'books by the same author as Emma', 'same'],
];

export const booksHeldOut: Vocabulary = { name: 'books', rows: rowsOf('book', books), asked };
