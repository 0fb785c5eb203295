// The requests in hand, and how they end when the service stops: none of them may fail because of it (rules.md: local 9).
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

export interface RequestsInHand {
  /** True from the first `drain` on: what comes on a kept connection now is turned away. */
  stopping(): boolean;
  /** Counts a request until its response is closed. `turnAway` answers it, if it has no answer yet, that the service is away. */
  add(response: ServerResponse, turnAway: () => void): void;
  /** Resolves when all are answered, at the latest after `withinMs`; then the rest is turned away. Event streams end at once. */
  drain(withinMs: number): Promise<void>;
}

/** Starts with none. */
export function requestsInHand(): RequestsInHand {
  const inHand = new Map<ServerResponse, () => void>();
  let stopping = false;
  let emptied = () => {};
  return {
    stopping: () => stopping,
    add(response, turnAway) {
      inHand.set(response, turnAway);
      response.once('close', () => {
        inHand.delete(response);
        if (inHand.size === 0) emptied();
      });
    },
    async drain(withinMs) {
      stopping = true;
      const empty = new Promise<void>((resolve) => {
        emptied = resolve;
      });
      for (const response of inHand.keys()) release(response);
      if (inHand.size === 0) return;
      await Promise.race([empty, pause(withinMs, undefined, { ref: false })]);
      for (const turnAway of [...inHand.values()]) turnAway();
      await Promise.race([empty, pause(SENDING_MS, undefined, { ref: false })]);
    },
  };
}

/** How long the last answers may take to be sent. */
const SENDING_MS = 200;

/** Its connection is not used again; an event stream has no end of its own, its reader comes back with the id of the last event. */
function release(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
  else if (String(response.getHeader('content-type')).startsWith('text/event-stream')) response.end();
}
