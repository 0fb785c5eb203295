// Writing a streamed reply: as fast as its reader takes it, no longer than its reader stays.
import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** Pieces of a body; they end soon after the signal fires. */
export type Pieces = (signal: AbortSignal) => AsyncIterable<string>;

/** How long a reader may leave a full buffer standing: two heartbeats of the event stream. */
const STALLED_MS = 30_000;

/**
 * Writes piece by piece. A reader that is gone ends the pieces at once; one that takes nothing for `stalledMs` although its buffer is full
 * is dropped. Throws what the pieces throw.
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
