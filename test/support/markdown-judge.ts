// What a Markdown reader sees in a text, by CommonMark and GitHub's dialect: the oracle for safe text.
import type { Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

/** Whatever a safe text must not contain, except links to the known targets (`kind=id`); [] if nothing. */
export function breaches(markdown: string, known: Iterable<string>): string[] {
  const targets = new Set(known);
  const dialects = {
    commonmark: fromMarkdown(markdown),
    github: fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }),
  };
  return Object.entries(dialects).flatMap(([dialect, tree]) =>
    nodesOf(tree).flatMap((node) => {
      const breach = breachOf(node, targets);
      return breach === undefined ? [] : [`${dialect}: ${breach}`];
    }),
  );
}

/** The visible text. */
export function shownText(markdown: string): string {
  return nodesOf(fromMarkdown(markdown))
    .flatMap((node) => ('value' in node ? [node.value] : node.type === 'break' ? ['\n'] : []))
    .join('');
}

/** The one table that a text is: its columns, and the number of its cells in each row. */
export function markdownTable(markdown: string): { columns: string[]; rows: number[] } {
  const tree = fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  const [table, ...more] = tree.children;
  if (table?.type !== 'table' || more.length > 0) throw new Error('the text is not one table');
  const [head, ...rows] = table.children;
  return { columns: (head?.children ?? []).map(shownBy), rows: rows.map((row) => row.children.length) };
}

function nodesOf(node: Nodes): Nodes[] {
  return [node, ...('children' in node ? node.children.flatMap(nodesOf) : [])];
}

function breachOf(node: Nodes, known: Set<string>): string | undefined {
  switch (node.type) {
    case 'link':
      return known.has(node.url) || isBareAddress(node.url, shownBy(node)) ? undefined : `link ${node.url}`;
    case 'image':
    case 'html':
    case 'definition':
    case 'imageReference':
    case 'linkReference':
    case 'footnoteReference':
    case 'footnoteDefinition':
      return node.type;
    default:
      return undefined;
  }
}

/** An autolinked address: the reader sees its target. */
function isBareAddress(url: string, shown: string): boolean {
  return (
    [shown, `http://${shown}`, `mailto:${shown}`].includes(url) && /^(https?:\/\/|mailto:|xmpp:)/i.test(url)
  );
}

function shownBy(node: Nodes): string {
  return nodesOf(node)
    .flatMap((one) => ('value' in one ? [one.value] : []))
    .join('');
}
