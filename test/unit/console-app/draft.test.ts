// A request for a run while it is written: what is sent, what is taken over, and steps that keep their references.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bodyOf,
  type Draft,
  draftOf,
  stepsOf,
  valueAt,
  withMember,
  withoutStep,
  withStep,
  withStepMoved,
} from '../../../clients/console/view-models/draft.ts';

const plan = (steps: object[]) => ({ input_type: 'plan', plan: { title: 'P', steps } });
const three = plan([
  { kind: 'fetch', title: 'a' },
  { kind: 'filter', title: 'b', instructions: 'x', params: { steps_to_filter: [0], limit_to: 3 } },
  { kind: 'reconstitute', title: 'c', params: { context_step_ids: [0, 1] } },
]);
const titles = (draft: Draft) => stepsOf(draft).map(({ title }) => title);

test.each([
  { input_type: 'query', query: 'q', config: { xray: true }, metadata: { a: 'b' } },
  { input_type: 'preset', preset: 'dossier', params: { entity: { id: 'x' }, sections: ['s'] } },
  three,
])('a request that is taken over is sent as it was: %j', (body) => {
  const { kind, draft } = draftOf(body);
  if (kind === 'json') throw new Error('no form shows it');
  expect(bodyOf(kind, draft)).toEqual(body);
});

test.each([[undefined], ['text'], [{ input_type: 'other' }], [{ input_type: 'plan', plan: { steps: 5 } }]])(
  'what no form can show is edited as JSON: %j',
  (body) => {
    expect(draftOf(body).kind).toBe('json');
  },
);

test('steps with their own indexes are addressed by position', () => {
  const { draft } = draftOf(
    plan([
      { index: 3, kind: 'fetch', title: 'a' },
      { index: 7, kind: 'filter', title: 'b', params: { steps_to_filter: [3] } },
    ]),
  );
  expect(valueAt(bodyOf('plan', draft), 'plan.steps')).toEqual([
    { kind: 'fetch', title: 'a' },
    { kind: 'filter', title: 'b', params: { steps_to_filter: [0] } },
  ]);
});

describe('members', () => {
  test('one that is set is there, one that is taken away is gone, with what it leaves empty', () => {
    const set = withMember({ query: 'q' }, 'config.max_cost_usd', 2);
    expect(set).toEqual({ query: 'q', config: { max_cost_usd: 2 } });
    expect(withMember(set, 'config.max_cost_usd', undefined)).toEqual({ query: 'q' });
  });

  test('a path leads into lists', () => {
    const { draft } = draftOf(three);
    const changed = withMember(draft, 'plan.steps.1.params.limit_to', 9);
    expect(valueAt(changed, 'plan.steps.1.params')).toEqual({ steps_to_filter: [0], limit_to: 9 });
    expect(titles(changed)).toEqual(['a', 'b', 'c']);
  });

  test('names that every object inherits are not members', () => {
    expect(valueAt({}, 'constructor')).toBeUndefined();
    expect(valueAt(undefined, 'a.b')).toBeUndefined();
  });
});

describe('steps', () => {
  const { draft } = draftOf(three);

  test('a new one comes last, with a unique key', () => {
    const more = withStep(withoutStep(withStep({}, 'fetch', 'A'), 0), 'filter', 'B');
    expect(stepsOf(withStep(more, 'fetch', 'C')).map(({ key, title }) => [key, title])).toEqual([
      [1, 'B'],
      [2, 'C'],
    ]);
  });

  test('one that is moved takes the references to it along', () => {
    const moved = withStepMoved(draft, 0, 1);
    expect(titles(moved)).toEqual(['b', 'a', 'c']);
    expect(valueAt(moved, 'plan.steps.0.params.steps_to_filter')).toEqual([1]);
    expect(valueAt(moved, 'plan.steps.2.params.context_step_ids')).toEqual([1, 0]);
  });

  test('the first does not move up, the last not down', () => {
    expect(withStepMoved(draft, 0, -1)).toBe(draft);
    expect(withStepMoved(draft, 2, 3)).toBe(draft);
  });

  test('one that is removed is referred to no more', () => {
    const left = withoutStep(draft, 0);
    expect(titles(left)).toEqual(['b', 'c']);
    expect(valueAt(left, 'plan.steps.0.params')).toEqual({ limit_to: 3 });
    expect(valueAt(left, 'plan.steps.1.params.context_step_ids')).toEqual([0]);
  });

  test('moved there and back they are as before', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 0, max: 2 }), (from, to) => {
        expect(withStepMoved(withStepMoved(draft, from, to), to, from)).toEqual(draft);
      }),
    );
  });

  test('a reference follows its step when that is moved', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(2), fc.nat(2)), { maxLength: 10 }), (moves) => {
        const moved = moves.reduce((now, [from, to]) => withStepMoved(now, from, to), draft);
        const named = stepsOf(moved).flatMap((step) => {
          const places = valueAt(step, 'params.context_step_ids');
          return Array.isArray(places) ? places.map((place) => titles(moved)[place]) : [];
        });
        expect(named).toEqual(['a', 'b']);
      }),
    );
  });
});
