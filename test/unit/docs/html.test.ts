// Escaping, and the little Markdown of descriptions.
import { expect, test } from 'vitest';
import { html, join } from '../../../functions/docs/html.ts';
import { inline, prose } from '../../../functions/docs/prose.ts';

test('text is escaped in content and in quoted attributes', () => {
  const hostile = `<script>"'&`;
  const safe = '&lt;script&gt;&quot;&#39;&amp;';
  expect(html`<p title="${hostile}">${hostile}</p>`.html).toBe(`<p title="${safe}">${safe}</p>`);
});

test('markup is not escaped a second time', () => {
  const item = html`<li>${'a & b'}</li>`;
  expect(html`<ul>${item}${[item]}</ul>`.html).toBe('<ul><li>a &amp; b</li><li>a &amp; b</li></ul>');
});

test('undefined and false leave nothing, zero stays', () => {
  expect(html`<p>${undefined}${false}${0}</p>`.html).toBe('<p>0</p>');
});

test('pieces are joined by an escaped separator', () => {
  expect(join([html`<b>1</b>`, html`<b>2</b>`], ' & ').html).toBe('<b>1</b> &amp; <b>2</b>');
});

test('descriptions have paragraphs, headings, lists and code', () => {
  expect(prose('One `<a>`\n\n## Two\n\n- x\n- y').html).toBe(
    '<p>One <code>&lt;a&gt;</code></p><h2 id="two">Two</h2><ul><li>x</li><li>y</li></ul>',
  );
});

test('fenced code is unchanged, blank lines and markup included', () => {
  expect(prose('In Go:\n\n```go\nif a < b {\n\n## no\n}\n```\n\nDone').html).toBe(
    '<p>In Go:</p><pre tabindex="0"><code>if a &lt; b {\n\n## no\n}\n</code></pre><p>Done</p>',
  );
});

test('a lone backtick stays text', () => {
  expect(inline('`a` and `b').html).not.toContain('<script');
  expect(inline('a ` b').html).toBe('a ` b');
});
