// rules.md: stream. The stream of a process without notifications of growth, in virtual time.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { encodeCursor } from '#domain/events/cursor.ts';
import { openStream } from '#domain/events/event-stream.ts';
import { eventId } from '#store/runs/events.ts';
import type { RunRecord } from '#store/runs/run-record.ts';
import { commit } from '#store/runs/runs.ts';
import { canceled, emits, ends, failed, newRun, paused, progress, succeeded } from './logged-runs.ts';
import { reads, resetTable } from './watched-table.ts';

// These readers get no notifications of growth.

const SECOND = 1000;
const MINUTE = 60 * SECOND;

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  resetTable();
});
// A stream does not learn that its reader has left: it is cut, and then the watch sleeps.
afterEach(async () => {
  if (vi.isFakeTimers()) await vi.advanceTimersByTimeAsync(11 * MINUTE);
});

interface Reader {
  frames: { text: string; at: number }[];
  types(): string[];
  closed: boolean;
}

/** Opens the stream and takes every frame at once, or after `slowMs` each. */
async function follows(run: RunRecord, lastEventId?: string, slowMs = 0): Promise<Reader> {
  const stream = await openStream(run.workspace_id, run.id, lastEventId);
  if (!stream) throw new Error('the stream has ended already');
  const reader: Reader = {
    frames: [],
    closed: false,
    types: () => reader.frames.map(({ text }) => /^event: (.*)$/m.exec(text)?.[1] ?? 'comment'),
  };
  void (async () => {
    for await (const text of stream) {
      reader.frames.push({ text, at: Date.now() });
      if (slowMs > 0) await new Promise((resolve) => setTimeout(resolve, slowMs));
    }
    reader.closed = true;
  })();
  await vi.advanceTimersByTimeAsync(0);
  return reader;
}

const dataOf = (text: string) => JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? 'null');

test('every message has id, event and data, in this order, and data is the whole event on one line', async () => {
  const run = await newRun([progress(1)]);
  const reader = await follows(run);
  const [, first] = reader.frames;
  expect(first?.text).toMatch(/^id: [^\n]+\nevent: step\.progress\ndata: \{[^\n]+\}\n\n$/);
  expect(dataOf(first?.text ?? '')).toMatchObject({ id: eventId(run.id, 1), sequence: 1, run_id: run.id });
});

test('an event is on its way within 150 ms after a second of silence', async () => {
  const run = await newRun();
  const reader = await follows(run);
  await vi.advanceTimersByTimeAsync(SECOND);
  await emits(run, progress(1));
  await vi.advanceTimersByTimeAsync(150);
  expect(reader.types()).toEqual(['comment', 'run.paused', 'step.progress']);
});

test('the comment comes 15 s after the last frame, whatever that was', async () => {
  let run = await newRun();
  const reader = await follows(run);
  await vi.advanceTimersByTimeAsync(10 * SECOND);
  run = await emits(run, progress(1));
  await vi.advanceTimersByTimeAsync(36 * SECOND);
  expect(reader.types()).toEqual(['comment', 'run.paused', 'step.progress', 'comment', 'comment']);
  const [, , event = 0, first = 0, second = 0] = reader.frames.map(({ at }) => at);
  for (const gap of [first - event, second - first]) {
    expect(gap).toBeGreaterThanOrEqual(15 * SECOND);
    expect(gap).toBeLessThanOrEqual(15.2 * SECOND);
  }
});

test('a silent connection is cut at 10 minutes with connection.expired, whose id resumes after the last event', async () => {
  const run = await newRun([progress(1), progress(2)]);
  const reader = await follows(run);
  await vi.advanceTimersByTimeAsync(10 * MINUTE + SECOND);
  expect(reader.closed).toBe(true);
  const last = reader.frames.at(-1);
  expect((last?.at ?? 0) - 1_000_000).toBeLessThan(10 * MINUTE + 200);
  const event = dataOf(last?.text ?? '');
  expect(event).toMatchObject({
    event_type: 'connection.expired',
    data: { reason: 'max_duration', last_event_id: eventId(run.id, 2), max_duration_ms: 600_000 },
  });
  await ends(run, succeeded);
  const second = await follows(run, event.id);
  await vi.advanceTimersByTimeAsync(SECOND);
  expect(second.types()).toEqual(['comment', 'run.succeeded']);
  expect(second.closed).toBe(true);
});

test('a connection is cut at 10 minutes though events keep flowing, and nothing is lost between it and the next', async () => {
  let run = await newRun();
  const reader = await follows(run);
  for (let i = 0; i < 140 && !reader.closed; i += 1) {
    run = await emits(run, progress(i % 100));
    await vi.advanceTimersByTimeAsync(5 * SECOND);
  }
  expect(reader.closed).toBe(true);
  expect((reader.frames.at(-1)?.at ?? 0) - 1_000_000).toBeLessThan(10 * MINUTE + 300);
  const expired = dataOf(reader.frames.at(-1)?.text ?? '');
  await ends(run, succeeded);
  const second = await follows(run, expired.id);
  await vi.advanceTimersByTimeAsync(SECOND);
  const all = [...reader.frames, ...second.frames].filter(({ text }) => /^event: (?!connection)/m.test(text));
  expect(all.map(({ text }) => dataOf(text).sequence)).toEqual(all.map((_, i) => i + 1));
  expect(all.length).toBe(run.last_sequence + 1);
});

test('a stream of which a reader wants a minute is cut after a minute (rules.md: stream 9)', async () => {
  const run = await newRun([progress(1)]);
  const stream = await openStream(run.workspace_id, run.id, undefined, MINUTE);
  const texts: string[] = [];
  const end = (async () => {
    for await (const text of stream ?? []) texts.push(text);
    return Date.now();
  })();
  await vi.advanceTimersByTimeAsync(MINUTE + SECOND);
  expect((await end) - 1_000_000).toBeLessThan(MINUTE + 200);
  expect(dataOf(texts.at(-1) ?? '').data).toEqual({
    reason: 'max_duration',
    last_event_id: eventId(run.id, 1),
    max_duration_ms: MINUTE,
  });
});

test('a slow reader is cut in mid-page, and resumes at the event it really got', async () => {
  const run = await newRun(Array.from({ length: 40 }, (_, i) => progress(i)));
  const reader = await follows(run, undefined, 30 * SECOND);
  await vi.advanceTimersByTimeAsync(11 * MINUTE);
  expect(reader.closed).toBe(true);
  const sequences = reader.frames.slice(1).map(({ text }) => dataOf(text).sequence);
  expect(sequences).toEqual([...sequences.keys()].map((i) => i + 1).with(-1, sequences.length - 1));
  expect(reader.types().at(-1)).toBe('connection.expired');
});

test('the stream of a resumed run continues past the run.failed in mid-log', async () => {
  let run = await newRun();
  const reader = await follows(run);
  run = await ends(run, failed);
  run = await commit(run, { change: { log_finished: false } });
  await vi.advanceTimersByTimeAsync(5 * SECOND);
  expect(reader.closed).toBe(false);
  await ends(run, succeeded);
  await vi.advanceTimersByTimeAsync(SECOND);
  expect(reader.types()).toEqual(['comment', 'run.paused', 'run.failed', 'run.succeeded']);
  await expect.poll(() => reader.closed).toBe(true);
  const late = await follows(run, eventId(run.id, 2));
  await vi.advanceTimersByTimeAsync(SECOND);
  expect(late.types()).toEqual(['comment', 'run.succeeded']);
});

test('after a cancel the stream waits for run.canceled', async () => {
  const run = await commit(await newRun(), { change: { status: 'canceled', completed_at: 1 } });
  const reader = await follows(run);
  await vi.advanceTimersByTimeAsync(MINUTE);
  expect(reader.closed).toBe(false);
  await ends(run, canceled);
  await vi.advanceTimersByTimeAsync(2 * SECOND);
  expect(reader.types().at(-1)).toBe('run.canceled');
  await expect.poll(() => reader.closed).toBe(true);
});

test('there is no stream after the final event, nor of a log that is wholly past its retention', async () => {
  const run = await ends(await newRun(), succeeded);
  const open = (id?: string) => openStream(run.workspace_id, run.id, id);
  expect(await open(eventId(run.id, 2))).toBeNull();
  expect(await open(`exp_${await encodeCursor(run.id, 2)}`)).toBeNull();
  expect(await open(eventId(run.id, 1))).not.toBeNull();
  vi.setSystemTime(Date.now() + 31 * 24 * 60 * MINUTE);
  expect(await open()).toBeNull();
});

test('an id that the run never emitted is refused', async () => {
  const run = await newRun([paused, progress(1)]);
  const other = await newRun([paused, progress(1)]);
  const good = eventId(run.id, 2);
  const never = [
    '',
    'x',
    eventId(run.id, 0),
    eventId(run.id, 3),
    eventId(other.id, 1),
    good.toUpperCase(),
    `${good} `,
    `${good}0`,
    good.slice(0, -1),
    `exp_${good.slice(4)}`,
    `exp_${await encodeCursor(other.id, 1)}`,
    `exp_${await encodeCursor(run.id, 3)}`,
  ];
  for (const id of never)
    await expect(openStream(run.workspace_id, run.id, id), id).rejects.toMatchObject({
      code: 'schema_validation_failed',
      param: 'last_event_id',
    });
});

/** The most reads in any one second. */
function busiestSecond(): number {
  return Math.max(
    ...reads.map(({ at: start }) => reads.filter(({ at }) => at >= start && at < start + SECOND).length),
  );
}

test('a stream of a quiet run reads once a second, heartbeats or not', async () => {
  const run = await newRun();
  await follows(run);
  reads.length = 0;
  await vi.advanceTimersByTimeAsync(5 * MINUTE);
  expect(busiestSecond()).toBeLessThanOrEqual(20);
  expect(reads.length).toBeLessThan(450);
});

test('a stream of a busy run reads at most 20 times a second', async () => {
  let run = await newRun();
  const reader = await follows(run);
  reads.length = 0;
  for (let i = 0; i < 100; i += 1) {
    run = await emits(run, progress(i));
    await vi.advanceTimersByTimeAsync(30);
  }
  expect(reader.frames.length).toBeGreaterThan(90);
  expect(busiestSecond()).toBeLessThanOrEqual(20);
});

test('streams of one run that wake together share their reads', async () => {
  const run = await newRun();
  const readers = await Promise.all(Array.from({ length: 20 }, () => follows(run)));
  await vi.advanceTimersByTimeAsync(SECOND);
  reads.length = 0;
  await emits(run, progress(1));
  await vi.advanceTimersByTimeAsync(150);
  for (const reader of readers) expect(reader.types().at(-1)).toBe('step.progress');
  expect(reads.filter(({ command }) => command === 'QueryCommand')).toHaveLength(1);
});
