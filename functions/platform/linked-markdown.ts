// Safe text: Markdown that leaves the service. Strings of records are escaped; in what models write, only links to
// known records stay links (rules.md: artifacts 5, artifacts 6).

type LinkKind = 'entity' | 'note' | 'artifact';

/** The part of a run of tildes that may be a fence. */
const SIGNS = /[\\`[\]]|(?<=\])\(|~(?=~~)|(?<=~)~(?=~)|(?<=~~)~/g;

/**
 * A plain string as Markdown that shows it literally, without a link, an image, code or HTML. `<` becomes a character
 * reference, so that it is harmless even where Markdown is parsed as HTML.
 */
export function asMarkdown(text: string): string {
  return text
    .replace(/&(?=#?\w{1,32};)/g, '&amp;')
    .replace(/<(?![ \t])/g, '&lt;')
    .replace(SIGNS, '\\$&');
}

/** The plain string behind the result of `asMarkdown`. */
export function asPlainText(markdown: string): string {
  return markdown.replace(/\\([\\`[\]()~])|&(?:(lt)|amp);/g, (_, sign, lt) => sign ?? (lt ? '<' : '&'));
}

/** `[label](kind=id)`; no label can break it. */
export function recordLink(kind: LinkKind, id: string, label: string): string {
  return `[${asMarkdown(label.replace(/\s+/g, ' '))}](${kind}=${id})`;
}

const KIND = 'entity|note|artifact|entity_type|entity_list';
const ID = String.raw`[^\s()[\]<>\\&\x60]{1,200}`;
const TARGET = `(?:${KIND})=${ID}`;
const SOLE_LINK = new RegExp(String.raw`^\[((?:\\.|[^\\[\]])*)\]\((${KIND})=(${ID})\)$`);
/** An escaped sign, which opens no link, or a link. */
const ESCAPE_OR_LINK = new RegExp(String.raw`\\.|\[((?:\\.|[^\\[\]])*)\]\((?:${KIND})=${ID}\)`, 'gs');
const LINK_END = new RegExp(String.raw`\]\((${TARGET})\)`, 'g');

/** Label, kind and id of a text that is a single record link, such as a table's first cell. */
export function onlyLink(text: string): { label: string; kind: string; id: string } | undefined {
  const [, label, kind, id] = SOLE_LINK.exec(text) ?? [];
  if (label === undefined || kind === undefined || id === undefined) return undefined;
  return { label: asPlainText(label), kind, id };
}

/** The plain string that a reader of the Markdown sees: record links as their labels, without escapes. */
export function visibleText(markdown: string): string {
  if (!/[\\[&]/.test(markdown)) return markdown;
  return asPlainText(markdown.replace(ESCAPE_OR_LINK, (all, label?: string) => label ?? all));
}

/** The targets (`kind=id`) of the record links in a text. */
export function linkTargets(markdown: string): string[] {
  return [...markdown.matchAll(LINK_END)].flatMap(([, target]) => target ?? []);
}

/** A part of the output, and the characters that would change their meaning next to another of their kind. */
interface Piece {
  text: string;
  starts?: Sign;
  ends?: Sign;
}
type Sign = '`' | '~' | '!';

/** The text so far. */
interface Reading {
  known: ReadonlySet<string>;
  pieces: Piece[];
  /** The indexes of pieces that are open brackets of this paragraph. */
  open: number[];
  /** The piece that began the last link: links do not nest. */
  linked: number;
}

const FENCE = /^(`{3,}(?=[^`]*$)|~{3,})/;
const FENCE_END = /^ {0,3}(`{3,}|~{3,})[ \t]*$/;

/**
 * What a model wrote, with headings, lists, emphasis, tables and code unchanged, and with links only to known targets
 * (`kind=id`): any other link or image is reduced to its label; HTML and references show as text. Code is within one
 * line, or between fences at the start of lines. Idempotent; takes linear time.
 */
export function withKnownLinks(markdown: string, known: ReadonlySet<string>): string {
  const reading: Reading = { known, pieces: [], open: [], linked: -1 };
  let fence = '';
  markdown.split(/\r\n?|\n/).forEach((line, i) => {
    if (i > 0) reading.pieces.push({ text: '\n' });
    const begun = fence === '' ? FENCE.exec(line)?.[1] : undefined;
    if (fence === '' && begun === undefined) readLine(reading, line);
    else reading.pieces.push({ text: line });
    if (fence !== '' || begun !== undefined || line.trim() === '') reading.open = [];
    if (begun !== undefined) fence = begun;
    else if (fence !== '' && FENCE_END.exec(line)?.[1]?.startsWith(fence)) fence = '';
  });
  // What follows the text must not be parsed as its code.
  if (fence !== '') reading.pieces.push({ text: `\n${fence}` });
  return joinPieces(reading.pieces);
}

const TOKEN = /\\[!-/:-@[-`{-~]|`+|~+|(?:[^\\`~!<[\]]|<(?=[ \t]))+|./gs;
/** Longer runs of backticks do not open code, which bounds the search for their ends. */
const TICKS_MAX = 8;

function readLine(reading: Reading, line: string): void {
  const { pieces } = reading;
  const lastRuns = new Map([...line.matchAll(/`+/g)].map((run) => [run[0].length, run.index]));
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(line); match; match = TOKEN.exec(line)) {
    const { 0: token, index } = match;
    if (token.startsWith('`')) {
      const closes = token.length <= TICKS_MAX && (lastRuns.get(token.length) ?? -1) > index;
      const code = closes ? codeAt(line, index, token.length) : undefined;
      pieces.push(code === undefined ? { text: asMarkdown(token) } : { text: code, starts: '`', ends: '`' });
      TOKEN.lastIndex = index + (code ?? token).length;
    } else if (token === '[') {
      reading.open.push(pieces.length);
      pieces.push({ text: '\\[' });
    } else if (token === ']') TOKEN.lastIndex = closeBracket(reading, line, index + 1);
    else pieces.push(pieceOf(token));
  }
}

function pieceOf(token: string): Piece {
  if (token === '<' || token === '\\<') return { text: '&lt;' };
  if (token === '!') return { text: token, ends: '!' };
  if (!token.startsWith('~')) return { text: token };
  return token.length > 2 ? { text: asMarkdown(token) } : { text: token, starts: '~', ends: '~' };
}

/** The code that a run of backticks opens. A bar in it may end a table cell, and the code with it. */
function codeAt(line: string, start: number, ticks: number): string | undefined {
  const runs = /`+/g;
  runs.lastIndex = start + ticks;
  for (let run = runs.exec(line); run; run = runs.exec(line)) {
    if (run[0].length !== ticks) continue;
    const code = line.slice(start, runs.lastIndex);
    return code.includes('|') ? undefined : code;
  }
  return undefined;
}

const TAIL = /\(((?:[^()\\]|\\.|\((?:[^()\\]|\\.)*\))*)\)/y;
const EXACT = new RegExp(`^${TARGET}$`);

/**
 * Closes the innermost open bracket: a known link stays, any other leaves its label; returns where the line continues.
 */
function closeBracket(reading: Reading, line: string, after: number): number {
  const { known, pieces, open } = reading;
  const at = open.pop();
  TAIL.lastIndex = after;
  const tail = at === undefined ? null : TAIL.exec(line);
  if (at === undefined || !tail) {
    const opens = line[after] === '(';
    pieces.push({ text: opens ? '\\]\\(' : '\\]' });
    return opens ? after + 1 : after;
  }
  const [all, target = ''] = tail;
  const image = pieces[at - 1]?.text === '!';
  if (image) pieces[at - 1] = { text: '' };
  if (image || reading.linked > at || !known.has(target) || !EXACT.test(target)) pieces[at] = { text: '' };
  else {
    for (const piece of pieces.slice(at)) if (piece.text === '\n') piece.text = ' ';
    pieces[at] = { text: '[', starts: '!' };
    pieces.push({ text: `](${target})` });
    reading.linked = at;
  }
  return after + all.length;
}

/** The pieces as one text, with a space between those that would change their meaning together. */
function joinPieces(pieces: Piece[]): string {
  let text = '';
  let ends: Sign | undefined;
  for (const piece of pieces) {
    if (piece.text === '') continue;
    text += ends !== undefined && ends === piece.starts ? ` ${piece.text}` : piece.text;
    ends = piece.ends;
  }
  return text;
}
