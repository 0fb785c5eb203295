// rules.md: reads 9. The reference as Markdown, and llms.txt by its published form.
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { beforeAll, expect, test } from 'vitest';
import { groups } from '../../../functions/docs/reference.ts';
import { handler } from '../../../functions/docs/site.ts';
import { lambdaContext, restEvent } from '../../support/gateway-events.ts';

const SITE_URL = 'http://127.0.0.1:8787';
const pages = [
  ...['/docs', ...groups.map(({ slug }) => `/docs/${slug}`)],
  ...['/docs/errors', '/docs/rules', '/docs/operator-rules'],
];
beforeAll(() => {
  process.env.SITE_URL = SITE_URL;
});

async function get(path: string, accept = '*/*') {
  const page = /^\/docs\/(.+)$/.exec(path)?.[1];
  const sent = { headers: { accept }, ...(page && { pathParameters: { page } }) };
  const reply = await handler(restEvent(page ? '/docs/{page}' : path, sent), lambdaContext());
  const { 'X-Request-Id': _, ...headers } = { ...reply.headers };
  return { status: reply.statusCode, headers, text: reply.body };
}

const treeOf = (text: string) =>
  fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });

test.each(pages)('%s is the same page as Markdown, by address and by Accept', async (path) => {
  const byAddress = await get(`${path}.md`);
  const byAccept = await get(path, 'text/markdown');
  expect(byAccept).toEqual(byAddress);
  expect(await get(path, 'text/markdown; charset=utf-8')).toEqual(byAddress);
  expect(byAddress).toMatchObject({
    status: 200,
    headers: { 'Content-Type': 'text/markdown; charset=utf-8', Vary: 'Accept, Accept-Encoding' },
  });
  const html = (await get(path, 'text/html,*/*;q=0.8')).text;
  expect(html).toContain('<!doctype html>');
  const headings = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].length;
  const tree = treeOf(byAddress.text);
  expect(tree.children.filter(({ type }) => type === 'heading')).toHaveLength(headings(html, /<h[1-3]/g));
  expect(tree.children.filter(({ type }) => type === 'code').length).toBe(headings(html, /<pre/g));
  expect(tree.children.filter(({ type }) => type === 'table').length).toBe(headings(html, /<table/g));
  expect(JSON.stringify(tree)).not.toContain('"type":"html"');
});

test.each(['/docs.md', '/docs/results.md'])('the links of %s lead to pages that exist', async (path) => {
  const { text } = await get(path);
  const links = [...text.matchAll(/\]\(([a-z./-]+\.md)(#[^)]*)?\)/g)].map(([, target = '']) => target);
  expect(links.length).toBeGreaterThan(5);
  for (const link of new Set(links)) {
    const { pathname } = new URL(link, `${SITE_URL}${path}`);
    expect([link, (await get(pathname)).status]).toEqual([link, 200]);
  }
});

test('llms.txt is a title, a summary, and sections that are lists of links to pages that exist', async () => {
  const { headers, text } = await get('/llms.txt');
  expect(headers['Content-Type']).toBe('text/plain; charset=utf-8');
  const [title, summary, ...rest] = treeOf(text).children;
  expect([title, summary]).toMatchObject([{ type: 'heading', depth: 1 }, { type: 'blockquote' }]);
  const first = rest.findIndex(({ type }) => type === 'heading');
  expect(rest.slice(0, first).every(({ type }) => type === 'paragraph')).toBe(true);
  rest.slice(first).forEach((node, i) => {
    expect(node).toMatchObject(i % 2 === 0 ? { type: 'heading', depth: 2 } : { type: 'list' });
  });
  const items = text.split('\n').filter((line) => line.startsWith('-'));
  for (const item of items) {
    const [, url = ''] = /^- \[[^\]]+\]\(([^)]+)\): \S/.exec(item) ?? [];
    expect([item, (await get(url.slice(SITE_URL.length))).status]).toEqual([item, 200]);
  }
  expect(items).toHaveLength(groups.length + 5);
});
