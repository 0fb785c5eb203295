// Replaces functions/platform/observations.ts: the main thread counts what the threads of functions observe.
import type { Observation } from '#platform/observations.ts';

const CHANNEL = 'observations';
/** A message costs a thread far more than what it says: a run observes several things. */
const GATHERED_MS = 100;

let gathered: Observation[] = [];

/** Sends an observation to the main thread, soon and together with others. */
export function observe(observation: Observation): void {
  if (gathered.push(observation) === 1) setTimeout(send, GATHERED_MS).unref();
}

function send(): void {
  const channel = openChannel();
  channel.postMessage(gathered);
  channel.close();
  gathered = [];
}

/** Calls `listener` for each observation of this process from now on; returns the end of that. */
export function onObservation(listener: (observation: Observation) => void): () => void {
  const channel = openChannel();
  channel.onmessage = ({ data }) => {
    // Only `send` posts to this channel.
    for (const observation of data as Observation[]) listener(observation);
  };
  return () => channel.close();
}

/** A channel that does not keep its process alive. */
function openChannel() {
  const channel = new BroadcastChannel(CHANNEL);
  channel.unref();
  return channel;
}
