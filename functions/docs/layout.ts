// A page of the reference: its Markdown, and the same as HTML in a frame of head, skip link, header and navigation.
import { apiDocument } from './document.ts';
import { renderMarkdown, type Targets } from './render-markdown.ts';
import { blocks } from './write-markdown.ts';

/** The parts of a page, in Markdown. Its links lead to the Markdown of other pages. */
export interface ReferencePage {
  /** The page's path below the site: `docs`, or `docs/<page>`. */
  at: string;
  title: string;
  /** A list of links. */
  navigation: string;
  content: string;
  /** What the search of the first page looks through. */
  belowSearch?: string;
  targets?: Targets;
}

/** The page as Markdown, for agents and terminals. */
export const pageMarkdown = ({ title, content, belowSearch }: ReferencePage): string =>
  `${blocks(`# ${title}`, content, belowSearch)}\n`;

const search = `<form id="search" role="search" hidden><label for="words">Search</label> <input id="words" type="search" autocomplete="off" spellcheck="false"> <span id="found" role="status"></span></form>`;

/** The page as HTML. Addresses are relative, so that the pages work behind any host and prefix. */
export function pageHtml({ at, title, navigation, content, belowSearch, targets }: ReferencePage): string {
  const { title: service, version } = apiDocument.info;
  const site = at.includes('/') ? '../' : '';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}, ${service}</title>
<link rel="icon" href="data:,">
<link rel="alternate" type="text/markdown" href="${site}${at}.md">
<link rel="stylesheet" href="${site}docs/style.css">
<script type="module" src="${site}docs/script.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header><strong>${service}</strong> <span class="version">${version}</span>
<a href="${site}docs">Reference</a> <a href="${site}docs/errors">Errors</a> <a href="${site}openapi.json">OpenAPI</a> <a href="${site}console">Console</a> <a class="to-contents" href="#contents">Contents</a></header>
<div class="columns">
<main id="content" tabindex="-1">
<h1>${title}</h1>
${renderMarkdown(content)}${belowSearch === undefined ? '' : search + renderMarkdown(belowSearch, targets)}
</main>
<nav id="contents" aria-label="Reference" tabindex="-1">${renderMarkdown(navigation)}</nav>
</div>
</body>
</html>
`;
}
