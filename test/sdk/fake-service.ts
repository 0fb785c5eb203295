// A service of one run for the SDK's tests: it answers what the SDK asks, as badly as a test wants, and keeps every
// request.
import type { Run, RunEvent } from '../../clients/sdk/index.ts';
import { createdEnvelope } from '../support/run-envelope.ts';

interface Seen {
  method: string;
  /** Below the base address. */
  path: string;
  query: Record<string, string>;
  headers: Headers;
  /** Epoch ms. */
  at: number;
}

export const BASE_URL = 'http://service.test/api/v1';
const RUN_ID = '11111111-1111-4111-8111-111111111111';

/** The envelope of a run that nothing has happened to. */
export function envelope(changes: Partial<Run> = {}): Run {
  return {
    ...createdEnvelope,
    id: RUN_ID,
    api_version: '2026-11-20',
    created_at: 1_000,
    workspace_id: '22222222-2222-4222-8222-222222222222',
    input: { input_type: 'query', query: 'companies' },
    request_id: 'r',
    ...changes,
  };
}

type Body = {
  [T in RunEvent['event_type']]: [T, Extract<RunEvent, { event_type: T }>['data']];
}[RunEvent['event_type']];

/** Events as a log numbers them. */
export function logOf(...bodies: Body[]): RunEvent[] {
  return bodies.map(([event_type, data], i) => {
    const id = `evt_${i + 1}`;
    const head = { id, event_id: id, sequence: i + 1, occurred_at: 1_000 + i * 10, run_id: RUN_ID };
    return { ...head, api_version: '2026-11-20', event_type, data } as RunEvent;
  });
}

export const created: Body = ['run.created', { status: 'pending', input_type: 'plan' }];
export const started: Body = ['run.started', { status: 'running', step_count: 1 }];
export const resumed: Body = [
  'run.started',
  { status: 'running', step_count: 1, resumed: true, reason: 'resume' },
];
export const succeeded: Body = [
  'run.succeeded',
  { status: 'succeeded', step_count: 1, artifact_count: 0, duration_ms: 50 },
];
export const failed: Body = [
  'run.failed',
  {
    status: 'failed',
    error: { code: 'model_unavailable', type: 'unavailable', message: 'No.', doc_url: 'http://d' },
    resumable: true,
    duration_ms: 40,
  },
];

const reply = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });

/** An error reply of the service. */
export function refused(
  status: number,
  code: string,
  headers: Record<string, string> = {},
  more = {},
): Response {
  const error = {
    code,
    type: 'conflict',
    message: code,
    doc_url: `http://d#${code}`,
    request_id: 'req',
    ...more,
  };
  return reply(status, { error }, headers);
}

export const frame = (event: { id: string; event_type: string }) =>
  `id: ${event.id}\nevent: ${event.event_type}\ndata: ${JSON.stringify(event)}\n\n`;

/** Waits for a fact, up to a limit. */
async function until(fact: () => boolean, atMostMs: number, signal: AbortSignal | null | undefined) {
  for (const end = Date.now() + atMostMs; !fact() && Date.now() < end; ) {
    signal?.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** What follows the given pieces of a stream: its end, a break, silence, or the result of a function. */
type Then = 'ends' | 'breaks' | 'stays' | (() => Promise<string | undefined>);

/** A stream of these pieces. */
export function streamReply(
  pieces: (string | Uint8Array)[],
  then: Then,
  signal?: AbortSignal | null,
): Response {
  const utf8 = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        signal?.addEventListener('abort', () => controller.error(signal.reason));
      },
      async pull(controller) {
        const piece = pieces.shift() ?? (typeof then === 'function' ? await then() : undefined);
        if (signal?.aborted) return;
        if (piece !== undefined) controller.enqueue(typeof piece === 'string' ? utf8.encode(piece) : piece);
        else if (then === 'breaks') controller.error(new TypeError('terminated'));
        else if (then !== 'stays') controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

/** Never answers, until the request is given up. */
export function silence(signal?: AbortSignal | null): Promise<never> {
  return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
}

type Stream = (
  after: string | undefined,
  signal: AbortSignal | null | undefined,
) => Response | Promise<Response>;

/** The run behind a faked `fetch`. */
export class FakeService {
  readonly requests: Seen[] = [];
  log: RunEvent[] = [];
  run: Run = envelope();
  tokens = 0;
  tokenLifeMs = 300_000;
  /** Answers a connection to the stream; by default as the service does, closing when nothing follows. */
  stream: Stream = (after, signal) => this.honestStream(after, signal);

  readonly fetch: typeof fetch = async (input, init) => {
    const url = new URL(String(input));
    const path = url.pathname.replace('/api/v1', '');
    const query = Object.fromEntries(url.searchParams);
    const headers = new Headers(init?.headers);
    this.requests.push({ method: init?.method ?? 'GET', path, query, headers, at: Date.now() });
    if (init?.signal?.aborted) throw init.signal.reason;
    if (path.endsWith('/events/token')) return this.#token();
    if (path.endsWith('/events/stream')) return this.stream(query.last_event_id, init?.signal);
    if (path.endsWith('/events')) return this.#page(query.cursor, init?.signal);
    return reply(200, this.run);
  };

  /** Requests to paths that end so. */
  to(end: string): Seen[] {
    return this.requests.filter(({ path }) => path.endsWith(end));
  }

  later(after: string | undefined): RunEvent[] {
    const at = after === undefined ? -1 : this.log.findIndex(({ id }) => id === after);
    return this.log.slice(at + 1);
  }

  /**
   * As the service streams: 204 when the log has ended there, else a comment, the events as they come, and comments
   * every 15 s.
   */
  honestStream(after: string | undefined, signal?: AbortSignal | null): Response {
    if (this.#over && this.later(after).length === 0) return new Response(null, { status: 204 });
    let last = after;
    const pieces = async () => {
      await until(() => this.#over || this.later(last).length > 0, 15_000, signal);
      const events = this.later(last);
      last = events.at(-1)?.id ?? last;
      if (events.length > 0) return events.map(frame).join('');
      return this.#over ? undefined : ':\n\n';
    };
    return streamReply([':\n\n'], pieces, signal);
  }

  get #over(): boolean {
    return this.run.completed_at !== undefined;
  }

  #token(): Response {
    this.tokens += 1;
    return reply(200, { event_token: `token${this.tokens}`, expires_at: Date.now() + this.tokenLifeMs });
  }

  async #page(cursor: string | undefined, signal: AbortSignal | null | undefined): Promise<Response> {
    const from = Number(cursor ?? 0);
    await until(() => this.#over || this.log.length > from, 25_000, signal);
    return reply(200, {
      object: 'list',
      data: this.log.slice(from, from + 2),
      next_cursor: String(Math.max(from, Math.min(from + 2, this.log.length))),
      has_more: false,
    });
  }
}

/** A service whose run has ended with this log. */
export function endedRun(log: RunEvent[], changes: Partial<Run> = {}): FakeService {
  const service = new FakeService();
  service.log = log;
  service.run = envelope({ status: 'succeeded', completed_at: 1_050, ...changes });
  return service;
}
