// rules.md: exports 5. A table of any length is written while it is read: no more of it is in memory than a piece.
import { expect, test } from 'vitest';
import { exportArtifact } from '#domain/artifacts/export.ts';
import type { OpenArtifact } from '#domain/artifacts/open-artifact.ts';
import { newId } from '#platform/ids.ts';
import { recordLink } from '#platform/linked-markdown.ts';

const ROWS = 100_000;
const ROWS_PER_PIECE = 500;
const id = newId();

/** A stored table of many rows, and how many pieces of it were read. */
function longTable() {
  const read = { pieces: 0 };
  async function* text(): AsyncGenerator<Buffer> {
    const head = { id, kind: 'table', row_count: ROWS, columns: ['name', 'text'], rows: [] };
    for (let at = 0; at < ROWS; at += ROWS_PER_PIECE) {
      const rows = Array.from({ length: ROWS_PER_PIECE }, (_, i) =>
        JSON.stringify({
          name: recordLink('entity', id, `Company ${at + i}`),
          text: 'lorem ipsum '.repeat(5),
        }),
      );
      read.pieces += 1;
      yield Buffer.from(`${at === 0 ? JSON.stringify(head).slice(0, -2) : ','}${rows.join(',')}`);
    }
    yield Buffer.from(']}');
  }
  const artifact: OpenArtifact = {
    id,
    kind: 'table',
    title: 'T',
    entity_refs: [],
    text: text(),
    close: () => {},
  };
  return { artifact, read };
}

const whole = { keepFormulas: false, withMark: false, withLinks: false };

test.each(['csv', 'jsonl', 'md', 'json'] as const)(
  '100,000 rows as %s, a piece at a time',
  async (format) => {
    const { artifact, read } = longTable();
    let written = 0;
    let lines = 0;
    for await (const piece of await exportArtifact(artifact, { format, offset: 0, ...whole })) {
      written += 1;
      // Nothing is read ahead of what was taken.
      expect(read.pieces).toBeLessThanOrEqual(written);
      lines += String(piece).split('Company ').length - 1;
    }
    expect(lines).toBe(ROWS);
  },
);

test('the first rows of it are not paid with the rest', async () => {
  const { artifact, read } = longTable();
  const pieces = [];
  for await (const piece of await exportArtifact(artifact, { format: 'csv', limit: 2, ...whole }))
    pieces.push(piece);
  expect(pieces.join('').split('\r\n')).toHaveLength(1 + 2 + 1);
  expect(read.pieces).toBe(1);
});
