// What proofs do again and again: work in parallel, and read a log to its end.
import type { RunEvent } from '../../functions/contract/events.ts';
import type { Caller } from '../support/given.ts';
import { call } from '../support/service.ts';

/** Does `work` for 0 to `times` - 1, at most `workers` of them at once. */
export async function inParallel(
  workers: number,
  times: number,
  work: (index: number) => Promise<void>,
): Promise<void> {
  const indexes = Array.from({ length: times }, (_, i) => i).values();
  const worker = async () => {
    for (const index of indexes) await work(index);
  };
  await Promise.all(Array.from({ length: workers }, worker));
}

const FINAL = /^run\.(succeeded|failed|canceled)$/;

/** The whole log of a run, once it has ended. Throws when the service cannot say. */
export async function logToItsEnd(home: Caller, id: string): Promise<RunEvent[]> {
  const log: RunEvent[] = [];
  for (let cursor = ''; ; ) {
    const query = `keep-open=1${cursor && `&cursor=${cursor}`}`;
    const { status, body } = await call('GET', `/runs/${id}/events?${query}`, { ...home });
    if (status !== 200) throw new Error(`the log of ${id}: ${status} ${JSON.stringify(body)}`);
    log.push(...body.data);
    cursor = body.next_cursor;
    if (FINAL.test(log.at(-1)?.event_type ?? '')) return log;
  }
}

/** The events of a log that end a run. */
export function endsIn(log: readonly RunEvent[]): RunEvent[] {
  return log.filter(({ event_type }) => FINAL.test(event_type));
}
