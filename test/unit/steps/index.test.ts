// The registry of step kinds.
import { expect, test } from 'vitest';
import { stepKinds } from '#contract/steps.ts';
import { steps } from '#steps/index.ts';

test('every kind of the contract has its step, and no other', () => {
  expect(Object.keys(steps).toSorted()).toEqual(stepKinds.toSorted());
});
