// What a fold of the log must infer because no event contains it; test/proofs/sim tests that every log leads to its
// envelope.
import { expect, test } from 'vitest';
import { reduce } from '../../clients/sdk/index.ts';
import { created, envelope, failed, logOf, started } from './fake-service.ts';

const afterwards: [string, Parameters<typeof logOf>[number]][] = [
  ['canceled', ['run.canceled', { status: 'canceled', reason: 'canceled_by_user', step_index: null }]],
  ['paused', ['run.paused', { status: 'paused', reason: 'maintenance' }]],
];

test.each(afterwards)('a failed run that is %s was resumed before', (status, later) => {
  const state = logOf(created, started, failed, later).reduce(reduce, envelope());
  expect(state).toMatchObject({ status, resume_count: 1, errors: [], resumable: false });
});
