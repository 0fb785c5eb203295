// One connection to the event stream: opened, read to its end, given up when it brings nothing.
import { createParser } from 'eventsource-parser';
import { type Linked, linked } from './abort.ts';
import { ConnectionError } from './errors.ts';
import { errorOf } from './http.ts';
import type { StreamEvent } from './types.ts';

/** How long a stream may bring nothing; the service sends a comment every 15 s. */
const SILENCE_MS = 20_000;

/** The stream brought nothing for 20 s, not even a comment: something between holds it back. */
export class StreamSilent extends ConnectionError {
  constructor() {
    super(`The stream brought nothing for ${SILENCE_MS} ms.`, 1);
    this.name = 'StreamSilent';
  }
}

export interface StreamRequest {
  url: string;
  fetch: typeof fetch;
  signal: AbortSignal | undefined;
  /** Called when the stream begins. */
  onOpen(): void;
}

/** A connection, what it has shown of itself, and its events. */
export class StreamConnection {
  /** The service said that nothing follows (204). */
  over = false;
  /** Something came, if only a comment. */
  brought = false;
  readonly #request: StreamRequest;
  readonly #link: Linked;

  constructor(request: StreamRequest) {
    this.#request = request;
    this.#link = linked(request.signal);
  }

  /** The events until the connection ends. Throws StreamSilent, ApiError, ConnectionError for what is no event stream, and what `fetch` throws. */
  async *events(): AsyncGenerator<StreamEvent, void, undefined> {
    try {
      const body = await this.#open();
      if (body) yield* this.#read(body);
    } finally {
      // Lets go of the connection when the reader stops in the middle.
      this.#link.abort(undefined);
      this.#link.release();
    }
  }

  async #open(): Promise<ReadableStream<Uint8Array> | undefined> {
    const { url, fetch, onOpen } = this.#request;
    const headers = { Accept: 'text/event-stream' };
    const response = await this.#heard(fetch(url, { headers, signal: this.#link.signal }));
    this.over = response.status === 204;
    if (this.over) return undefined;
    const type = response.headers.get('content-type') ?? '';
    if (!response.ok || !response.body || !type.startsWith('text/event-stream'))
      throw await this.#heard(errorOf(response, 1));
    onOpen();
    return response.body;
  }

  async *#read(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent, void, undefined> {
    const pieces = body.getReader();
    const events: StreamEvent[] = [];
    const parser = createParser({ onEvent: ({ data }) => events.push(JSON.parse(data)) });
    const decoder = new TextDecoder();
    for (;;) {
      const { done, value } = await this.#heard(pieces.read());
      if (done) return;
      this.brought = true;
      parser.feed(decoder.decode(value, { stream: true }));
      yield* events.splice(0);
    }
  }

  /** Waits for the other side, but not in silence; no time runs while the reader of the events is at work. */
  async #heard<T>(answer: Promise<T>): Promise<T> {
    const { signal, abort } = this.#link;
    const timer = setTimeout(() => abort(new StreamSilent()), SILENCE_MS);
    try {
      return await answer;
    } catch (error) {
      throw signal.aborted ? signal.reason : error;
    } finally {
      clearTimeout(timer);
    }
  }
}
