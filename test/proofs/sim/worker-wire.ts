// What jobs are sent over in a simulation, in place of the network.
import type { Send } from '#outbound/request.ts';

let connected: Send | undefined;

/** From here on jobs are sent to these workers. */
export function connectWorkers(to: Send): void {
  connected = to;
}

/** Imported by the code that sends jobs in place of the real one. */
export const send: Send = async (request) =>
  connected ? connected(request) : { kind: 'failed', error: 'ECONNREFUSED', duration_ms: 0 };
