// Replaces functions/platform/observations.ts: the main thread counts what the threads of functions observe.
import type { Observation } from '#platform/observations.ts';

const CHANNEL = 'observations';

/** Sends an observation to the main thread. */
export function observe(observation: Observation): void {
  const channel = openChannel();
  channel.postMessage(observation);
  channel.close();
}

/** Calls `listener` for each observation of this process from now on; returns the end of that. */
export function onObservation(listener: (observation: Observation) => void): () => void {
  const channel = openChannel();
  // Only `observe` posts to this channel.
  channel.onmessage = ({ data }) => listener(data as Observation);
  return () => channel.close();
}

/** A channel that does not keep its process alive. */
function openChannel() {
  const channel = new BroadcastChannel(CHANNEL);
  channel.unref();
  return channel;
}
