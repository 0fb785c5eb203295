// The frame of every page of the reference: head, skip link, header, content, navigation.
import { apiDocument } from './document.ts';
import { type Html, html } from './html.ts';

export interface Frame {
  /** The page's path below the site: `docs`, or `docs/<page>`. */
  at: string;
  title: string;
  navigation: Html;
  content: Html;
}

/** A whole page as text. Addresses are relative, so that the pages work behind any host and prefix. */
export function page({ at, title, navigation, content }: Frame): string {
  const { title: service, version } = apiDocument.info;
  const site = at.includes('/') ? '../' : '';
  return html`<!doctype html>
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
${content}
</main>
<nav id="contents" aria-label="Reference" tabindex="-1">${navigation}</nav>
</div>
</body>
</html>
`.html;
}
