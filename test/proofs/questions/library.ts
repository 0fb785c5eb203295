// A library and a festival: books, members, loans and concerts.
import type { DataSet, Question, Row } from '#domain/evaluation/truth.ts';
import { random } from '../random.ts';
import { at, has, number, text, truthsOf } from './truth.ts';

const AUTHORS = ['Ines Moreau', 'Otto Lind', 'Mary Ann Shaw', 'Kofi Mensah'];
const GENRES = ['crime', 'science fiction', 'poetry', 'biography'];
const STAGES = ['Main Stage', 'Garden', 'Cellar'];

const isoDay = (from: number, days: number) =>
  new Date(Date.UTC(from, 0, 1 + days)).toISOString().slice(0, 10);

function rowsOf(seed: number): Row[] {
  const books = Array.from({ length: 900 }, (_, i): Row => {
    const chance = random(seed, i);
    return {
      type: 'book',
      name: `Book ${i}`,
      fields: {
        author: chance.pick(AUTHORS),
        genre: chance.pick(GENRES),
        language: chance.pick(['English', 'French', 'Swedish']),
        pages: 60 + chance.below(900),
        published: 1920 + i / 10,
        copies: chance.below(6),
        on_loan: chance.chance(0.3),
        shelf: { hall: chance.pick(['North', 'South']), number: chance.below(90) },
        average_rating: Math.round((1 + chance.below(400) / 100) * 10_000 + i) / 10_000,
        keywords: ['prize winner', 'illustrated', 'translated'].filter(() => chance.chance(0.3)),
        ...(chance.chance(0.9) && { isbn: `978-${i}` }),
      },
    };
  });
  const members = Array.from({ length: 500 }, (_, i): Row => {
    const chance = random(seed + 1, i);
    return {
      type: 'member',
      name: `Member ${i}`,
      fields: {
        membership: chance.pick(['student', 'senior', 'regular']),
        birthday: isoDay(1940, chance.below(25_000)),
        joined_on: isoDay(2015, chance.below(4000)),
        town: chance.pick(['Lund', 'Malmö', 'Ystad']),
        fines_sek: chance.chance(0.6) ? 0 : chance.below(500) + i / 1000,
        blocked: chance.chance(0.1),
        ...(chance.chance(0.75) && { email: `m${i}@example.com` }),
      },
    };
  });
  const loans = Array.from({ length: 2000 }, (_, i): Row => {
    const chance = random(seed + 2, i);
    const days = chance.below(500);
    return {
      type: 'loan',
      name: `Loan ${i}`,
      fields: {
        book: `Book ${chance.below(900)}`,
        member: `Member ${chance.below(500)}`,
        borrowed_at: Date.UTC(2025, 0, 1 + days) + 36_000_000,
        due_at: Date.UTC(2025, 0, 29 + days),
        renewals: chance.below(4),
        overdue: chance.chance(0.2),
        branch: chance.pick(['Central', 'Harbor Branch']),
      },
    };
  });
  const concerts = Array.from({ length: 300 }, (_, i): Row => {
    const chance = random(seed + 3, i);
    return {
      type: 'concert',
      name: `Concert ${i}`,
      fields: {
        artist: `Artist ${chance.below(80)}`,
        stage: chance.pick(STAGES),
        style: chance.pick(['jazz', 'folk', 'hip hop']),
        starts: new Date(Date.UTC(2026, 5, 1) + chance.below(60 * 24) * 3_600_000).toISOString(),
        length_min: 30 + chance.below(120),
        ticket_price_eur: 10 + chance.below(90) + i / 1000,
        tickets_sold: chance.below(5000),
        sold_out: chance.chance(0.2),
        crew: { headcount: 2 + chance.below(40) },
      },
    };
  });
  return [...books, ...members, ...loans, ...concerts];
}

function questionsOn(rows: Row[]): Question[] {
  const book = truthsOf(rows, 'book');
  const member = truthsOf(rows, 'member');
  const loan = truthsOf(rows, 'loan');
  const concert = truthsOf(rows, 'concert');
  const genre = (name: string) => (row: Row) => text(row, 'genre') === name;
  const month = (from: string, to: string) => (row: Row) =>
    number(row, 'borrowed_at') >= Date.parse(from) && number(row, 'borrowed_at') < Date.parse(to);
  return [
    ['Which books did Kofi Mensah write?', null],
    ['books by Mary Ann Shaw', book.list((row) => text(row, 'author') === 'Mary Ann Shaw')],
    [
      'science fiction books in Swedish',
      book.list((row) => genre('science fiction')(row) && text(row, 'language') === 'Swedish'),
    ],
    [
      'How many poetry books are on loan?',
      book.count((row) => genre('poetry')(row) && at(row, 'on_loan') === true),
    ],
    [
      'crime books that are not on loan',
      book.list((row) => genre('crime')(row) && at(row, 'on_loan') === false),
    ],
    ['books with more than 900 pages', book.list((row) => number(row, 'pages') > 900)],
    ['the five longest biographies', book.top(5, 'pages', 'desc', genre('biography'))],
    ['the 5 biographies with the most pages', book.top(5, 'pages', 'desc', genre('biography'))],
    [
      'books published in the 1960s',
      book.list((row) => number(row, 'published') >= 1960 && number(row, 'published') < 1970),
    ],
    ['oldest French book', book.top(1, 'published', 'asc', (row) => text(row, 'language') === 'French')],
    [
      'illustrated books published after 2015',
      book.list((row) => has(row, 'keywords', 'illustrated') && number(row, 'published') > 2015),
    ],
    [
      'books with an average rating of at least 4.8',
      book.list((row) => number(row, 'average_rating') >= 4.8),
    ],
    ['best rated crime book', book.top(1, 'average_rating', 'desc', genre('crime'))],
    ['books with no copies left', null],
    ['books without an ISBN', book.list((row) => at(row, 'isbn') === undefined)],
    [
      'number of books per genre and language',
      {
        kind: 'groups',
        inOrder: false,
        groups: [
          ...Map.groupBy(
            rows.filter(({ type }) => type === 'book'),
            (row) => `${text(row, 'genre')} / ${text(row, 'language')}`,
          ),
        ].map(([name, same]) => [name, same.length]),
      },
    ],
    [
      'Which author has the highest average rating?',
      book.groups('author', 'avg', 'average_rating', () => true, { limit: 1 }),
    ],
    ['average pages by author', book.groups('author', 'avg', 'pages')],
    ['books in the south hall', book.list((row) => text(row, 'shelf.hall') === 'South')],
    ['What genres do we have?', book.values('genre')],
    ['How many members live in Malmö?', member.count((row) => text(row, 'town') === 'Malmö')],
    [
      'blocked student members',
      member.list((row) => at(row, 'blocked') === true && text(row, 'membership') === 'student'),
    ],
    ['members with fines', member.list((row) => number(row, 'fines_sek') > 0)],
    [
      'members without fines in Lund',
      member.list((row) => number(row, 'fines_sek') === 0 && text(row, 'town') === 'Lund'),
    ],
    ['members younger than 30', member.list((row) => text(row, 'birthday') >= '1996-06-16')],
    [
      'senior members who joined before 2018',
      member.list((row) => text(row, 'membership') === 'senior' && text(row, 'joined_on') < '2018'),
    ],
    ['total fines per town', member.groups('town', 'sum', 'fines_sek')],
    ['members with neither an email nor fines', null],
    ['overdue loans', loan.list((row) => at(row, 'overdue') === true)],
    ['loans borrowed in March 2026', loan.list(month('2026-03-01', '2026-04-01'))],
    ['loans due before February 2025', loan.list((row) => number(row, 'due_at') < Date.UTC(2025, 1, 1))],
    [
      'loans with 3 renewals at the Harbor Branch',
      loan.list((row) => number(row, 'renewals') === 3 && text(row, 'branch') === 'Harbor Branch'),
    ],
    ['Which member has the most loans?', loan.groups('member', 'count', '', () => true, { limit: 1 })],
    ['loans of Book 12', loan.list((row) => text(row, 'book') === 'Book 12')],
    [
      'jazz concerts on the Main Stage',
      concert.list((row) => text(row, 'style') === 'jazz' && text(row, 'stage') === 'Main Stage'),
    ],
    ['sold out concerts', concert.list((row) => at(row, 'sold_out') === true)],
    [
      'hip hop concerts that are not sold out',
      concert.list((row) => text(row, 'style') === 'hip hop' && at(row, 'sold_out') === false),
    ],
    [
      'concerts next week',
      concert.list((row) => text(row, 'starts') >= '2026-06-22' && text(row, 'starts') < '2026-06-29'),
    ],
    ['concerts longer than 2 hours', concert.list((row) => number(row, 'length_min') > 120)],
    [
      'folk concerts with tickets under 20 euros',
      concert.list((row) => text(row, 'style') === 'folk' && number(row, 'ticket_price_eur') < 20),
    ],
    [
      'top 3 stages by tickets sold',
      concert.groups('stage', 'sum', 'tickets_sold', () => true, { limit: 3 }),
    ],
    ['average ticket price by style', concert.groups('style', 'avg', 'ticket_price_eur')],
    ['Which concert sold the most tickets?', concert.top(1, 'tickets_sold')],
    ['concerts with a crew of more than 30', concert.list((row) => number(row, 'crew.headcount') > 30)],
    ['concerts with a headcount over 30', concert.list((row) => number(row, 'crew.headcount') > 30)],
    ['Which books were banned?', null],
    ['members who stole a book', null],
    ['Where can I park?', null],
    ['concerts with free beer', null],
    ['recommend a novel for my aunt', null],
  ];
}

export function library(seed: number): DataSet {
  const rows = rowsOf(seed);
  return { name: 'library', rows, questions: questionsOn(rows) };
}
