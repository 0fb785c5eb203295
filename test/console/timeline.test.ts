// The timeline's rules: attempts from the log, and an axis on which work takes the room, not waiting.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { itemsInto, stepFacts } from '../../clients/console/view-models/step-text.ts';
import {
  attemptNotes,
  foldedAxis,
  leadOf,
  leadText,
  marksOn,
  positionOn,
  type Span,
  spansOf,
  waitFacts,
  withJobs,
} from '../../clients/console/view-models/timeline.ts';
import type { ListedJob, RunEvent, RunState, StepState } from '../../clients/sdk/index.ts';

const step: StepState = { index: 0, kind: 'filter', title: 'T', status: 'running', attempt: 1 };

let sequence = 0;
function event<T extends RunEvent['event_type']>(event_type: T, occurred_at: number, data: object): RunEvent {
  sequence += 1;
  // Only what the timeline reads.
  return { event_type, occurred_at, sequence, data: { step_index: 0, kind: 'filter', ...data } } as RunEvent;
}
const span = (from: number, to: number): Span => ({
  attempt: 1,
  from,
  to,
  outcome: 'completed',
  retries: [],
  waits: [],
});

test('each attempt of a step is a bar, with its retries, from the event that began it to the one that ended it', () => {
  const events = [
    event('step.started', 10, { attempt: 1 }),
    event('step.retrying', 15, { attempt: 1 }),
    event('step.failed', 20, {}),
    event('step.started', 100, { attempt: 2 }),
    event('step.started', 130, { attempt: 3 }),
    event('step.completed', 140, {}),
  ];
  expect(spansOf([step], events).get(0)).toEqual([
    { attempt: 1, from: 10, to: 20, outcome: 'failed', retries: [15], waits: [] },
    { attempt: 2, from: 100, to: 130, outcome: 'lost', retries: [], waits: [] },
    { attempt: 3, from: 130, to: 140, outcome: 'completed', retries: [], waits: [] },
  ]);
});

test('a step that runs has no end until the run is canceled', () => {
  const begun = [event('step.started', 10, { attempt: 1 })];
  expect(spansOf([step], begun).get(0)).toEqual([
    { attempt: 1, from: 10, outcome: 'running', retries: [], waits: [] },
  ]);
  const canceled = [...begun, event('run.canceled', 30, { status: 'canceled' })];
  expect(spansOf([step], canceled).get(0)).toMatchObject([{ to: 30, outcome: 'canceled' }]);
});

test('a wait for a model is drawn as a wait, and takes the room of idle time', () => {
  const wait = (from: number, to: number) => [
    event('run.paused', from, { status: 'paused', reason: 'model_unavailable' }),
    event('run.started', to, { status: 'running', reason: 'model_available' }),
  ];
  const events = [
    event('step.started', 0, { attempt: 1 }),
    ...wait(1000, 3_601_000),
    event('step.completed', 3_602_000, {}),
  ];
  const spans = spansOf([step], events).get(0) ?? [];
  expect(spans).toMatchObject([{ waits: [{ from: 1000, to: 3_601_000 }], outcome: 'completed' }]);
  const axis = foldedAxis(spans, 0, 3_602_000);
  expect(axis.pieces.map(({ folded }) => folded)).toEqual([false, true, false]);
  const failed = [...events.slice(0, 2), event('step.failed', 5000, {})];
  expect(spansOf([step], failed).get(0)).toMatchObject([{ waits: [{ from: 1000, to: 5000 }], to: 5000 }]);
  const maintained = [events[0], event('run.paused', 7, { reason: 'maintenance' })].flatMap(
    (one) => one ?? [],
  );
  expect(spansOf([step], maintained).get(0)).toMatchObject([{ waits: [] }]);
});

test('the last attempt is drawn from the times of its step: the log writes what is short at one time', () => {
  const events = [
    event('step.started', 80, { attempt: 1 }),
    event('step.failed', 90, {}),
    event('step.started', 200, { attempt: 2 }),
    event('step.completed', 200, {}),
  ];
  const done: StepState = { ...step, status: 'completed', attempt: 2, started_at: 124, duration_ms: 76 };
  expect(spansOf([done], events).get(0)).toMatchObject([
    { attempt: 1, from: 80, to: 90, outcome: 'failed' },
    { attempt: 2, from: 124, to: 200, outcome: 'completed' },
  ]);
  const again: StepState = { ...done, status: 'pending' };
  expect(spansOf([again], events).get(0)).toMatchObject([{ attempt: 1 }, { attempt: 2, from: 200, to: 200 }]);
});

describe('before the first step', () => {
  const run = (type: 'query' | 'plan', more: Partial<RunState>) =>
    // Only what the timeline reads.
    ({ input: { input_type: type }, created_at: 1000, steps: [], ...more }) as unknown as RunState;
  const read = event('run.pre_validation', 1000, { duration_ms: 107 });
  const first = { ...step, started_at: 1230 };

  test('a query is understood, waits and is planned', () => {
    const leads = leadOf(run('query', { started_at: 1190, steps: [first] }), [read]);
    expect(leads).toEqual([
      { kind: 'understanding', from: 893, to: 1000 },
      { kind: 'waiting', from: 1000, to: 1190 },
      { kind: 'understanding', from: 1190, to: 1230 },
    ]);
    expect(leadText(leads, 9999)).toBe('understanding 147 ms · waiting 190 ms');
  });

  test('a plan waits alone, until its first step or for ever', () => {
    expect(leadOf(run('plan', { started_at: 1190, steps: [first] }), [])).toEqual([
      { kind: 'waiting', from: 1000, to: 1230 },
    ]);
    expect(leadOf(run('plan', {}), [])).toEqual([{ kind: 'waiting', from: 1000 }]);
    expect(leadText(leadOf(run('plan', {}), []), 3500)).toBe('waiting 2.5 s');
    expect(leadOf(run('plan', { completed_at: 1000 }), [])).toEqual([]);
  });
});

test('a run whose log is gone is drawn from its steps', () => {
  const old: StepState = { ...step, status: 'completed', started_at: 10, duration_ms: 5 };
  expect(spansOf([old, { ...step, index: 1, status: 'pending' }], [])).toEqual(
    new Map([[0, [{ attempt: 1, from: 10, to: 15, outcome: 'completed', retries: [], waits: [] }]]]),
  );
});

const moments = fc.array(fc.integer({ min: 0, max: 10_000_000 }), { minLength: 2, maxLength: 12 });

test('however long a run waits, most of the axis shows its work, in order and without overlap', async () => {
  await fc.assert(
    fc.property(moments, (times) => {
      const sorted = [...new Set(times)].sort((a, b) => a - b);
      const spans = sorted.flatMap((from, i) => {
        const to = sorted[i + 1];
        return i % 2 === 0 && to !== undefined ? [span(from, to)] : [];
      });
      const end = (sorted.at(-1) ?? 0) + 5;
      const axis = foldedAxis(spans, 0, end);
      const positions = sorted.map((at) => positionOn(axis, at));
      expect(positions).toEqual([...positions].sort((a, b) => a - b));
      expect(Math.min(...positions)).toBeGreaterThanOrEqual(0);
      expect(positionOn(axis, end)).toBeCloseTo(1);
      const drawn = spans.reduce(
        (sum, { from, to = 0 }) => sum + positionOn(axis, to) - positionOn(axis, from),
        0,
      );
      const work = spans.reduce((sum, { from, to = 0 }) => sum + to - from, 0);
      // Each gap takes a quarter of the work or a second at most.
      if (work > 4000) expect(drawn).toBeGreaterThan(1 / (1 + (spans.length + 1) / 4) - 0.01);
    }),
  );
});

test('marks are round times since the beginning, apart from each other, and none within a folded gap', () => {
  const axis = foldedAxis([span(1000, 3000), span(3_603_000, 3_605_000)], 1000, 3_605_000);
  expect(axis.pieces.map(({ folded }) => folded)).toEqual([false, true, false]);
  expect(marksOn(axis).map(({ elapsed }) => elapsed)).toEqual([0, 1000, 2000, 3_603_000]);
  expect(marksOn(axis).map(({ text }) => text)).toEqual(['0', '1 s', '2 s', '60 min 3 s']);
  expect(marksOn(foldedAxis([], 0, 0))).toEqual([]);
});

test.each([
  [28, ['0', '5 ms', '10 ms', '15 ms', '20 ms']],
  [1200, ['0', '200 ms', '400 ms', '600 ms', '800 ms', '1.0 s']],
  [5500, ['0', '1 s', '2 s', '3 s', '4 s']],
  [80_000, ['0', '15 s', '30 s', '45 s', '1 min 0 s']],
])('the marks of %d ms have the decimals that tell them apart', (to, texts) => {
  expect(marksOn(foldedAxis([span(0, to)], 0, to)).map(({ text }) => text)).toEqual(texts);
});

test('a step reads the items of the steps that its params name, a filter those of the step before', () => {
  const steps = [5, 7, undefined].map((items_out, index) => ({
    ...step,
    index,
    ...(items_out !== undefined && { items_out }),
  }));
  const into = (params: object, index = 2) => itemsInto(steps, { index, kind: 'filter' }, params);
  expect([into({}), into({}, 1), into({ steps_to_filter: [0, 1] })]).toEqual([7, 5, 12]);
  expect(into({ steps_to_filter: [0, 2] })).toBeUndefined();
  expect(itemsInto(steps, { index: 2, kind: 'fetch' }, {})).toBeUndefined();
});

test('a step describes its bar in words', () => {
  const retry = { at: 1, attempt: 1, max_attempts: 3, delay_ms: 1, error: {} } as NonNullable<
    StepState['retries']
  >[number];
  expect(stepFacts({ ...step, started_at: 1000, retries: [retry] }, 2600)).toEqual([
    'filter',
    '1.6 s',
    '1 retry',
  ]);
  expect(stepFacts({ ...step, started_at: 1000, retries: [retry, retry], attempt: 2 }, 2000)).toEqual([
    'filter',
    '1.0 s',
    '2 retries',
    'attempt 2',
  ]);
  const progress = { items_done: 3, items_total: 24 };
  expect(stepFacts({ ...step, kind: 'inject_context', progress }, 0)).toEqual([
    'inject context',
    '3 of 24 items',
  ]);
  expect(stepFacts({ ...step, status: 'skipped', items_out: 1 }, 0)).toEqual(['filter', 'reused', '1 item']);
});

describe('the wait for a worker or a person (rules.md: console 22)', () => {
  const job = (created_at: number, completed_at?: number): ListedJob => ({
    ...{
      job_id: `${created_at}`,
      run_id: 'r',
      step_index: 0,
      attempt: 1,
      source: 'approval',
      kind: 'person',
    },
    ...{ status: completed_at === undefined ? 'open' : 'completed', created_at, deadline_at: 10_000_000 },
    ...(completed_at !== undefined && { completed_at }),
  });

  test('is drawn within the attempt that asked, oldest first', () => {
    const spans = new Map([[0, [span(0, 100), span(200, 900)]]]);
    const drawn = withJobs(spans, [job(500, 950), job(210, 400), job(10, 60)]).get(0);
    expect(drawn?.map(({ waits }) => waits)).toEqual([
      [{ from: 10, to: 60, source: 'approval' }],
      [
        { from: 210, to: 400, source: 'approval' },
        { from: 500, to: 900, source: 'approval' },
      ],
    ]);
    expect(waitFacts(drawn ?? [], 1000)).toEqual(['waited 640 ms for approval']);
  });

  test('has no end while the job is open, and takes the room of idle time', () => {
    const open: Span = { attempt: 1, from: 0, outcome: 'running', retries: [], waits: [] };
    const drawn = withJobs(new Map([[0, [open]]]), [job(100)]).get(0) ?? [];
    expect(drawn).toMatchObject([{ waits: [{ from: 100, source: 'approval' }] }]);
    expect(waitFacts(drawn, 7_200_100)).toEqual(['waiting for approval 2 h']);
    const { pieces } = foldedAxis(drawn, 0, 7_200_100);
    expect(pieces.map(({ folded }) => folded)).toEqual([false, true]);
  });

  test('of an earlier attempt of a worker, what became of it is said', () => {
    const attempts = [
      { ...job(30), attempt: 3, status: 'failed', message: 'for good' },
      { ...job(20, 25), attempt: 2, status: 'replaced' },
      { ...job(10, 15), attempt: 1, status: 'failed', message: 'No such city' },
    ] satisfies ListedJob[];
    expect(attemptNotes(attempts, 0)).toEqual([
      'Attempt 1 failed: No such city',
      'Attempt 2 was replaced: no heartbeat came.',
    ]);
    expect(attemptNotes(attempts, 1)).toEqual([]);
  });

  test('is left out where its step has no attempt to be seen', () => {
    expect(withJobs(new Map(), [job(1)])).toEqual(new Map());
    expect(waitFacts([span(0, 5)], 9)).toEqual([]);
  });
});
