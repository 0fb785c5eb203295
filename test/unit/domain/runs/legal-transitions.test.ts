// The relation of legal transitions: what it allows, what it refuses (rules.md: states 4).
import { expect, test } from 'vitest';
import type { EventType } from '#contract/events.ts';
import { legalTransitions, type Phase, phaseOf, transitionsBy } from '#domain/runs/legal-transitions.ts';

const afterwards = (before: Phase, ...events: EventType[]) =>
  transitionsBy(before, events).map(({ after }) => after);

test('the relation is plain data', () => {
  expect(JSON.parse(JSON.stringify(legalTransitions))).toEqual(legalTransitions);
});

test('from every phase a run can end, and only a resume leaves an end', () => {
  const next = (phase: Phase) =>
    legalTransitions.filter(({ before }) => before === phase).map(({ after }) => after);
  for (const phase of ['pending', 'running', 'paused', 'canceling'] as const)
    expect(next(phase).some((after) => ['failed', 'canceled'].includes(after))).toBe(true);
  expect(new Set(next('succeeded'))).toEqual(new Set(['succeeded', 'deleted']));
  expect(new Set(next('canceled'))).toEqual(new Set(['canceled', 'deleted']));
  expect(new Set(next('failed'))).toEqual(new Set(['failed', 'pending', 'deleted']));
});

test('a canceled run whose log goes on has a phase of its own', () => {
  expect(phaseOf({ status: 'canceled', log_finished: false })).toBe('canceling');
  expect(phaseOf({ status: 'canceled', log_finished: true })).toBe('canceled');
  expect(phaseOf(undefined)).toBe('none');
});

test('the start of a short step is committed with its end', () => {
  expect(afterwards('pending', 'run.started', 'step.started')).toEqual(['running']);
  expect(
    afterwards(
      'pending',
      'run.started',
      'step.skipped',
      'step.skipped',
      'step.started',
      'artifact.created',
      'step.completed',
      'run.succeeded',
    ),
  ).toEqual(['succeeded']);
});

test('a run that waits for a job is canceled at once, any other when its step has ended', () => {
  expect(afterwards('running', 'run.canceled')).toEqual(['canceled']);
  expect(afterwards('running')).toContain('canceling');
});

test.each<[Phase, ...EventType[]]>([
  ['none', 'run.started'],
  ['pending', 'step.completed', 'run.succeeded'],
  ['pending', 'run.created'],
  ['running', 'run.started'],
  ['running', 'step.completed'],
  ['running', 'run.succeeded'],
  ['paused', 'run.started', 'step.skipped', 'step.started'],
  ['canceling', 'step.completed', 'step.started'],
  ['canceling', 'step.completed', 'run.succeeded'],
  ['canceled', 'run.canceled'],
  ['succeeded', 'step.started'],
  ['deleted'],
])('a %s run has no commit with %s', (before, ...events) => {
  expect(afterwards(before, ...events)).toEqual([]);
});

test('a delivery is made only by the commit that ends a run', () => {
  for (const { before, after, delivers } of legalTransitions) {
    const ends = before !== after && ['succeeded', 'failed', 'canceled'].includes(after);
    expect(delivers).toBe(ends && after !== 'canceled');
  }
});
