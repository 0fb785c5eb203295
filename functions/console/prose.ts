// The little Markdown that the document's descriptions use: paragraphs, `##` headings, `-` lists, code spans.
import { type Html, html } from './html.ts';

/** Renders a description. */
export function prose(text: string | undefined): Html {
  const blocks = (text ?? '').split(/\n{2,}/).filter((block) => block !== '');
  return html`${blocks.map(block)}`;
}

/** Renders one line: code spans, everything else as it is. */
export function inline(text: string): Html {
  const spans = text.split(/`([^`]*)`/);
  return html`${spans.map((span, index) => (index % 2 === 1 ? html`<code>${span}</code>` : html`${span}`))}`;
}

function block(text: string): Html {
  if (text.startsWith('## ')) return html`<h3>${inline(text.slice(3))}</h3>`;
  if (!text.startsWith('- ')) return html`<p>${inline(text)}</p>`;
  return html`<ul>${text.split('\n').map((line) => html`<li>${inline(line.replace(/^- /, ''))}</li>`)}</ul>`;
}
