// Pipes a streamed body to its reader: no faster than it reads, and no longer than it stays connected.
import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** The pieces of a body. The iteration ends soon after the signal fires. */
export type Pieces = (signal: AbortSignal) => AsyncIterable<string>;

/** How long a reader may leave the buffer full: two heartbeats of the event stream. */
const STALLED_MS = 30_000;

/**
 * Writes the pieces one after the other. Stops when the reader disconnects, and disconnects a reader that leaves the buffer full for
 * `stalledMs`. Throws what the pieces throw.
 */
export async function pipeBody(pieces: Pieces, output: Writable, stalledMs = STALLED_MS): Promise<void> {
  const gone = new AbortController();
  const leave = () => gone.abort();
  output.once('close', leave).once('error', leave);
  for await (const piece of pieces(gone.signal)) {
    if (gone.signal.aborted) return;
    if (output.write(piece) || (await drained(output, gone.signal, stalledMs))) continue;
    output.destroy();
    return;
  }
  if (!gone.signal.aborted) output.end();
}

async function drained(output: Writable, gone: AbortSignal, withinMs: number): Promise<boolean> {
  try {
    await once(output, 'drain', { signal: AbortSignal.any([gone, AbortSignal.timeout(withinMs)]) });
    return true;
  } catch {
    return false;
  }
}
