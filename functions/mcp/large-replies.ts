// The replies of the API that are too large to be parsed side by side: each takes many times its size in memory.

/** Larger replies wait for each other. */
const LARGE_BYTES = 1024 * 1024;
/** So long the next one waits at most, though a client reads slowly or not at all. */
const TURN_MAX_MS = 10_000;

/** When the large reply before the next one is done with. */
let last: Promise<unknown> = Promise.resolve();

export interface LargeReplies {
  /** `fetch` whose reply, once it turns out to be large, waits until no other one is in memory. */
  fetch: typeof fetch;
  /** Lets the next one in. */
  done: () => void;
}

/** The replies that one request of an agent reads. */
export function largeReplies(): LargeReplies {
  const { promise: over, resolve: done } = Promise.withResolvers<void>();
  let turn: Promise<unknown> | undefined;
  const takeTurn = () => {
    if (turn) return turn;
    turn = last.then(() => void setTimeout(done, TURN_MAX_MS).unref());
    last = Promise.all([turn, over]);
    return turn;
  };
  return {
    done,
    async fetch(...request) {
      const response = await fetch(...request);
      const { body, status, headers } = response;
      return body ? new Response(body.pipeThrough(waiting(takeTurn)), { status, headers }) : response;
    },
  };
}

/** Lets the first bytes through, and what follows after `turn`. */
function waiting(turn: () => Promise<unknown>): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    async transform(piece, stream) {
      bytes += piece.length;
      if (bytes > LARGE_BYTES) await turn();
      stream.enqueue(piece);
    },
  });
}
