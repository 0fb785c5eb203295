// What a test waits for and asserts.
import { expect } from 'vitest';
import type { Caller } from './given.ts';
import { until } from './service.ts';
import { readsLog, readsRun } from './when.ts';

const final = ['run.succeeded', 'run.failed', 'run.canceled'];

/** The run once it has ended and its log is complete. */
export async function ended(home: Caller, id: string, withinMs?: number) {
  await until(
    `the end of run ${id}`,
    async () => {
      const run = await readsRun(home, id);
      if (!['succeeded', 'failed', 'canceled'].includes(run.status)) return undefined;
      const log = await readsLog(home, id);
      return final.includes(String(log.at(-1)?.event_type)) || undefined;
    },
    withinMs,
  );
  return readsRun(home, id);
}

/** The event types of the log, in order. */
export async function eventTypes(home: Caller, id: string): Promise<string[]> {
  return (await readsLog(home, id)).map((event) => String(event.event_type));
}

/** Waits until the log has an event of the type (that matches). */
export async function event(home: Caller, id: string, type: string, data: Record<string, unknown> = {}) {
  return until(`${type} of run ${id}`, async () => {
    const log = await readsLog(home, id);
    return log.find(
      (one) =>
        one.event_type === type &&
        Object.entries(data).every(([name, value]) => Reflect.get(Object(one.data), name) === value),
    );
  });
}

/** The log starts at 1, has no gaps or duplicates, its time never decreases, and it ends as the run did. */
export async function soundLog(home: Caller, id: string): Promise<void> {
  const log = await readsLog(home, id);
  expect(log.map((one) => one.sequence)).toEqual(log.map((_, i) => i + 1));
  const times = log.map((one) => Number(one.occurred_at));
  expect(times).toEqual([...times].sort((a, b) => a - b));
  const run = await readsRun(home, id);
  expect(log.at(-1)?.event_type).toBe(`run.${run.status}`);
}
