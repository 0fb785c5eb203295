// Safe text, judged by a CommonMark parser (rules.md: artifacts 5, artifacts 6).
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  asMarkdown,
  asPlainText,
  linkTargets,
  onlyLink,
  recordLink,
  withKnownLinks,
} from '#platform/linked-markdown.ts';
import { breaches, shownText } from '../../support/markdown-judge.ts';

const KNOWN = new Set(['entity=ID', 'note=N1', 'entity_type=company']);

/** Text made of what Markdown is sensitive to. */
const hostile = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...'[]()<>!&#;:\\`~*_|-+=".\' \n\t\r{}^$%/?x1') },
      {
        weight: 2,
        arbitrary: fc.constantFrom(
          ...[
            '[a](entity=ID)',
            '](entity=ID)',
            '[x](entity=OTHER)',
            '(ENTITY=ID)',
            '](entity%3DID)',
            '(<entity=ID>)',
            '( entity=ID )',
          ],
          ...[
            '](javascript:alert(1))',
            '](http://evil.example "t")',
            '![',
            '![i](http://evil.example/i)',
            '[1]: entity=ID',
            '\n[x]: http://e',
            '[x][1]',
          ],
          ...[
            '<img src=x onerror=alert(1)>',
            '<script>',
            '</',
            '<!--',
            '<?',
            '<![CDATA[',
            '<https://evil.example>',
            '<a@b.co>',
            '<div>\n',
          ],
          ...[
            '&#91;',
            '&lbrack;',
            '&#x5b;',
            '&lt;',
            '&amp;',
            '%5B',
            '\\[',
            '\\',
            '\\\\',
            '\\`',
            '```',
            '~~~',
            '``',
            '\n```\n',
            '\n~~~\n',
            '    ',
            '\n\n',
            '\n===\n',
          ],
          ...[
            '- ',
            '> ',
            '1. ',
            '# ',
            '| a | b |\n|---|---|\n',
            '\n| `',
            '` |',
            'https://evil.example',
            'www.evil.example',
            'a@evil.example',
            '[^1]',
            '[^1]: x',
            '[]',
          ],
        ),
      },
      { weight: 1, arbitrary: fc.string() },
    ),
    { maxLength: 24 },
  )
  .map((parts) => parts.join(''));

const runs = { numRuns: Number(process.env.MARKDOWN_RUNS ?? 150) };

test('of what a model writes only exact links to known records stay links', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      expect(breaches(withKnownLinks(text, KNOWN), KNOWN)).toEqual([]);
    }),
    runs,
  );
});

test('safe texts put together are safe', () => {
  fc.assert(
    fc.property(hostile, hostile, fc.constantFrom('\n\n', '\n'), (first, second, between) => {
      const text = [withKnownLinks(first, KNOWN), asMarkdown(second), withKnownLinks(second, KNOWN)].join(
        between,
      );
      expect(breaches(text, KNOWN)).toEqual([]);
    }),
    runs,
  );
});

test('making a safe text safe changes nothing', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const safe = withKnownLinks(text, KNOWN);
      expect(withKnownLinks(safe, KNOWN)).toBe(safe);
      const literal = asMarkdown(text.replace(/\r\n?/g, '\n'));
      expect(withKnownLinks(literal, KNOWN)).toBe(literal);
    }),
    runs,
  );
});

test('a string of a record is read back and shown unchanged', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      expect(asPlainText(asMarkdown(text))).toBe(text);
      const word = `x${text.replace(/[\s*_~|\\0]+/g, '')}`;
      expect(shownText(asMarkdown(word))).toBe(word);
    }),
    runs,
  );
});

test('a record link survives any label', () => {
  fc.assert(
    fc.property(hostile, (label) => {
      const link = recordLink('entity', 'ID', label);
      expect(onlyLink(link)).toEqual({ label: label.replace(/\s+/g, ' '), kind: 'entity', id: 'ID' });
      expect(linkTargets(`before ${link} after`)).toEqual(['entity=ID']);
      expect(withKnownLinks(link, KNOWN)).toBe(link);
      expect(breaches(link, KNOWN)).toEqual([]);
    }),
    runs,
  );
});

test.each([
  ['a link elsewhere', 'See [the site](https://evil.example "Evil").', 'See the site.'],
  ['a link with code', '[Berlin](javascript:alert(1))', 'Berlin'],
  ['an image', 'x ![i](http://evil.example/i.png) y', 'x i y'],
  ['an unknown record', '[Acme](entity=ID), [ghost \\[x\\]](note=2)', '[Acme](entity=ID), ghost \\[x\\]'],
  ['another kind of the same id', '[a](artifact=ID)', 'a'],
  ['an image of a record', '![a](entity=ID)', 'a'],
  ['links in links', '[a [b](entity=ID) c](entity=ID)', 'a [b](entity=ID) c'],
  ['HTML', '<b onclick=x>hi</b> 1 < 2', '&lt;b onclick=x>hi&lt;/b> 1 < 2'],
  ['a reference', '[a][1]\n\n[1]: entity=ID', '\\[a\\]\\[1\\]\n\n\\[1\\]: entity=ID'],
  ['a label of any length', `[${'a'.repeat(5000)}](javascript:x)`, 'a'.repeat(5000)],
  ['another spelling', '[a](ENTITY=ID) [b](entity%3DID) [c](<entity=ID>) [d]( entity=ID )', 'a b c d'],
  ['brackets that link nothing', 'as said [sic] in [1]', 'as said \\[sic\\] in \\[1\\]'],
  ['an open fence', '```\n[a](x)', '```\n[a](x)\n```'],
])('made safe: %s', (_, written, safe) => {
  expect(withKnownLinks(written, KNOWN)).toBe(safe);
});

test('headings, lists, emphasis, tables and code stay as a model wrote them', () => {
  const written = [
    '# Title\n\n## Part *one*\n\n- a **b** _c_ ~~d~~\n  1. e\n\n> quote\n\nf\n===',
    '| a | b |\n|---|:-:|\n| `x[0]` | [Acme *Inc*](entity=ID) |',
    '```ts\nconst a = b[0] as Map<string, `x`>; // [no](link)\n```\n\n~~~\n<b>\n~~~',
    'inline ``a ` [b](c)`` and `<i>` at https://example.com, 5 * 3 < 20 & AT&T!\nline two  \nend.',
  ].join('\n\n');
  expect(withKnownLinks(written, KNOWN)).toBe(written);
});
