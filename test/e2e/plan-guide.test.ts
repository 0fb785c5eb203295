// The guide to plans: every JSON in it is taken by the service, with one step of each kind.
import { expect, test } from 'vitest';
import { stepExamples } from '../../functions/contract/document/step-examples.ts';
import { stepKinds } from '../../functions/contract/steps.ts';
import * as given from '../support/given.ts';
import { call } from '../support/service.ts';
import { codeBlocks } from '../support/snippets.ts';

const blocks = codeBlocks('functions/contract/document/guides/plans.md', 'json').map((block) =>
  JSON.parse(block),
);
const steps = blocks.filter((block) => 'kind' in block);
const conditions = blocks.filter((block) => !('kind' in block) && !('input_type' in block));

/** A whole request with what a block shows. */
function requestOf(block: object): object {
  if ('input_type' in block) return block;
  const step = 'kind' in block ? block : { kind: 'fetch', title: 'x', params: { where: block } };
  return { input_type: 'plan', plan: { title: 'x', steps: [step] } };
}

test('it has a step of each kind, those of the reference, and five conditions', () => {
  for (const kind of stepKinds) expect(steps).toContainEqual(stepExamples[kind]);
  expect(conditions).toHaveLength(5);
});

test.each(blocks.map((block) => [JSON.stringify(block), block] as const))('%s', async (_, block) => {
  const home = await given.workspace();
  const reply = await call('POST', '/runs?validate_only=1', { key: home.key, body: requestOf(block) });
  expect(reply.body).toMatchObject({ valid: true });
});
