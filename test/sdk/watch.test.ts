// watch: each event once, in order, whatever the connection does, to the end of the log and not a request further.
import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isApiError, type RunEvent, RunService, type WatchOptions } from '../../clients/sdk/index.ts';
import {
  BASE_URL,
  created,
  endedRun,
  envelope,
  type FakeService,
  failed,
  frame,
  logOf,
  refused,
  resumed,
  silence,
  started,
  streamReply,
  succeeded,
} from './fake-service.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

const short = logOf(created, started, succeeded);
const ids = (events: RunEvent[]) => events.map(({ id }) => id);

function watchOf(service: FakeService, options: WatchOptions = {}) {
  const { runs } = new RunService({ apiKey: 'k', baseUrl: BASE_URL, fetch: service.fetch });
  return runs.watch(service.run.id, options);
}

/** Everything that a watch yields, with a clock that runs as fast as it is polled. */
async function all(events: AsyncIterable<RunEvent>): Promise<RunEvent[]> {
  const seen: RunEvent[] = [];
  let over = false;
  const read = (async () => {
    for await (const event of events) seen.push(event);
  })().finally(() => {
    over = true;
  });
  read.catch(() => undefined);
  while (!over) await vi.advanceTimersByTimeAsync(500);
  await read;
  return seen;
}

test('the events of a log come once, in order, and nothing is asked after the end', async () => {
  const service = endedRun(short);
  const watch = watchOf(service);
  expect(await all(watch)).toEqual(short);
  const asked = service.requests.length;
  expect(await watch.done()).toEqual(service.run);
  expect(await all(watch)).toEqual([]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(service.requests).toHaveLength(asked);
});

test('a stream that is cut at any byte continues from there', async () => {
  const long = logOf(created, started, ...Array.from({ length: 8 }, () => started), succeeded);
  const cuts = fc.array(fc.nat({ max: 900 }), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(cuts, fc.boolean(), async (lengths, breaks) => {
      const service = endedRun(long);
      service.stream = (after, signal) => {
        const length = lengths.shift();
        if (length === undefined) return service.honestStream(after, signal);
        const bytes = new TextEncoder().encode(`:\n\n${service.later(after).map(frame).join('')}`);
        return streamReply([bytes.slice(0, length)], breaks ? 'breaks' : 'ends', signal);
      };
      expect(ids(await all(watchOf(service)))).toEqual(ids(long));
    }),
    { numRuns: 40 },
  );
});

test('after connection.expired it continues with a new token', async () => {
  const service = endedRun(short);
  service.tokenLifeMs = 9_000;
  const expired = { id: 'exp_1', event_type: 'connection.expired', data: {} };
  service.stream = (after, signal) =>
    after === undefined
      ? streamReply([frame(short[0] as RunEvent), frame(expired)], 'stays', signal)
      : service.honestStream(after, signal);
  const states: string[] = [];
  const onConnection = (state: string) => void states.push(state);
  expect(ids(await all(watchOf(service, { onConnection })))).toEqual(ids(short));
  const [first, second] = service.to('/stream').map(({ query }) => query);
  // Short streams, because one that its reader has left runs on.
  expect(first).toEqual({ event_token: 'token1', max_ms: '60000' });
  expect(second).toEqual({ event_token: 'token2', last_event_id: 'evt_1', max_ms: '60000' });
  expect(states).toEqual(['open', 'open', 'closed']);
});

test('the key is never in an address', async () => {
  const service = endedRun(short);
  await all(watchOf(service));
  const stream = service.to('/stream')[0];
  expect(stream?.headers.get('authorization')).toBeNull();
  expect(JSON.stringify(service.requests.map(({ query }) => query))).not.toContain('"k"');
});

/** Reads concurrently with the test. */
function reading(events: AsyncIterable<RunEvent>) {
  const seen: string[] = [];
  const end = (async () => {
    for await (const { id } of events) seen.push(id);
  })();
  end.catch(() => undefined);
  return { seen, end };
}

/** A running run. */
function runningRun(log = short.slice(0, 2)): FakeService {
  const service = endedRun([...log]);
  service.run = envelope({ status: 'running' });
  return service;
}

/** The last event and the end. */
function ends(service: FakeService): void {
  service.log.push({ ...succeededEvent, sequence: service.log.length + 1 });
  service.run = envelope({ status: 'succeeded', completed_at: 1_050 });
}
const succeededEvent = short[2] as RunEvent;

test('blocked streams are replaced by the long poll within 45 s, and retried after 5 minutes', async () => {
  const service = runningRun();
  service.stream = (_, signal) => silence(signal);
  const states: string[] = [];
  const { seen, end } = reading(watchOf(service, { onConnection: (state) => states.push(state) }));
  await vi.advanceTimersByTimeAsync(45_000);
  expect(states).toEqual(['reconnecting', 'polling']);
  expect(seen).toEqual(ids(service.log));
  service.stream = (after, signal) => service.honestStream(after, signal);
  await vi.advanceTimersByTimeAsync(5 * 60_000 + 25_000);
  expect(states).toEqual(['reconnecting', 'polling', 'open']);
  ends(service);
  await vi.advanceTimersByTimeAsync(1_000);
  await end;
  expect(seen).toEqual(ids(short));
  expect(states.at(-1)).toBe('closed');
});

test('a stream with only comments is not silent', async () => {
  const service = runningRun();
  const { seen, end } = reading(watchOf(service));
  await vi.advanceTimersByTimeAsync(5 * 60_000);
  expect(service.to('/stream')).toHaveLength(1);
  ends(service);
  await vi.advanceTimersByTimeAsync(1_000);
  await end;
  expect(seen).toEqual(ids(short));
});

test('an answer that is not an event stream leads to the long poll at once', async () => {
  const service = endedRun(short);
  service.stream = () => new Response('<html>', { headers: { 'content-type': 'text/html' } });
  expect(await all(watchOf(service))).toEqual(short);
  expect(service.to('/stream')).toHaveLength(1);
});

test('a stream host that cannot be reached leads to the long poll', async () => {
  const service = endedRun(short);
  service.stream = () => Promise.reject(new TypeError('fetch failed'));
  expect(await all(watchOf(service))).toEqual(short);
  expect(service.to('/stream')).toHaveLength(2);
});

test('a stream cut again and again without an event is not asked for in a rush', async () => {
  const service = runningRun();
  service.stream = (_, signal) => streamReply([':\n\n'], 'ends', signal);
  const abort = new AbortController();
  const { end } = reading(watchOf(service, { signal: abort.signal }));
  await vi.advanceTimersByTimeAsync(20_000);
  expect(service.to('/stream').length).toBeLessThan(50);
  abort.abort();
  await vi.advanceTimersByTimeAsync(100);
  await expect(end).rejects.toThrow();
});

test('a failure that a resume followed is not the end', async () => {
  const log = logOf(created, started, failed, resumed, succeeded);
  const service = endedRun(log, { resume_count: 1 });
  expect(await all(watchOf(service))).toEqual(log);
  expect(await all(watchOf(service, { transport: 'poll' }))).toEqual(log);
});

test('a final event ends nothing while the envelope is not terminal', async () => {
  const service = runningRun(logOf(created, started, failed));
  const { seen, end } = reading(watchOf(service));
  await vi.advanceTimersByTimeAsync(40_000);
  expect(seen).toHaveLength(3);
  service.log = logOf(created, started, failed, resumed, succeeded);
  service.run = envelope({ status: 'succeeded', completed_at: 1_050 });
  await vi.advanceTimersByTimeAsync(40_000);
  await end;
  expect(seen).toEqual(ids(service.log));
});

test('a terminal envelope ends nothing while the log continues', async () => {
  const service = runningRun();
  service.run = envelope({ status: 'canceled' });
  for (const transport of ['stream', 'poll'] as const) {
    const abort = new AbortController();
    const { seen, end } = reading(watchOf(service, { transport, signal: abort.signal }));
    await vi.advanceTimersByTimeAsync(120_000);
    expect(seen).toHaveLength(2);
    abort.abort();
    await vi.advanceTimersByTimeAsync(100);
    await expect(end).rejects.toThrow();
  }
});

test.each(['stream', 'poll'] as const)('begins after the event that is named (%s)', async (transport) => {
  const service = endedRun(short);
  expect(ids(await all(watchOf(service, { after: 'evt_1', transport })))).toEqual(['evt_2', 'evt_3']);
  expect(await all(watchOf(service, { after: 'evt_3', transport }))).toEqual([]);
});

test('an event that the log does not have is refused by the long poll too', async () => {
  const watch = watchOf(endedRun(short), { after: 'other', transport: 'poll' });
  await expect(all(watch)).rejects.toThrow(RangeError);
});

test('a log past its retention is at its end', async () => {
  expect(await all(watchOf(endedRun([]), { transport: 'poll' }))).toEqual([]);
});

test('done gives the final envelope with and without a loop', async () => {
  const service = endedRun(short);
  const alone = watchOf(service).done();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await alone).toEqual(service.run);
  const watch = watchOf(service);
  const done = watch.done();
  const { seen } = reading(watch);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await done).toEqual(service.run);
  expect(seen).toEqual(ids(short));
});

test('a break closes the connection; another loop continues', async () => {
  const service = endedRun(short);
  let signal: AbortSignal | null | undefined;
  service.stream = (after, given) => {
    signal = given;
    return service.honestStream(after, given);
  };
  const watch = watchOf(service);
  for await (const event of watch) if (event.event_type === 'run.created') break;
  expect(signal?.aborted).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
  expect(watch.lastEventId).toBe('evt_1');
  expect(ids(await all(watch))).toEqual(['evt_2', 'evt_3']);
});

test('two loops at once over one watch are refused', async () => {
  const watch = watchOf(runningRun());
  const first = watch[Symbol.asyncIterator]();
  await first.next();
  await expect(watch[Symbol.asyncIterator]().next()).rejects.toThrow('already');
  await first.return(undefined);
});

test('a signal ends a watch with its reason, whatever it waits for', async () => {
  for (const transport of ['stream', 'poll'] as const) {
    const abort = new AbortController();
    const { end } = reading(watchOf(runningRun(), { signal: abort.signal, transport }));
    await vi.advanceTimersByTimeAsync(1_000);
    abort.abort(new Error('enough'));
    await vi.advanceTimersByTimeAsync(100);
    await expect(end).rejects.toThrow('enough');
  }
});

test('an error that no retry can fix is thrown at once', async () => {
  const service = endedRun(short);
  service.stream = () => refused(422, 'schema_validation_failed');
  const error = await all(watchOf(service)).catch((thrown) => thrown);
  expect(isApiError(error, 'schema_validation_failed')).toBe(true);
});

test('a refused token is replaced by a new one', async () => {
  const service = endedRun(short);
  service.stream = (after, signal) =>
    service.tokens === 1 ? refused(401, 'auth_invalid') : service.honestStream(after, signal);
  expect(ids(await all(watchOf(service)))).toEqual(ids(short));
  expect(service.tokens).toBe(2);
});

test('streams alone are given up after as many tries as other calls', async () => {
  const service = runningRun();
  service.stream = () => refused(503, 'service_unavailable');
  const error = await all(watchOf(service, { transport: 'stream' })).catch((thrown) => thrown);
  expect(isApiError(error, 'service_unavailable')).toBe(true);
  expect(service.to('/stream')).toHaveLength(5);
  service.stream = () => Promise.reject(new TypeError('refused'));
  await expect(all(watchOf(service, { transport: 'stream' }))).rejects.toThrow('refused');
});

test('no time runs while the loop is at work on an event', async () => {
  const service = endedRun(short);
  const watch = watchOf(service);
  const seen: string[] = [];
  const end = (async () => {
    for await (const { id } of watch) {
      seen.push(id);
      await new Promise((resolve) => setTimeout(resolve, 30_000));
    }
  })();
  await vi.advanceTimersByTimeAsync(120_000);
  await end;
  expect(seen).toEqual(ids(short));
  expect(service.to('/stream').length).toBeLessThanOrEqual(2);
});
