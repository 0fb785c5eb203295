// Requests in flight, and how they end when the service stops: none may fail because of it (rules.md: local 9).
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

export interface RequestsInFlight {
  /** True from the first `drain` on: new requests on open connections are rejected. */
  stopping(): boolean;
  /** Counts a request until its response is closed. `reject` answers it with 503 if it has no answer yet. */
  add(response: ServerResponse, reject: () => void): void;
  /** Resolves when all are answered. Ends event streams at once, and rejects what is left after `withinMs`. */
  drain(withinMs: number): Promise<void>;
}

/** Counts the requests in flight. */
export function requestsInFlight(): RequestsInFlight {
  const inFlight = new Map<ServerResponse, () => void>();
  let stopping = false;
  let emptied = () => {};
  return {
    stopping: () => stopping,
    add(response, reject) {
      inFlight.set(response, reject);
      response.once('close', () => {
        inFlight.delete(response);
        if (inFlight.size === 0) emptied();
      });
    },
    async drain(withinMs) {
      stopping = true;
      const empty = new Promise<void>((resolve) => {
        emptied = resolve;
      });
      for (const response of inFlight.keys()) release(response);
      if (inFlight.size === 0) return;
      await Promise.race([empty, pause(withinMs, undefined, { ref: false })]);
      for (const reject of [...inFlight.values()]) reject();
      await Promise.race([empty, pause(SENDING_MS, undefined, { ref: false })]);
    },
  };
}

/** Time to send the last answers. */
const SENDING_MS = 200;

/** Closes the connection after this response. An event stream would not end; its client reconnects with the last id. */
function release(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
  else if (String(response.getHeader('content-type')).startsWith('text/event-stream')) response.end();
}
