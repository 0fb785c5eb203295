// Markdown as DOM nodes, never as HTML, so nothing in it can execute. Record links are its only links.
import { useSignal } from '@preact/signals';
import type { MarkedToken } from 'marked';
import type { ComponentChildren } from 'preact';
import { blockTokensOf, inlineTokensOf, staysText } from '../view-models/bounded-lexer.ts';
import { onlyRecordLink, plainText } from '../view-models/markdown.ts';
import { RecordLinkTo } from './record-link.tsx';
import { Scroll } from './scroll.tsx';

// No extension adds tokens of other kinds.
const blocks = (text: string) => blockTokensOf(text) as MarkedToken[] | undefined;
const inlines = (text: string) => inlineTokensOf(text) as MarkedToken[] | undefined;
const within = (token: { tokens?: unknown[] }) => (token.tokens ?? []) as MarkedToken[];

/** A text of several paragraphs; its headings are below the level `below`. */
export function Markdown({ text, below = 2 }: { text: string; below?: 1 | 2 | 3 }) {
  const tokens = blocks(text);
  return <div class="markdown">{tokens ? drawn(tokens, below) : <UnreadText text={text} />}</div>;
}

interface LineProps {
  text: string;
  /** How much of a text is shown that is not read; a cell has less room than a paragraph. */
  shown?: number;
}

/** A text within a line, as in a table cell. */
export function InlineMarkdown({ text, shown }: LineProps) {
  // Most cells have no marks.
  if (!staysText(text) && !/[\\`*_~[\]<&:@]|www/.test(text)) return <>{text}</>;
  const tokens = inlines(text);
  // biome-ignore lint/complexity/noUselessFragments: it makes an element of a list
  return tokens ? <>{drawn(tokens)}</> : <UnreadText text={text} shown={shown} />;
}

/** A text that is none of Markdown: a value of a record. */
export function PlainText({ text, shown }: LineProps) {
  if (staysText(text)) return <UnreadText text={text} shown={shown} />;
  return <>{text}</>;
}

const SHOWN_CHARACTERS = 500;

/** A text that would take too long to read, as its author wrote it: its beginning, and all of it on request. */
function UnreadText({ text, shown = SHOWN_CHARACTERS }: { text: string; shown?: number | undefined }) {
  const isWhole = useSignal(false);
  const isCut = text.length > shown && !isWhole.value;
  return (
    <>
      <span class="breaks">{isCut ? `${text.slice(0, shown)}…` : text}</span>
      {isCut && (
        <button type="button" class="plain" onClick={() => (isWhole.value = true)}>
          show all
        </button>
      )}
    </>
  );
}

/** A heading is at most one level deeper than the previous one, whatever the text says. */
function drawn(tokens: readonly MarkedToken[], below = 2): ComponentChildren {
  let level = below;
  return tokens.map((token) => {
    if (token.type !== 'heading') return nodeOf(token);
    level = Math.min(token.depth + below, level + 1, 6);
    const Heading = `h${level}` as 'h3';
    return <Heading>{drawn(within(token))}</Heading>;
  });
}

function nodeOf(token: MarkedToken): ComponentChildren {
  switch (token.type) {
    case 'space':
      return null;
    case 'paragraph':
      return <p>{drawn(within(token))}</p>;
    case 'blockquote':
      return <blockquote>{drawn(within(token))}</blockquote>;
    case 'list':
      return listOf(token);
    case 'table':
      return tableOf(token);
    case 'code':
      return <pre class="breaks">{token.text}</pre>;
    case 'hr':
      return <hr />;
    case 'br':
      return <br />;
    case 'strong':
      return <strong>{drawn(within(token))}</strong>;
    case 'em':
      return <em>{drawn(within(token))}</em>;
    case 'del':
      return <del>{drawn(within(token))}</del>;
    case 'codespan':
      return <code>{token.text}</code>;
    case 'checkbox':
      return token.checked ? '☑ ' : '☐ ';
    case 'escape':
      return token.text;
    case 'text':
      if (token.tokens) return drawn(within(token));
      return staysText(token.text) ? <UnreadText text={token.text} /> : plainText(token.text);
    case 'link': {
      const link = onlyRecordLink(token.raw);
      return link ? <RecordLinkTo link={link} /> : token.raw;
    }
    default:
      // Images, HTML, links to addresses and everything else: as written.
      return token.raw;
  }
}

function listOf({ ordered, start, items }: Extract<MarkedToken, { type: 'list' }>) {
  const entries = items.map((item) => <li>{drawn(within(item))}</li>);
  return ordered ? <ol start={Number(start) || 1}>{entries}</ol> : <ul>{entries}</ul>;
}

function tableOf({ header, rows }: Extract<MarkedToken, { type: 'table' }>) {
  return (
    <Scroll name="Table">
      <table>
        <thead>
          <tr>
            {header.map((cell) => (
              <th scope="col">{drawn(within(cell))}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              {row.map((cell) => (
                <td>{drawn(within(cell))}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
