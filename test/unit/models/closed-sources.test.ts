// rules.md: plan 8. Where notes and artifacts may not be read, no planner is offered them, and none plans over them.
import { expect, test } from 'vitest';
import { plan } from '#models/tasks/plan-task.ts';
import type { InputOf } from '#models/tasks/task-registry.ts';
import { item, offline, outlineOf } from './given.ts';

const query = 'List the notes';
const asked: InputOf<'plan'> = {
  ...{ query, interpretation: query, values: [], candidates: [], today: '2026-11-20' },
  shape: outlineOf([item('Acme', { city: 'Berlin' })]),
};
const closed: InputOf<'plan'> = { ...asked, other_sources: ['relationships'] };
const open: InputOf<'plan'> = { ...asked, other_sources: ['notes', 'artifacts', 'relationships'] };

test('the answer of a model has no name for them', () => {
  const named = (input: InputOf<'plan'>) => JSON.stringify(plan.answerFor(input));
  for (const source of ['"notes"', '"artifacts"']) {
    expect(named(open)).toContain(source);
    expect(named(closed)).not.toContain(source);
  }
  expect(named(closed)).toContain('"relationships"');
});

test('an answer that names them all the same is none', async () => {
  const answer = {
    title: 'Notes',
    steps: [
      { kind: 'fetch', title: 'Fetch', source: 'Notes' },
      { kind: 'reconstitute', title: 'Answer', instructions: 'Answer' },
    ],
  };
  expect(await plan.judge(answer, open)).toMatchObject({ ok: true });
  expect(await plan.judge(answer, closed)).toMatchObject({
    ok: false,
    complaint: expect.stringContaining('notes'),
  });
});

test('offline, the word is not understood', async () => {
  expect((await offline('plan', open)).steps[0]?.params.source).toBe('notes');
  expect((await offline('plan', closed)).steps[0]?.params.source).not.toBe('notes');
  const understood = await offline('understand', { ...closed, strict_mode: true });
  expect(understood).toMatchObject({ verdict: 'ambiguous', not_understood: ['notes'] });
});
