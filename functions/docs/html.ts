// HTML templates: interpolated values are escaped unless they are already HTML.

/** A piece of finished markup. */
export interface Html {
  readonly html: string;
}

type Part = string | number | Html | readonly Html[] | undefined | false;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Template tag. Strings and numbers are escaped, for text and quoted attributes; undefined and false vanish. */
export function html(markup: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { html: markup.map((piece, index) => piece + markupOf(parts[index])).join('') };
}

/** Joins pieces with a separator. */
export function join(pieces: readonly Html[], separator: string): Html {
  return { html: pieces.map((piece) => piece.html).join(escaped(separator)) };
}

function markupOf(part: Part): string {
  if (part === undefined || part === false) return '';
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part));
  return 'html' in part ? part.html : part.map((piece) => piece.html).join('');
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
