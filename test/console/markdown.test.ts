// The Markdown that the console parses in addition to its lexer.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { onlyRecordLink, plainText } from '../../clients/console/view-models/markdown.ts';
import { shortTitle, statusNote } from '../../clients/console/view-models/run-text.ts';

test('a link is one only when all of it is a record link', () => {
  expect(onlyRecordLink('[A](entity=1)')).toMatchObject({ kind: 'entity', id: '1' });
  for (const raw of [
    '[A](https://a.b)',
    '![A](entity=1)',
    '[A](entity=1)x',
    '[A](javascript:alert`1`)',
    '[A](other=1)',
  ])
    expect(onlyRecordLink(raw)).toBeUndefined();
});

test('character references are read once, and nothing else is changed', async () => {
  expect(plainText('&lt;b&gt; &amp;lt; &#60; &#x3c; &unknown; &#0;&#1114112; &')).toBe(
    '<b> &lt; < < &unknown; \ufffd\ufffd &',
  );
  await fc.assert(fc.property(fc.string(), (text) => plainText(text.replaceAll('&', '&amp;')) === text));
});

test('a title is one line, cut at a character', () => {
  const title = (query: string) => shortTitle({ input: { input_type: 'query', query } });
  expect(title('  What\n is it?')).toBe('What is it?');
  expect([...title('😀'.repeat(100))]).toHaveLength(81);
  const entity = { external_uri: 'crm:acme' };
  expect(shortTitle({ input: { input_type: 'preset', preset: 'dossier', params: { entity } } })).toBe(
    'Dossier: crm:acme',
  );
});

test('a status explains itself where the word alone would mislead', () => {
  const running = { index: 1, kind: 'filter', title: 'T', status: 'running', attempt: 1 } as const;
  expect(statusNote({ status: 'canceled', steps: [running], waiting: null })).toContain('Finishing step 2');
  expect(statusNote({ status: 'paused', steps: [], waiting: null })).toContain('continues automatically');
  const waiting = { reason: 'model_unavailable', since: 1, until: Date.now() } as const;
  expect(statusNote({ status: 'paused', steps: [], waiting })).toContain('Waiting for the model');
  expect(statusNote({ status: 'running', steps: [running], waiting: null })).toBeUndefined();
});
