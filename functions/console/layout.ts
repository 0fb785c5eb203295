// The frame of every page: head, skip link, header and content.
import { apiDocument } from './document.ts';
import { type Html, html } from './html.ts';

/** Relative links depend on the page's own path: the reference is beside the folder of the other pages. */
export type PageLevel = 'reference' | 'below';

/** Relative address of another page, so that the pages work behind any host and prefix. */
export function linkTo(
  from: PageLevel,
  target: 'reference' | 'errors' | 'style.css' | 'openapi.json',
): string {
  if (target === 'reference') return from === 'below' ? '../docs' : 'docs';
  if (target === 'openapi.json') return from === 'below' ? '../openapi.json' : 'openapi.json';
  return from === 'below' ? target : `docs/${target}`;
}

/** A whole page as text. */
export function page(place: PageLevel, title: string, navigation: Html, content: Html): string {
  const { version } = apiDocument.info;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${linkTo(place, 'style.css')}">
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header><strong>${apiDocument.info.title}</strong> <span class="version">${version}</span>
<a href="${linkTo(place, 'reference')}">Reference</a> <a href="${linkTo(place, 'errors')}">Errors</a> <a href="${linkTo(place, 'openapi.json')}">OpenAPI</a></header>
<div class="columns">
<nav aria-label="On this page">${navigation}</nav>
<main id="content">
<h1>${title}</h1>
${content}
</main>
</div>
</body>
</html>
`.html;
}
