// What the console says of a failed call of a model: by its cause, not always "press Resume".
import { expect, test } from 'vitest';
import { modelAdvice } from '../../../clients/console/view-models/model-advice.ts';

const provider = { status_code: 404, message: 'The model `x` does not exist' };

test.each([
  ['away', /^press Resume once the provider answers again/, /^try again once the provider answers/],
  ['refused', /operator must set right .*; then press Resume\.$/, /operator must set right .*model\.$/],
  ['cut_off', /less text.*in a new run/, /less text.*in a new run/],
  ['filtered', /^change the words .* in a new run\.$/, /^change the words .* in a new run\.$/],
  ['unusable', /^press Resume to ask again; .*another model\.$/, /^try again; .*another model\.$/],
])('%s', (cause, ofRun, ofRequest) => {
  expect(modelAdvice({ cause, provider }, true).remedy).toMatch(ofRun);
  expect(modelAdvice({ cause, provider }, false).remedy).toMatch(ofRequest);
  expect(modelAdvice({ cause, provider }, false).said).toBe(
    'The provider (HTTP 404): The model `x` does not exist',
  );
});

test('without words of a provider, and of other errors, nothing is said', () => {
  expect(modelAdvice({ cause: 'away' }, false)).not.toHaveProperty('said');
  expect(modelAdvice({ reason: 'time' }, true)).toEqual({});
  expect(modelAdvice(undefined, true)).toEqual({});
});
