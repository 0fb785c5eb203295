// Pieces of Markdown. Texts of the document are Markdown; whatever else goes into a page is code.

/** A code span, also of text with backticks. */
export function code(text: string): string {
  const fence = '`'.repeat(1 + Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length)));
  const space = /^`|`$/.test(text) ? ' ' : '';
  return `${fence}${space}${text}${space}${fence}`;
}

/** A block of code; a block with a title is collapsed in a browser. */
export const codeBlock = (language: string, text: string, title = '') =>
  `\`\`\`${`${language} ${title}`.trimEnd()}\n${text}\n\`\`\``;

/** The blocks that there are, with blank lines between them. */
export const blocks = (...parts: (string | undefined)[]): string => parts.filter(Boolean).join('\n\n');

/** A list; an item may have another list below it. */
export const list = (items: readonly string[]): string =>
  items.map((item) => `- ${item.replaceAll('\n', '\n  ')}`).join('\n');

/** A table whose first column names its rows. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.trim().replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** The anchor of a heading in a guide. */
export const anchorOf = (title: string) => title.toLowerCase().replace(/[^a-z0-9]+/g, '-');

export interface Heading {
  id: string;
  text: string;
  /** The text below it, without code. */
  words: string;
}

/** The headings of a guide, with their anchors. */
export function headingsOf(text: string): Heading[] {
  const [, ...sections] = text.split(/^## (?=.)/m);
  return sections.map((section) => {
    const [title = ''] = section.split('\n');
    return { id: anchorOf(title), text: title, words: section.replace(/^```[\s\S]*?^```$/gm, '') };
  });
}
