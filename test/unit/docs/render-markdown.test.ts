// The HTML of the pages, and the pieces of Markdown that it is made of.
import { expect, test } from 'vitest';
import { renderMarkdown } from '../../../functions/docs/render-markdown.ts';
import { code, codeBlock, list, table } from '../../../functions/docs/write-markdown.ts';

test.each([
  '<script>alert(1)</script>',
  'One <img src=x onerror=alert(1)> two',
  '## <b>Title</b>',
  '- <i>x</i>',
])('markup is text: %s', (text) => {
  const rendered = renderMarkdown(text);
  expect(rendered).not.toMatch(/<(script|img|b|i)\b/);
  expect(rendered).toContain('&lt;');
});

test('text is escaped in code, cells, items, titles and addresses', () => {
  const hostile = `<script>"&`;
  const safe = '&lt;script&gt;&quot;&amp;';
  expect(renderMarkdown(code(hostile))).toBe(`<p><code>${safe}</code></p>\n`);
  expect(renderMarkdown(table([hostile], [[code(hostile)]]))).toContain(
    `<th scope="row"><code>${safe}</code>`,
  );
  expect(renderMarkdown(codeBlock('json', hostile, hostile))).toBe(
    `<details><summary>${safe}</summary><pre tabindex="0"><code>${safe}</code></pre>\n</details>\n`,
  );
  const target = new Map([['a.md', hostile]]);
  expect(renderMarkdown('## [A](a.md)\n\n- [A](a.md)', target)).toContain(`<li id="${safe}">`);
});

test('a link to an anchor of the page opens its section, and an item in a section gets its anchor', () => {
  const page =
    '## [One](#one)\n\n1. a\n2. b\n\n### [Two](#two)\n\n- [c](#c): d\n\n## Guide, part 1\n\n- [e](#one)';
  expect(renderMarkdown(page).replaceAll('\n', '')).toBe(
    '<section id="one"><h2><a href="#one">One</a></h2><ol><li id="one-1">a</li><li id="one-2">b</li></ol>' +
      '<section id="two"><h3><a href="#two">Two</a></h3><ul><li id="c"><a href="#c">c</a>: d</li></ul></section></section>' +
      '<h2 id="guide-part-1">Guide, part 1</h2><ul><li><a href="#one">e</a></li></ul>',
  );
});

test('links to Markdown lead to the page, and other links are unchanged', () => {
  const hrefs = [
    ...renderMarkdown('[a](b.md#c) [d](../docs.md) [e](../console#/new?body=.md)').matchAll(/href="(.*?)"/g),
  ];
  expect(hrefs.map(([, href]) => href)).toEqual(['b#c', '../docs', '../console#/new?body=.md']);
});

test('an address in a text is no link', () => {
  expect(
    renderMarkdown('At http://127.0.0.1:8787/api, www.example.com or <http://example.com>'),
  ).not.toContain('<a');
});

test('fenced code is unchanged, blank lines and markup included', () => {
  expect(renderMarkdown('In Go:\n\n```go\nif a < b {\n\n## no\n}\n```\n\nDone')).toBe(
    '<p>In Go:</p>\n<pre tabindex="0"><code>if a &lt; b {\n\n## no\n}</code></pre>\n<p>Done</p>\n',
  );
});

test('backticks in code and bars in cells stay what they are', () => {
  for (const text of ['a`b', '`a`', '``', 'a|b'])
    expect(renderMarkdown(table(['x'], [[code(text)]]))).toContain(`<code>${text}</code>`);
});

test('a list has the lists below its items', () => {
  expect(renderMarkdown(list([`a\n${list(['b'])}`])).replaceAll('\n', '')).toBe(
    '<ul><li>a<ul><li>b</li></ul></li></ul>',
  );
});
