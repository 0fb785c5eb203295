// Renders the Markdown of a page as HTML. Markup within the Markdown is text like any other.
import { getDefaults, Lexer, Parser, Renderer, Tokenizer, type Tokens } from 'marked';
import { anchorOf } from './write-markdown.ts';

/** Ids of entries of a list, by the targets of their links. */
export type Targets = ReadonlyMap<string, string>;

/**
 * Renders a page or a part of it. A heading that begins with a link to an anchor of its page (`[Cancel](#cancel)`), or
 * to one of the targets, opens a section with this id. In a section, so do items of lists; numbered ones get the id of
 * the section with their number.
 */
export function renderMarkdown(markdown: string, targets: Targets = new Map()): string {
  const renderer = new PageRenderer(targets);
  const lexer = new Lexer({ ...getDefaults(), tokenizer: new PageTokenizer() });
  const parser = new Parser({ ...getDefaults(), renderer });
  const parts = lexer.lex(markdown).map((token) => {
    const opened = token.type === 'heading' ? renderer.section(token as Tokens.Heading) : '';
    return opened + parser.parse([token]);
  });
  return parts.join('') + renderer.close();
}

/** Addresses in texts are examples, no links; nothing is struck out. */
class PageTokenizer extends Tokenizer {
  override readonly url = () => undefined;
  override readonly autolink = () => undefined;
  override readonly del = () => undefined;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (character) => entities[character] ?? '');

class PageRenderer extends Renderer {
  readonly #targets: Targets;
  /** The sections that are open, outermost first. */
  readonly #open: { id: string; depth: number }[] = [];

  constructor(targets: Targets) {
    super();
    this.#targets = targets;
  }

  /** Ends the sections that a heading ends, and begins its own. */
  section({ depth, tokens }: Tokens.Heading): string {
    const ended = this.close(depth);
    const id = this.#target(tokens);
    if (id === undefined) return ended;
    this.#open.push({ id, depth });
    return `${ended}<section id="${escapeHtml(id)}">\n`;
  }

  /** Ends the sections of this depth and deeper ones. */
  close(depth = 0): string {
    let ended = '';
    for (; (this.#open.at(-1)?.depth ?? -1) >= depth; this.#open.pop()) ended += '</section>\n';
    return ended;
  }

  /** What a text that begins with a link is the target of. */
  #target(tokens: Tokens.Generic[] = []): string | undefined {
    const [first] = tokens;
    if (first?.type === 'text' && first.tokens) return this.#target(first.tokens);
    if (first?.type !== 'link') return undefined;
    const href = String(first.href);
    return href.startsWith('#') ? href.slice(1) : this.#targets.get(href);
  }

  override heading({ depth, tokens, text }: Tokens.Heading): string {
    const isGuide = depth === 2 && this.#target(tokens) === undefined;
    const id = isGuide ? ` id="${anchorOf(text)}"` : '';
    return `<h${depth}${id}>${this.parser.parseInline(tokens)}</h${depth}>\n`;
  }

  override list({ ordered, items }: Tokens.List): string {
    const section = this.#open.at(-1);
    const all = items.map((item, i) => {
      const numbered = ordered ? `${section?.id}-${i + 1}` : undefined;
      const id = section && (this.#target(item.tokens) ?? numbered);
      return `<li${id === undefined ? '' : ` id="${escapeHtml(id)}"`}>${this.parser.parse(item.tokens)}</li>\n`;
    });
    return ordered ? `<ol>${all.join('')}</ol>\n` : `<ul>${all.join('')}</ul>\n`;
  }

  override table({ header, rows }: Tokens.Table): string {
    const inner = ({ tokens }: Tokens.TableCell) => this.parser.parseInline(tokens);
    const named = header.some(({ text }) => text !== '');
    const head = `<thead><tr>${header.map((cell) => `<th scope="col">${inner(cell)}</th>`).join('')}</tr></thead>`;
    const body = rows.map(
      (row) =>
        `<tr>${row.map((cell, i) => (i === 0 ? `<th scope="row">${inner(cell)}</th>` : `<td>${inner(cell)}</td>`)).join('')}</tr>\n`,
    );
    return `<div class="scroll"><table>${named ? head : ''}<tbody>${body.join('')}</tbody></table></div>\n`;
  }

  /** Preformatted code that keyboard users can scroll. */
  override code({ text, lang = '' }: Tokens.Code): string {
    const [, title] = /^\S+ (.+)$/.exec(lang) ?? [];
    const block = `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`;
    return title ? `<details><summary>${escapeHtml(title)}</summary>${block}</details>\n` : block;
  }

  /** The Markdown of a page links to that of another one, its HTML to the HTML. */
  override link({ href, tokens }: Tokens.Link): string {
    const page = href.replace(/^([a-z./-]+)\.md(?=#|$)/, '$1');
    const current = href === '#content' ? ' aria-current="page"' : '';
    return `<a href="${escapeHtml(page)}"${current}>${this.parser.parseInline(tokens)}</a>`;
  }

  override html({ text }: Tokens.HTML | Tokens.Tag): string {
    return escapeHtml(text);
  }
}
