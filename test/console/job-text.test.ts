// rules.md: console 20, console 22. Jobs and questions in words.
import { expect, test } from 'vitest';
import {
  countText,
  jobName,
  jobQuery,
  jobStatusText,
  jobWaitOf,
  mayHaveJobs,
  waitNote,
} from '../../clients/console/view-models/job-text.ts';
import type { Plan, Run, Source } from '../../clients/sdk/index.ts';

const source = (kind: Source['kind'], description = ''): Source => ({
  ...{ name: 'approval', kind, description, entity_type: 'decision', fields: [] },
});

test.each([
  [0, false, ''],
  [3, false, '3'],
  [20, true, '20+'],
])('%d questions in the list are counted as they are', (many, has_more, text) => {
  expect(countText({ data: Array(many).fill(0), has_more })).toBe(text);
});

test('a question goes by its title, a job by its source', () => {
  const sources = [source('person', 'May it go out?')];
  expect(jobName({ kind: 'person', source: 'approval' }, sources)).toBe('May it go out?');
  expect(jobName({ kind: 'job', source: 'approval' }, sources)).toBe('approval');
  expect(jobName({ kind: 'person', source: 'deleted' }, sources)).toBe('deleted');
});

test('a question is answered or declined, a job has its status', () => {
  expect(jobStatusText({ kind: 'person', status: 'completed' })).toBe('answered');
  expect(jobStatusText({ kind: 'person', status: 'failed' })).toBe('declined');
  expect(jobStatusText({ kind: 'job', status: 'timed_out' })).toBe('timed out');
});

test('an address asks for known statuses and kinds alone', () => {
  expect(jobQuery({ status: 'open', kind: 'person', source: 'a', cursor: 'c', q: 'x' })).toEqual({
    ...{ status: 'open', kind: 'person', source: 'a', cursor: 'c' },
  });
  expect(jobQuery({ status: 'toString', kind: 'http' })).toEqual({});
});

test('the form of a plan says who is asked and that the run waits', () => {
  expect(waitNote(source('person', 'May it go out?'))).toContain('“May it go out?”');
  expect(waitNote(source('job'))).toContain('The run waits');
  expect([waitNote(source('http')), waitNote(undefined)]).toEqual([undefined, undefined]);
});

test('a run waits for a job or a person, and for nothing else that is a job', () => {
  const waiting = { since: 1, until: 9, step_index: 0, source: 'approval', job_id: 'j' };
  expect(jobWaitOf({ reason: 'person', ...waiting })).toEqual({
    ...{ kind: 'person', source: 'approval', jobId: 'j', since: 1, until: 9 },
  });
  expect(jobWaitOf({ reason: 'model_unavailable', since: 1 })).toBeUndefined();
  expect(jobWaitOf(null)).toBeUndefined();
});

test('jobs are asked for only where a run may have some', () => {
  const run = { waiting: null, usage: {} } as Pick<Run, 'waiting' | 'usage'>;
  const planOf = (params?: object): Plan => ({
    title: 'T',
    steps: [{ kind: 'fetch', title: 'S', ...(params && { params }) }],
  });
  expect(mayHaveJobs(run, undefined)).toBe(false);
  expect(mayHaveJobs(run, planOf())).toBe(false);
  expect(mayHaveJobs(run, planOf({ source: 'notes' }))).toBe(false);
  expect(mayHaveJobs(run, planOf({ source: 'approval' }))).toBe(true);
  expect(mayHaveJobs({ ...run, waiting: { reason: 'job', since: 1 } }, undefined)).toBe(true);
});
