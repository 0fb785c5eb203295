// One connection to the event stream: opened, read to its end, abandoned when silent.
import { type Linked, linked } from './abort.ts';
import { ConnectionError } from './errors.ts';
import { EventParser } from './event-parser.ts';
import { errorOf } from './http.ts';
import type { StreamEvent } from './types.ts';

/** The service sends a comment every 15 s; longer silence means a broken stream. */
const SILENCE_MS = 20_000;

/** The stream sent nothing for 20 s, not even a comment: something in between buffers it. */
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
  /** Called when the stream starts. */
  onOpen(): void;
}

/** A connection and its events. */
export class StreamConnection {
  /** The service said that nothing follows (204). */
  over = false;
  /** Something arrived, if only a comment. */
  brought = false;
  readonly #request: StreamRequest;
  readonly #link: Linked;

  constructor(request: StreamRequest) {
    this.#request = request;
    this.#link = linked(request.signal);
  }

  /** The events of the connection. Throws StreamSilent, ApiError, ConnectionError, and whatever `fetch` throws. */
  async *events(): AsyncGenerator<StreamEvent, void, undefined> {
    try {
      const body = await this.#open();
      if (body) yield* this.#read(body);
    } finally {
      // Closes the connection when the reader stops early.
      this.#link.abort(undefined);
      this.#link.release();
    }
  }

  async #open(): Promise<ReadableStream<Uint8Array> | undefined> {
    const { url, fetch, onOpen } = this.#request;
    const headers = { Accept: 'text/event-stream' };
    const response = await this.#receive(
      fetch(url, { headers, redirect: 'manual', signal: this.#link.signal }),
    );
    this.over = response.status === 204;
    if (this.over) return undefined;
    const type = response.headers.get('content-type') ?? '';
    if (!response.ok || !response.body || !type.startsWith('text/event-stream'))
      throw await this.#receive(errorOf(response, 1));
    onOpen();
    return response.body;
  }

  async *#read(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent, void, undefined> {
    const pieces = body.getReader();
    const parser = new EventParser();
    for (;;) {
      const { done, value } = await this.#receive(pieces.read());
      if (done) return;
      this.brought = true;
      for (const data of parser.feed(value)) yield JSON.parse(data);
    }
  }

  /** Waits for data, but not through silence; the clock stops while the reader processes events. */
  async #receive<T>(answer: Promise<T>): Promise<T> {
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
