// The first page of the reference: a list of everything in it, and the rules of every route.
import { apiDocument } from './document.ts';
import type { ReferencePage } from './layout.ts';
import { start } from './reference.ts';
import { sections } from './sections.ts';
import { blocks, headingsOf, list } from './write-markdown.ts';

const [lead, ...introduction] = apiDocument.info.description.split('\n\n');

/** The address in the samples of the guides. */
const SAMPLE_SITE = 'http://127.0.0.1:8787';

/** The page; its samples call `siteUrl`. Its entries have the anchors of their own pages. */
export function indexPage(siteUrl: string): ReferencePage {
  const content = blocks(
    start?.description.replaceAll(SAMPLE_SITE, siteUrl),
    '## Reference',
    lead,
    ...sections.flatMap(({ title, href, about, entries }) => [
      `## [${title}](${href})`,
      about,
      list(entries.map((entry) => `[${entry.title}](${entry.href})${entry.call ?? ''}`)),
    ]),
    '## [Rules of every route](#introduction)',
    ...introduction,
  );
  const targets = new Map([
    ...sections.map(({ href, title }) => [href, title] as const),
    ...sections.flatMap(({ entries }) => entries.map(({ href, id }) => [href, id] as const)),
  ]);
  return { at: 'docs', site: '', title: 'API reference', contents, content, targets };
}

const headings = list(headingsOf(introduction.join('\n\n')).map(({ id, text }) => `[${text}](#${id})`));
const contents = list([
  ...sections.filter(({ href }) => href.startsWith('#')).map(({ href, title }) => `[${title}](${href})`),
  `[Rules of every route](#introduction)\n${headings}`,
]);
