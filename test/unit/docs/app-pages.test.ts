// rules.md: console 1, console 2. The console as served: the page, its policy, and the built assets.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { appPage, assetPage, referenceScript } from '../../../functions/docs/app-pages.ts';
import { bundleConsole } from '../../../lib/build/bundle-console.ts';
import { filesBy } from '../../support/files.ts';

const folder = mkdtempSync(join(tmpdir(), 'console-'));
beforeAll(() => bundleConsole(folder));
afterAll(() => rmSync(folder, { recursive: true }));

const page = (streamUrl?: string) => appPage({ folder, apiPath: 'api/v1', streamUrl });
const textOf = (name: string) => assetPage(folder, name)?.text ?? '';

/** An asset and all that it loads at once, without what it loads later. */
function loadedWith(name: string, seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  const at = [...textOf(name).matchAll(/(?:from|import)"\.\/([^"]+)"/g)];
  for (const [, next = ''] of at) loadedWith(next, seen);
  return seen;
}

const namedIn = (text: string) => [...text.matchAll(/"console\/([^"]+)"/g)].map(([, name = '']) => name);

test('the page names one script and one style sheet, both built, and contains the address of the API', () => {
  const names = namedIn(page().text);
  expect(names.map((name) => name.replace(/-[A-Z0-9]+\./, '-*.'))).toEqual(['main-*.css', 'main-*.js']);
  for (const name of names) expect(readdirSync(folder)).toContain(name);
  expect(page().text).toContain('data-api="api/v1"');
  expect(page().text).not.toMatch(/<script(?! type="module" src=)|<style| style=| on\w+=|https?:/);
});

test('below the page there is another one, for the link of a question, with the same assets (rules.md: console 21)', () => {
  const below = appPage({ folder, toRoot: '../../', apiPath: 'v1', streamUrl: undefined });
  expect(below.text.replaceAll('../../console/', 'console/').replace('../../docs', 'docs')).toBe(
    appPage({ folder, apiPath: 'v1', streamUrl: undefined }).text,
  );
});

test('the first load is at most 60 KB gzipped', () => {
  const first = namedIn(page().text).flatMap((name) => [...loadedWith(name)]);
  const bytes = first.reduce(
    (sum, name) => sum + gzipSync(textOf(name)).length,
    gzipSync(page().text).length,
  );
  expect(first.length).toBeGreaterThan(2);
  expect(bytes).toBeLessThan(60 * 1024);
});

test('the script of the reference is one small file without imports', () => {
  const { text } = referenceScript(folder);
  expect(text).not.toMatch(/\bimport\b/);
  expect(text.length).toBeLessThan(4096);
});

test('the policy allows what the service itself serves, and no markup made of text', () => {
  const policy = String(page().headers['Content-Security-Policy']);
  for (const rule of [
    ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'"],
    ...["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
    ...["trusted-types 'none'", "require-trusted-types-for 'script'"],
  ])
    expect(policy.split('; ')).toContain(rule);
  expect(policy).not.toContain('unsafe');
});

test('the page may connect to the host of the event stream where that is another one', () => {
  const policy = page('https://stream.example/').headers['Content-Security-Policy'];
  expect(policy).toContain("connect-src 'self' https://stream.example;");
});

test('assets may be cached forever, the page is revalidated', () => {
  const [style = '', script = ''] = namedIn(page().text);
  for (const name of [style, script])
    expect(assetPage(folder, name)?.headers['Cache-Control']).toBe('public, max-age=31536000, immutable');
  expect(page().headers['Cache-Control']).toBe('no-cache');
});

test.each(['main.js', '../index.mjs', '', 'toString', '.', 'main-ZZZZZZZZ.js'])(
  'there is no asset %j',
  (name) => {
    expect(assetPage(folder, name)).toBeUndefined();
  },
);

test('nothing in the console makes markup of text or loads from elsewhere', () => {
  const sources = filesBy('clients/console/**/*.{ts,tsx,css}');
  expect(sources.length).toBeGreaterThan(20);
  for (const file of sources)
    expect(readFileSync(file, 'utf8'), file).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|@import|\burl\(|https?:\/\//,
    );
});
