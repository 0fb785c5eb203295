// The registry of step kinds.
import { expect, test } from 'vitest';
import { stepKinds } from '#contract/steps.ts';
import { steps } from '#steps/step-kinds.ts';

test('exactly the kinds of the contract have a step', () => {
  expect(Object.keys(steps).toSorted()).toEqual(stepKinds.toSorted());
});
