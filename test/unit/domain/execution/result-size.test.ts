// rules.md: bounds 4. A step's result is counted before anything of it is saved.
import { expect, test } from 'vitest';
import { limits } from '#contract/limits.ts';
import { checkSize, ResultTooLarge } from '#domain/execution/step-outputs.ts';
import type { StepOutput } from '#steps/step.ts';

/** Half a megabyte in UTF-8, a quarter of that in characters. */
const text = '\u{1F600}'.repeat(128 * 1024);
const item = (i: number) => ({
  id: `I${i}`,
  kind: 'entity' as const,
  type: 'note',
  name: 'N',
  fields: { text },
});
const items = (count: number) => Array.from({ length: count }, (_, i) => item(i));
const table = (count: number): StepOutput => ({
  artifacts: [
    { kind: 'table', title: 'T', columns: ['text'], rows: items(count).map(({ fields }) => fields) },
  ],
});

test.each<[string, StepOutput]>([
  ['items', { items: items(127) }],
  ['a table', table(127)],
  ['nothing', {}],
])('a result of %s within 64 MB is kept', async (_, output) => {
  await expect(checkSize(output)).resolves.toBeUndefined();
});

test.each<[string, StepOutput]>([
  ['items', { items: items(128) }],
  ['a table', table(129)],
  ['items and a table', { items: items(70), ...table(70) }],
  ['a text', { text: 'x'.repeat(limits.step_result_max_bytes) }],
])('one of %s beyond it is refused, with its size', async (_, output) => {
  const refusal = await checkSize(output).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(ResultTooLarge);
  expect(Object(refusal).bytes).toBeGreaterThan(limits.step_result_max_bytes);
});
