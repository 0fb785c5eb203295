// What a browser gets for an address without a page: the shelf and the search.
import type { ReferencePage } from './layout.ts';
import { list } from './write-markdown.ts';

/** The page, which is at `site` from the address that was asked for. */
export function notFoundPage(site: string): ReferencePage {
  const content = [
    'This address has no page. Search for what you need (key `/`), or begin here:',
    list([
      `[Start here](${site}docs/start-here.md): the first run, in a minute`,
      `[Overview](${site}docs.md): every operation, schema and error`,
      `[Errors](${site}docs/errors.md): what to do about each code`,
    ]),
  ].join('\n\n');
  return { at: '', site, title: 'Page not found', contents: '', content };
}
