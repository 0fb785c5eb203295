// The console: one HTML page and its assets, as built next to this handler.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makePage, type Page } from './http-page.ts';
import { policyFor } from './policy.ts';

const SCRIPT = 'text/javascript; charset=utf-8';
const mediaTypes: Readonly<Record<string, string>> = {
  js: SCRIPT,
  css: 'text/css; charset=utf-8',
};
const FOREVER = 'public, max-age=31536000, immutable';
/** The page names its assets, so browsers revalidate it each time. */
const REVALIDATED = 'no-cache';

/** Settings of the console's page. */
export interface AppOptions {
  /** Folder of the built assets. */
  folder: string;
  /** From the page to the root of the site: empty, or `../` for each folder between them. */
  toRoot?: string;
  /** Address of the API, relative to the root of the site. */
  apiPath: string;
  /** Address of the event stream, if it has another host. */
  streamUrl: string | undefined;
  /** Where the page may ask for the key of a demo workspace, if there is one; relative to the root of the site. */
  demoKeyPath?: string | undefined;
}

/** The page that starts the console (rules.md: console 1). Throws Error when the folder was not built. */
export function appPage({ folder, toRoot = '', apiPath, streamUrl, demoKeyPath }: AppOptions): Page {
  const built = readdirSync(folder);
  const asset = (ending: string) => {
    const name = built.find((one) => one.startsWith('main-') && one.endsWith(ending));
    if (!name) throw new Error(`no ${ending} of the console in ${folder}`);
    return `${toRoot}console/${name}`;
  };
  const text = `<!doctype html>
<html lang="en" data-api="${apiPath}"${demoKeyPath === undefined ? '' : ` data-demo="${demoKeyPath}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Run service</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${asset('.css')}">
<script type="module" src="${asset('.js')}"></script>
</head>
<body>
<noscript>The console needs JavaScript. The <a href="${toRoot}docs">reference</a> does not.</noscript>
<div id="app"></div>
</body>
</html>
`;
  return makePage('text/html; charset=utf-8', text, {
    'Cache-Control': REVALIDATED,
    // Besides its own host it connects to the event stream's.
    'Content-Security-Policy': policyFor(["'self'", ...(streamUrl ? [new URL(streamUrl).origin] : [])]),
  });
}

/** An asset by name; undefined if there is none. */
export function assetPage(folder: string, name: string): Page | undefined {
  const mediaType = mediaTypes[name.split('.').at(-1) ?? ''];
  if (!mediaType || !readdirSync(folder).includes(name)) return undefined;
  return makePage(mediaType, readFileSync(join(folder, name), 'utf8'), { 'Cache-Control': FOREVER });
}

/** The script of the reference, whose pages also work without it. */
export function referenceScript(folder: string): Page {
  return makePage(SCRIPT, readFileSync(join(folder, 'reference.js'), 'utf8'));
}
