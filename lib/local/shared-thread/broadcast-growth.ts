// Replaces functions/store/runs/log-growth.ts: the readers of a log share its writer's process, so they wake at once.
import type { EventBody } from '#contract/events.ts';
import type { GrowingLog, Growth } from '#store/runs/events.ts';

const CHANNEL = 'log-growth';

/** A poll only finds growth whose announcement was lost. */
export const SHORTEST_PAUSE_MS = 1000;

/** Growth with its events, which the metrics of this process count. */
interface GrowthWithEvents extends Growth {
  events: EventBody[];
}

/** Announces the events that a commit appended to a log. Only a hint: readers must also find the events without it. */
export function announceGrowth(log: GrowingLog, events: EventBody[]): void {
  // An open channel receives every message of the others and wakes its thread, so it is closed again.
  const channel = openChannel();
  const { workspace_id, id, last_sequence, log_finished: finished } = log;
  channel.postMessage({ workspace_id, id, last_sequence, finished, events } satisfies GrowthWithEvents);
  channel.close();
}

/**
 * Calls `listener` for each growth that other threads of this process announce from now on; returns the end of that.
 */
export function onGrowth(listener: (growth: GrowthWithEvents) => void): () => void {
  const channel = openChannel();
  // Only `announceGrowth` posts to this channel.
  channel.onmessage = ({ data }) => listener(data as GrowthWithEvents);
  return () => channel.close();
}

/** A channel that does not keep its process alive. */
function openChannel() {
  const channel = new BroadcastChannel(CHANNEL);
  channel.unref();
  return channel;
}
