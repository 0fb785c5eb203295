// rules.md: errors 3. The place of a parameter that only the stored data shows to be wrong.
import { expect, test } from 'vitest';
import { wrongParam } from '#domain/runs/wrong-param.ts';

test('the path that is at fault is the parts of the parameter', () => {
  const param = 'plan.steps.1.params.context_step_ids';
  expect(wrongParam(param, 'a source of workers', 'companies', 'It is none.')).toMatchObject({
    param,
    details: { issues: [{ path: ['plan', 'steps', 1, 'params', 'context_step_ids'] }] },
  });
});
