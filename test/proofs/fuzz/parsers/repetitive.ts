// Inputs that make a careless parser slow: one to three short fragments, repeated up to the length that is permitted.
import { type Random, random } from '../../random.ts';

/** What the parsers look for, and what stops them just before they find it. */
const FRAGMENTS = [
  ...[
    '>1 ',
    '1,',
    '>1',
    '1',
    '1_',
    '-$1',
    '1k',
    '2020-01',
    'jan',
    'jan ',
    'jan. 2020 ',
    'between 1 ',
    'from 1 to ',
    ' and ',
    ' or more ',
    '+',
    '%',
  ],
  ...[
    'no less than ',
    'over 5 ',
    'at least ',
    'top 5 ',
    'top ',
    'first ',
    'newest ',
    'by ',
    'per ',
    'for each ',
    'each ',
    'sorted ',
    'alphabetically ',
  ],
  ...[
    'write ',
    'extract the ',
    'and then ',
    'summarize ',
    'how many ',
    'average revenue ',
    'revenue ',
    'city ',
    'Berlin',
    'in Berlin, ',
    'New York ',
    'founded ',
  ],
  ...[
    'companies ',
    'people ',
    'company',
    "company's ",
    'not ',
    'or ',
    'and ',
    ', ',
    '; ',
    '. ',
    '? ',
    ': ',
    '/',
    '(',
    ')',
    'is ',
    'with ',
    'Acme ',
    'Bolt',
  ],
  ...[
    '[[',
    '[[delay:',
    '[[delay:1]]',
    '[[tokens:1,1,',
    ']]',
    '[',
    ']',
    '](',
    '](entity=',
    '[a](entity=ID)',
    '![',
    '<',
    '<a ',
    '\\',
    '\\`',
    '`',
    '``',
    '```',
    '~',
    '~~~',
    '|',
  ],
  ...[
    '\n',
    '\n\n',
    '\n```',
    '\n~~~',
    '- ',
    '> ',
    '# ',
    '*',
    '_',
    '&',
    '&#',
    '&amp;',
    '!',
    ' ',
    '  ',
    '\t',
    '\r',
    '\r\n',
    '.',
    '..',
    ',',
    '"',
    "'",
    "'s",
    '’s ',
  ],
  ...[
    'a',
    'A',
    'aA',
    'a ',
    'z',
    'ß',
    'é',
    'e\u0301',
    '中',
    '\u{1F600}',
    '\uE000',
    '\uE0001\uE001',
    'ꙮ',
    '\u0000',
    '0',
    '9',
    '0.',
    '1.1',
  ],
  ...[
    '{',
    '{"a":',
    '[{',
    '{"a":[',
    '1e999,',
    '"\\u0000",',
    'http://',
    'https://a',
    'www.',
    '@',
    'a@',
    'a.b',
    '.a',
    '-',
    '--',
    ':',
    '%',
    '%41',
    '#',
    '=',
    '0x',
  ],
];
const LETTERS = ' abzAZ019.,;:!?-_/\\|()[]{}<>"\'`~@#$%^&*+=\n\t\u00a0éß中';

/** Runs of one sign: what expressions skip between words, and what they look for. */
const BLANKS = [' ', '\t', '\n', '\u00a0'];
const SIGNS = [...BLANKS, ...'"\'`“’,.;:!?-–_/\\|()[]{}<>=+*~#&%$@', '0', '1', 'a', '中'];

/** An input of this length in UTF-16 units at most, the same for the same seed and index. */
export function repetitive(seed: number, index: number, length: number): string {
  const choose = random(seed, index);
  return choose.chance(0.35) ? phraseWithRun(choose, length) : turns(choose, length);
}

/** One to four fragments as a phrase, a run of one sign, and one more fragment, which may end what the phrase began. */
function phraseWithRun(choose: Random, length: number): string {
  const fragments = (most: number) =>
    Array.from({ length: 1 + choose.below(most) }, () => choose.pick(FRAGMENTS)).join('');
  const phrase = fragments(4).slice(0, length);
  const end = choose.chance(0.7) ? fragments(2) : '';
  const run = choose.pick(choose.chance(0.4) ? BLANKS : SIGNS);
  return `${phrase}${run.repeat(Math.max(0, length - phrase.length - end.length))}${end}`.slice(0, length);
}

function turns(choose: Random, length: number): string {
  const fragment = () =>
    choose.chance(0.85)
      ? choose.pick(FRAGMENTS)
      : Array.from({ length: 1 + choose.below(4) }, () => choose.pick([...LETTERS])).join('');
  const fragments = Array.from({ length: 1 + choose.below(3) }, fragment);
  const share = Math.ceil(length / fragments.length);
  // Taking turns, or one after the other.
  const text = choose.chance(0.5)
    ? fragments.join('').repeat(Math.ceil(length / fragments.join('').length))
    : fragments.map((part) => part.repeat(Math.ceil(share / part.length)).slice(0, share)).join('');
  // The end is where a parser that went wrong turns back.
  return text.slice(0, length - 1) + (choose.chance(0.5) ? choose.pick(['x', '!', '\u0001', ']', '1']) : '');
}
