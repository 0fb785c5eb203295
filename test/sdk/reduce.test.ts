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

test('a run that was resumed and failed again before its start has no step that failed', () => {
  const log = logOf(created, started, failed, failed);
  const again = log.map((one, i) =>
    i === 3 && one.event_type === 'run.failed' ? { ...one, data: { ...one.data, duration_ms: 90 } } : one,
  );
  const state = again.reduce(reduce, envelope());
  expect(state).toMatchObject({ status: 'failed', resume_count: 1, completed_at: 1_090 });
  expect(state.errors).toHaveLength(1);
  expect(state.steps.map(({ status }) => status)).toEqual(state.steps.map(() => 'pending'));
});

test('a failure that the envelope shows already is no second one', () => {
  const once = logOf(created, started, failed).reduce(reduce, envelope());
  expect(logOf(failed).reduce(reduce, once)).toMatchObject({ status: 'failed', resume_count: 0 });
});
