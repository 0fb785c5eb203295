// A page of the reference: its Markdown, and the same as HTML in a frame of head, skip link, header and navigation.
import { apiDocument } from './document.ts';
import { renderMarkdown, type Targets } from './render-markdown.ts';
import { shelfList } from './shelf.ts';
import { blocks } from './write-markdown.ts';

/** The parts of a page, in Markdown. Its links lead to the Markdown of other pages. */
export interface ReferencePage {
  /** The page's path below the site: `docs`, or `docs/<page>`; empty where it has none. */
  at: string;
  /** The way from the page's address to the site. */
  site: string;
  title: string;
  /** A list of links to the parts of the page. */
  contents: string;
  content: string;
  targets?: Targets;
}

/** The page as Markdown, for agents and terminals. */
export const pageMarkdown = ({ title, content }: ReferencePage): string =>
  `${blocks(`# ${title}`, content)}\n`;

/** The script shows it: without one, there is no search. */
const search = (site: string) =>
  `<form id="search" role="search" data-site="${site}" hidden><input type="search" aria-label="Search the docs" placeholder="Search (/)" autocomplete="off" spellcheck="false"><span role="status"></span><ul hidden></ul></form>`;

/** The page as HTML. Addresses are relative, so that the pages work behind any host and prefix. */
export function pageHtml({ at, site, title, contents, content, targets }: ReferencePage): string {
  const { title: service, version } = apiDocument.info;
  const asMarkdown = `<link rel="alternate" type="text/markdown" href="${site}${at}.md">\n`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}, ${service}</title>
<link rel="icon" href="data:,">
${at && asMarkdown}<link rel="stylesheet" href="${site}docs/style.css">
<script type="module" src="${site}docs/script.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header><strong>${service}</strong> <span class="version">${version}</span>
<a href="${site}docs">Reference</a> <a href="${site}docs/errors">Errors</a> <a href="${site}openapi.json">OpenAPI</a> <a href="${site}console">Console</a> <a class="to-contents" href="#contents">Contents</a>
${search(site)}</header>
<div class="columns">
<main id="content" tabindex="-1">
<h1>${title}</h1>
${renderMarkdown(content, targets)}
</main>
<nav id="contents" aria-label="Docs" tabindex="-1">${renderMarkdown(shelfList(at, site, contents))}</nav>
</div>
</body>
</html>
`;
}
