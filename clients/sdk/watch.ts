// Watches a run: each event once, in order, over any working transport, until the log and the run have ended.
import { pause } from './abort.ts';
import { ApiError, ConnectionError } from './errors.ts';
import { StreamConnection, StreamSilent } from './event-stream.ts';
import { type CallOptions, retryDelayMs, type Send, urlOf } from './http.ts';
import { type RunState, reduce, withEnvelope, withPlan } from './reduce.ts';
import type { EventPage, EventToken, Run, RunEvent } from './types.ts';

export interface WatchOptions {
  /** Ends the watch; its reason is thrown. */
  signal?: AbortSignal | undefined;
  /** Id of the last seen event: the watch starts after it. */
  after?: string | undefined;
  /** `auto` (default): streams, with the long poll as fallback. */
  transport?: 'auto' | 'stream' | 'poll';
  /** Reports how events arrive; `why` is what ended the previous connection. */
  onConnection?: (state: ConnectionState, why?: Error) => void;
}

export type ConnectionState = 'open' | 'reconnecting' | 'polling' | 'closed';

/** What a watch needs of its client. */
export interface WatchSource {
  send: Send;
  fetch: typeof fetch;
  baseUrl: string;
  maxRetries: number;
  get(id: string, options: CallOptions): Promise<Run>;
}

/** Consecutive streams without data before polling starts. */
const FRUITLESS_STREAMS = 2;
const POLL_FOR_MS = 5 * 60_000;
/** A stream whose reader has left runs on until its end, so a watch asks for short ones. */
const STREAM_MS = 60_000;
const PAGE_LIMIT = 1000;
/** The service delays an empty page by 25 s. */
const PAGE_TIMEOUT_MS = 40_000;
const TOKEN_SPARE_MS = 10_000;

const FINAL: readonly string[] = ['run.succeeded', 'run.failed', 'run.canceled'];
const TERMINAL: readonly string[] = ['succeeded', 'failed', 'canceled'];

/** One reader of a run's log. Iterate it for events, iterate `states()` for the run's state, or just await `done()`. */
export class Watch implements AsyncIterable<RunEvent> {
  readonly #source: WatchSource;
  readonly #id: string;
  readonly #options: WatchOptions;

  #lastEventId: string | undefined;
  #lastSequence: number | undefined;
  /** Where a poll without a sequence starts. */
  #skipTo: string | undefined;
  /** Whether the last known event ends the log, unless a resume follows. */
  #atEnd = false;
  #cursor: string | undefined;
  #token: EventToken | undefined;
  #pollUntil: number;
  #fruitless = 0;

  /** Settles when the current reader stops. */
  #reading: Promise<void> | undefined;
  #final: Run | undefined;

  constructor(source: WatchSource, id: string, options: WatchOptions = {}) {
    this.#source = source;
    this.#id = id;
    this.#options = options;
    this.#lastEventId = options.after;
    this.#skipTo = options.after;
    this.#pollUntil = options.transport === 'poll' ? Number.POSITIVE_INFINITY : 0;
  }

  /** Id of the last returned event. Store it and pass it as `after` to continue in another process. */
  get lastEventId(): string | undefined {
    return this.#lastEventId;
  }

  /**
   * The events after the last returned one. One loop at a time; after a `break` the next one continues. Throws
   * ApiError, ConnectionError, the signal's reason.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<RunEvent, void, undefined> {
    if (this.#final) return;
    if (this.#reading) throw new Error('This watch has a reader already.');
    let stopped = () => {};
    this.#reading = new Promise((resolve) => {
      stopped = resolve;
    });
    try {
      this.#final = yield* this.#events();
    } finally {
      this.#reading = undefined;
      stopped();
      this.#report('closed');
    }
  }

  /** The run after each event, and finally its last envelope. A watch that starts mid-run starts with its state. */
  async *states(): AsyncGenerator<RunState, void, undefined> {
    let state: RunState = await this.#envelope();
    if (this.#lastEventId !== undefined) yield state;
    for await (const event of this) {
      const { step_index = -1 } = event.data as { step_index?: number | null };
      const unknown =
        step_index !== null && step_index >= 0 && !state.steps.some(({ index }) => index === step_index);
      if (unknown) state = withPlan(state, await this.#envelope());
      state = reduce(state, event);
      yield state;
    }
    if (this.#final) yield withEnvelope(state, this.#final);
  }

  /** The final envelope, once the log and the run have ended; reads the rest of the log itself unless a loop does. */
  async done(): Promise<Run> {
    // A loop started in the same tick becomes the reader.
    await undefined;
    while (!this.#final) {
      if (this.#reading) await this.#reading;
      else for await (const _ of this);
    }
    return this.#final;
  }

  /** Yields the events to the end of the log; returns the final envelope. */
  async *#events(): AsyncGenerator<RunEvent, Run, undefined> {
    let ended: Run | undefined;
    for (;;) {
      this.#options.signal?.throwIfAborted();
      const before = this.#lastSequence;
      const nothingFollows = yield* this.#polls() ? this.#page() : this.#stream();
      // The envelope is final only if no event has arrived since it was read.
      if (this.#lastSequence !== before) ended = undefined;
      if (nothingFollows && ended) return ended;
      if (!nothingFollows && !this.#atEnd) continue;
      const run = await this.#envelope();
      ended = TERMINAL.includes(run.status) ? run : undefined;
      if (!ended) await pause(retryDelayMs(1), this.#options.signal);
    }
  }

  #envelope(): Promise<Run> {
    return this.#source.get(this.#id, { signal: this.#options.signal });
  }

  #polls(): boolean {
    return Date.now() < this.#pollUntil;
  }

  /** Yields the new events of one connection; returns whether the log had ended before it. */
  async *#stream(): AsyncGenerator<RunEvent, boolean, undefined> {
    const { signal } = this.#options;
    const connection = new StreamConnection({
      url: await this.#streamUrl(),
      fetch: this.#source.fetch,
      signal,
      onOpen: () => this.#report('open'),
    });
    let why: unknown = new ConnectionError('The stream was interrupted.', 1);
    let events = 0;
    try {
      for await (const event of connection.events()) {
        events += 1;
        this.#skipTo = undefined;
        if (event.event_type === 'connection.expired') {
          this.#fruitless = 0;
          return false;
        }
        if (this.#isNew(event)) yield event;
        if (this.#atEnd) break;
      }
      if (connection.over) return true;
    } catch (error) {
      signal?.throwIfAborted();
      why = error;
    }
    if (!this.#atEnd) await this.#reconnect(why, events > 0, connection.brought);
    return false;
  }

  /** The stream's address after the last event, with a token that stays valid for a while. */
  async #streamUrl(): Promise<string> {
    const { send, baseUrl } = this.#source;
    const path = `/runs/${encodeURIComponent(this.#id)}/events`;
    if (!this.#token || this.#token.expires_at < Date.now() + TOKEN_SPARE_MS) {
      const call = { method: 'POST', path: `${path}/token` } as const;
      this.#token = (await send<EventToken>(call, { signal: this.#options.signal })).body;
    }
    const { event_token, stream_url = urlOf(baseUrl, `${path}/stream`) } = this.#token;
    return urlOf(stream_url, '', { event_token, last_event_id: this.#lastEventId, max_ms: STREAM_MS });
  }

  /** Decides how to continue after a connection, and waits if it was fruitless. Throws what no retry can fix. */
  async #reconnect(why: unknown, broughtEvents: boolean, brought: boolean): Promise<void> {
    const silent = why instanceof StreamSilent;
    const refusal = why instanceof ApiError ? why : undefined;
    if (refusal && refusal.status < 500 && refusal.status !== 401 && refusal.status !== 429) throw refusal;
    if (refusal?.status === 401) this.#token = undefined;
    this.#fruitless = brought && !silent ? 0 : this.#fruitless + 1;
    const noStream = why instanceof ConnectionError && !brought && !silent;
    if (this.#options.transport !== 'stream' && (noStream || this.#fruitless >= FRUITLESS_STREAMS)) {
      this.#pollUntil = Date.now() + POLL_FOR_MS;
      this.#fruitless = 0;
      return this.#report('polling', why);
    }
    if (this.#fruitless > this.#source.maxRetries) throw why;
    this.#report('reconnecting', why);
    if (!silent && !broughtEvents)
      await pause(retryDelayMs(Math.max(1, this.#fruitless), refusal?.retryAfterMs), this.#options.signal);
  }

  /** Yields the new events of one long poll; returns whether the log had ended before it. */
  async *#page(): AsyncGenerator<RunEvent, boolean, undefined> {
    const path = `/runs/${encodeURIComponent(this.#id)}/events`;
    const query = { cursor: this.#cursor, limit: PAGE_LIMIT, 'keep-open': 1 };
    const options = { signal: this.#options.signal, timeoutMs: PAGE_TIMEOUT_MS };
    const { body } = await this.#source.send<EventPage>({ method: 'GET', path, query }, options);
    for (const event of body.data) if (this.#isNew(event)) yield event;
    this.#cursor = body.next_cursor;
    if (body.data.length > 0) return false;
    if (this.#skipTo !== undefined && this.#lastSequence !== undefined)
      throw new RangeError(`The log of the run has no event ${this.#skipTo}.`);
    // A log without events is past its retention.
    return this.#atEnd || this.#lastSequence === undefined;
  }

  /** Records an event; returns whether it is new. */
  #isNew(event: RunEvent): boolean {
    if (event.sequence <= (this.#lastSequence ?? Number.NEGATIVE_INFINITY)) return false;
    this.#lastSequence = event.sequence;
    this.#atEnd = FINAL.includes(event.event_type);
    if (this.#skipTo !== undefined) {
      if (event.event_id === this.#skipTo) this.#skipTo = undefined;
      return false;
    }
    this.#lastEventId = event.event_id;
    return true;
  }

  #report(state: ConnectionState, why?: unknown): void {
    this.#options.onConnection?.(state, why instanceof Error ? why : undefined);
  }
}
