// The line of progress: on a terminal only, and not too often.
import { expect, test } from 'vitest';
import { progressOn } from '../../../clients/cli/output/progress.ts';

function terminal(isTTY: boolean) {
  const written: string[] = [];
  return { isTTY, written, write: (text: string) => written.push(text) };
}

test('a stream that is not a terminal gets nothing', () => {
  const stream = terminal(false);
  const progress = progressOn(stream);
  progress.show('Checked 1 lines');
  progress.clear();
  expect(stream.written).toEqual([]);
});

test('a terminal gets one line that is replaced at most five times a second, and removed at the end', () => {
  let now = 0;
  const stream = terminal(true);
  const progress = progressOn(stream, () => now);
  for (; now < 1000; now += 50) progress.show(`at ${now}`);
  progress.clear();
  progress.clear();
  expect(stream.written).toEqual([
    ...[0, 200, 400, 600, 800].map((ms) => `\r\u001b[Kat ${ms}`),
    '\r\u001b[K',
  ]);
});
