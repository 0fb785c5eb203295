// What proofs do again and again: work in parallel, and read a log to its end.
import { setTimeout as wait } from 'node:timers/promises';
import type { RunEvent } from '../../functions/contract/events.ts';
import type { Caller } from '../support/given.ts';
import { call, type HttpReply } from '../support/service.ts';

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

/** How long a client retries before it gives up. */
const PATIENCE_MS = 3 * 60_000;
const PAUSE_MS = 500;

/**
 * How often each failure of the service was met; a machine that is too slow kills functions by their timeout, and their
 * requests get 500.
 */
export const failures: Record<string, number> = {};

/**
 * Asks again as a client does while the service fails, or no answer comes, and counts it; for what is harmless to
 * repeat. The last answer, whatever it is.
 */
export async function patiently(ask: () => Promise<HttpReply>): Promise<HttpReply> {
  for (const end = Date.now() + PATIENCE_MS; ; await wait(PAUSE_MS)) {
    const reply = await ask().catch((error: unknown) => {
      // `fetch` throws this for every failure of a connection; what an answer has wrong is another error.
      if (!(error instanceof TypeError) || Date.now() > end) throw error;
    });
    if (reply && reply.status < 500) return reply;
    const failure = String(reply?.body.error?.code ?? 'no answer');
    failures[failure] = (failures[failure] ?? 0) + 1;
    if (reply && Date.now() > end) return reply;
  }
}

const FINAL = /^run\.(succeeded|failed|canceled)$/;

type Logged = Pick<RunEvent, 'event_type'>;

/** Whether the log has its last event. */
export const isFinished = (log: readonly Logged[]) => endsIn(log.slice(-1)).length === 1;

/** The whole log of a run, once it has ended. Throws when the service does not know. */
export async function logToItsEnd(home: Caller, id: string): Promise<RunEvent[]> {
  const log: RunEvent[] = [];
  for (let cursor = ''; ; ) {
    const query = `keep-open=1${cursor && `&cursor=${cursor}`}`;
    const { status, body } = await patiently(() => call('GET', `/runs/${id}/events?${query}`, { ...home }));
    if (status !== 200) throw new Error(`the log of ${id}: ${status} ${JSON.stringify(body)}`);
    log.push(...body.data);
    cursor = body.next_cursor;
    if (isFinished(log)) return log;
  }
}

/** The events of a log that end a run. */
export function endsIn<Event extends Logged>(log: readonly Event[]): Event[] {
  return log.filter(({ event_type }) => FINAL.test(event_type));
}
