// Markdown for people at a terminal: bold text without its marks, lines that break at words.
import { type Screen, shortened, widthOf } from './terminal.ts';

/** Where a broken line goes on: below its first word. */
const INDENT = /^\s*(?:[-*] |\d+\. )?/;
const HEADING = /^#{1,6} +/;

/** The text as a terminal shows it; a pipe takes the Markdown unchanged. `text` is free of control characters. */
export function asShown(text: string, screen: Screen): string {
  const { columns } = screen;
  if (columns === undefined) return text;
  let isCode = false;
  return text
    .split('\n')
    .map((line) => {
      if (line.startsWith('```')) isCode = !isCode;
      if (isCode || line.startsWith('```')) return line;
      if (line.startsWith('|')) return shortened(line, columns);
      return wrapped(line, columns, screen);
    })
    .join('\n');
}

function wrapped(line: string, columns: number, { paint }: Screen): string {
  const isHeading = HEADING.test(line);
  const bare = line.replace(HEADING, '');
  const [indent = ''] = INDENT.exec(bare) ?? [];
  const bold = boldWords(bare.slice(indent.length), isHeading);
  const rows: string[] = [];
  let row = indent;
  let width = widthOf(indent);
  let isFirst = true;
  for (const { plain, pieces } of bold) {
    const needed = widthOf(plain) + (isFirst ? 0 : 1);
    if (!isFirst && width + needed > columns) {
      rows.push(row);
      row = ' '.repeat(indent.length);
      width = indent.length;
      isFirst = true;
    }
    row +=
      (isFirst ? '' : ' ') + pieces.map((one) => (one.bold ? paint('bold', one.text) : one.text)).join('');
    width += widthOf(plain) + (isFirst ? 0 : 1);
    isFirst = false;
  }
  return [...rows, row].join('\n');
}

interface Word {
  plain: string;
  pieces: { text: string; bold: boolean }[];
}

/** The words of a line, without the marks of what is bold in it; marks that have no partner stay. */
function boldWords(text: string, isHeading: boolean): Word[] {
  const isMarked = (text.split('**').length - 1) % 2 === 0;
  let bold = isHeading;
  return text.split(' ').map((word) => {
    const pieces = (isMarked ? word.split('**') : [word]).map((piece, i) => {
      if (i > 0 && !isHeading) bold = !bold;
      return { text: piece, bold: bold && piece !== '' };
    });
    return { plain: pieces.map((one) => one.text).join(''), pieces };
  });
}
