// Renders the Markdown subset of the document's descriptions: paragraphs, `##` headings, `-` lists, code spans, fenced code.
import { type Html, html } from './html.ts';

/** Renders a description. */
export function prose(text: string | undefined): Html {
  const [first = '', ...rest] = (text ?? '').split(/^```/m);
  // The pieces alternate between text and code; a code piece has its language on the first line.
  return html`${blocksOf(first)}${rest.flatMap((piece, index) => (index % 2 === 0 ? [code(piece)] : blocksOf(piece)))}`;
}

/** Renders the code spans of one line. */
export function inline(text: string): Html {
  const spans = text.split(/`([^`]*)`/);
  return html`${spans.map((span, index) => (index % 2 === 1 ? html`<code>${span}</code>` : html`${span}`))}`;
}

function blocksOf(text: string): Html[] {
  return text
    .split(/\n{2,}/)
    .filter((piece) => piece.trim() !== '')
    .map(block);
}

function block(text: string): Html {
  if (text.startsWith('## ')) return html`<h3>${inline(text.slice(3))}</h3>`;
  if (!text.startsWith('- ')) return html`<p>${inline(text)}</p>`;
  return html`<ul>${text.split('\n').map((line) => html`<li>${inline(line.replace(/^- /, ''))}</li>`)}</ul>`;
}

function code(fenced: string): Html {
  const [, lines = ''] = /^\w*\n([\s\S]*)$/.exec(fenced) ?? [];
  return html`<pre><code>${lines}</code></pre>`;
}
