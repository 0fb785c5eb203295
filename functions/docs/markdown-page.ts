// A page of the reference as Markdown, for agents and terminals: its own HTML, which has few elements, read back. So
// the two cannot differ.

/** The Markdown of a page's main content. */
export function markdownOf(page: string): string {
  const main = /<main [^>]*>([\s\S]*)<\/main>/.exec(page)?.[1] ?? '';
  const writer: Writer = { out: '', hrefs: [], lists: [], cells: 0, inCode: false, skipped: false };
  for (const [, closes, name = '', attributes = '', text] of main.matchAll(TOKEN)) {
    if (name === 'form') writer.skipped = closes === '';
    else if (writer.skipped) continue;
    else if (text !== undefined) writeText(writer, text);
    else writer.out += (closes ? end : begin)(writer, name, attributes);
  }
  return `${writer.out
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`;
}

const TOKEN = /<(\/?)(\w+)([^>]*)>|([^<]+)/g;

interface Writer {
  out: string;
  /** The targets of the open links; undefined: the heading that the link is in. */
  hrefs: (string | undefined)[];
  lists: string[];
  /** Cells of the current row. */
  cells: number;
  inCode: boolean;
  /** Within a form, which needs a browser. */
  skipped: boolean;
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

function writeText(writer: Writer, text: string): void {
  const plain = text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? '');
  if (writer.inCode) writer.out += plain;
  // Breaks between elements are no text.
  else if (plain.trim() !== '' || !/[\n|]$/.test(writer.out)) writer.out += inLine(writer, plain);
}

/** Within a table, a bar would end the cell. */
const inLine = ({ cells }: Writer, text: string) =>
  text.replace(/\s+/g, ' ').replaceAll('|', cells > 0 ? '\\|' : '|');

function begin(writer: Writer, name: string, attributes: string): string {
  switch (name) {
    case 'h1':
    case 'h2':
    case 'h3':
      return `\n\n${'#'.repeat(Number(name[1]))} `;
    case 'p':
    case 'table':
      return '\n\n';
    case 'summary':
      return '\n\n**';
    case 'strong':
      return '**';
    case 'pre':
      writer.inCode = true;
      return '\n\n```\n';
    case 'code':
      return writer.inCode ? '' : '`';
    case 'ul':
    case 'ol':
    case 'dl':
      writer.lists.push(name);
      return '\n\n';
    case 'li':
      return writer.lists.at(-1) === 'ol' ? '\n1. ' : '\n- ';
    case 'dt':
      return '\n- ';
    case 'dd':
      return ': ';
    case 'tr':
      writer.cells = 0;
      return '\n|';
    case 'th':
    case 'td':
      writer.cells += 1;
      return ' ';
    case 'a': {
      const href = /href="([^"]*)"/.exec(attributes)?.[1];
      const target = href === undefined || href.startsWith('#') ? undefined : asMarkdownPage(href);
      writer.hrefs.push(target);
      return target === undefined ? '' : '[';
    }
    default:
      return '';
  }
}

function end(writer: Writer, name: string): string {
  switch (name) {
    case 'summary':
      return '**\n\n';
    case 'strong':
      return '**';
    case 'pre':
      writer.inCode = false;
      return `${writer.out.endsWith('\n') ? '' : '\n'}\`\`\`\n\n`;
    case 'code':
      return writer.inCode ? '' : '`';
    case 'ul':
    case 'ol':
    case 'dl':
      writer.lists.pop();
      return '\n\n';
    case 'th':
    case 'td':
      return ' |';
    case 'tr':
      return '';
    case 'thead': {
      const line = ` --- |`.repeat(writer.cells);
      writer.cells = 0;
      return `\n|${line}`;
    }
    case 'table':
      writer.cells = 0;
      return '\n\n';
    case 'a': {
      const target = writer.hrefs.pop();
      return target === undefined ? '' : `](${target})`;
    }
    default:
      return '';
  }
}

/** A link to another page of the reference leads to its Markdown. */
const asMarkdownPage = (href: string) =>
  href
    .replaceAll('&amp;', '&')
    .replace(/^((?:\.\.\/)?(?:docs\/)?[a-z-]+|docs)(?=#|$)/, (page) =>
      /console$/.test(page) ? page : `${page}.md`,
    );
