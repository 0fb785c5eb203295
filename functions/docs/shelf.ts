// The list of all pages in three groups, and the contents of the current page below its name.
import { type Group, groups } from './reference.ts';
import { list } from './write-markdown.ts';

/** Pages whose guide comes before their operations. */
const GUIDES_WITH_OPERATIONS = new Set(['Monitors', 'Webhooks', 'Sync', 'Live sources', 'Jobs']);
/** Pages for who runs the service. */
const OPERATE = new Set(['When the model is away', 'Site', 'Deploying']);

/** A group of pages, each by its path below the site. */
export interface Shelf {
  title: string;
  pages: { at: string; title: string }[];
}

const pageOf = ({ slug, title }: Group) => ({ at: `docs/${slug}`, title });
const isGuide = ({ title, entries }: Group) => entries.length === 0 || GUIDES_WITH_OPERATIONS.has(title);
const others = groups.filter(({ title }) => !OPERATE.has(title));

export const shelves: readonly Shelf[] = [
  { title: 'Guides', pages: others.filter(isGuide).map(pageOf) },
  {
    title: 'API',
    pages: [
      { at: 'docs', title: 'Overview' },
      ...others.filter((group) => !isGuide(group)).map(pageOf),
      { at: 'docs/errors', title: 'Errors' },
      { at: 'docs/rules', title: 'Rules' },
    ],
  },
  {
    title: 'Operate',
    pages: [
      ...groups.filter(({ title }) => OPERATE.has(title)).map(pageOf),
      { at: 'docs/operator-rules', title: 'Rules for operators' },
    ],
  },
];

/** The shelves as a list of links from a page at `current`, which is at `site` from its address. */
export function shelfList(current: string, site: string, contents: string): string {
  const item = ({ at, title }: Shelf['pages'][number]) =>
    at === current ? `[${title}](#content)${contents && `\n${contents}`}` : `[${title}](${site}${at}.md)`;
  return list(shelves.map(({ title, pages }) => `**${title}**\n${list(pages.map(item))}`));
}
