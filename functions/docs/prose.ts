// Renders the Markdown subset of the document's descriptions: paragraphs, `##` headings, `-` lists, code spans, fenced
// code.
import { type Html, html } from './html.ts';

/** Renders a description. Its headings are of the second level and have anchors. */
export function prose(text: string | undefined): Html {
  const [first = '', ...rest] = (text ?? '').split(/^```/m);
  // The pieces alternate between text and code; a code piece has its language on the first line.
  return html`${blocksOf(first)}${rest.flatMap((piece, index) => (index % 2 === 0 ? [code(piece)] : blocksOf(piece)))}`;
}

/** The headings of a description, with their anchors. */
export function headingsOf(text: string): { id: string; text: string }[] {
  const withoutCode = text.replace(/^```[\s\S]*?^```/gm, '');
  return [...withoutCode.matchAll(/^## (.*)$/gm)].map(([, title = '']) => ({
    id: anchorOf(title),
    text: title,
  }));
}

/** Renders the code spans of one line. */
export function inline(text: string): Html {
  const spans = text.split(/`([^`]*)`/);
  return html`${spans.map((span, index) => (index % 2 === 1 ? html`<code>${span}</code>` : html`${span}`))}`;
}

/** Literal code; a reader without a mouse can scroll it. */
export function codeBlock(text: string): Html {
  return html`<pre tabindex="0"><code>${text}</code></pre>`;
}

const anchorOf = (title: string) => title.toLowerCase().replace(/[^a-z0-9]+/g, '-');

function blocksOf(text: string): Html[] {
  return text
    .split(/\n{2,}/)
    .filter((piece) => piece.trim() !== '')
    .map(block);
}

function block(text: string): Html {
  if (text.startsWith('## '))
    return html`<h2 id="${anchorOf(text.slice(3).trim())}">${inline(text.slice(3))}</h2>`;
  if (!text.startsWith('- ')) return html`<p>${inline(text)}</p>`;
  return html`<ul>${text.split('\n').map((line) => html`<li>${inline(line.replace(/^- /, ''))}</li>`)}</ul>`;
}

function code(fenced: string): Html {
  const [, lines = ''] = /^\w*\n([\s\S]*)$/.exec(fenced) ?? [];
  return codeBlock(lines);
}
