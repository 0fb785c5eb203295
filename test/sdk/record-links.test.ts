// Record links: what the service writes is found again, label by label.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseRecordLinks } from '../../clients/sdk/index.ts';
import { recordLink } from '../../functions/platform/linked-markdown.ts';

test('a text is split into its links and the text between them', () => {
  expect(parseRecordLinks('See [Acme \\[x\\]](entity=1-2) and [a](https://b), [N](note=9).')).toEqual([
    'See ',
    { kind: 'entity', id: '1-2', label: 'Acme [x]' },
    ' and [a](https://b), ',
    { kind: 'note', id: '9', label: 'N' },
    '.',
  ]);
  expect(parseRecordLinks('')).toEqual([]);
});

test('any label that the service writes is read unchanged', async () => {
  await fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (label) => {
      const shown = label.replace(/\s+/g, ' ');
      expect(parseRecordLinks(recordLink('entity', 'id', label))).toEqual([
        { kind: 'entity', id: 'id', label: shown },
      ]);
    }),
  );
});
