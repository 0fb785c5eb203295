// Renders the Markdown subset of the document: paragraphs, `##` headings, `-` lists, code spans, fenced code.
import { type Html, html } from './html.ts';

/** Renders a description. Its headings have the second level and anchors. */
export function prose(text: string | undefined): Html {
  const [first = '', ...rest] = (text ?? '').split(/^```/m);
  // Text and code alternate; a code piece starts with its language.
  return html`${blocksOf(first)}${rest.flatMap((piece, index) => (index % 2 === 0 ? [code(piece)] : blocksOf(piece)))}`;
}

export interface Heading {
  id: string;
  text: string;
  /** The text below it, without code. */
  words: string;
}

/** The headings of a description, with their anchors. */
export function headingsOf(text: string): Heading[] {
  const [, ...sections] = text.split(/^## (?=.)/m);
  return sections.map((section) => {
    const [title = ''] = section.split('\n');
    return { id: anchorOf(title), text: title, words: section.replace(/^```[\s\S]*?^```$/gm, '') };
  });
}

/** Renders the code spans of one line. */
export function inline(text: string): Html {
  const spans = text.split(/`([^`]*)`/);
  return html`${spans.map((span, index) => (index % 2 === 1 ? html`<code>${span}</code>` : html`${span}`))}`;
}

/** Preformatted code that keyboard users can scroll. */
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
  if (text.startsWith('- '))
    return html`<ul>${text.split('\n').map((line) => html`<li>${inline(line.replace(/^- /, ''))}</li>`)}</ul>`;
  return html`<p>${inline(text)}</p>`;
}

function code(fenced: string): Html {
  const [, lines = ''] = /^\w*\n([\s\S]*)$/.exec(fenced) ?? [];
  return codeBlock(lines);
}
