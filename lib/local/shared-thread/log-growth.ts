// Replaces functions/store/runs/log-growth.ts: the readers of a log share its writer's process, so they get new events
// at once.
import type { EventBody } from '#contract/events.ts';
import type { GrowingLog, Growth } from '#store/runs/events.ts';

const CHANNEL = 'log-growth';

/** Announces the events that a commit appended to a log. Only a hint: readers must also find the events without it. */
export function announceGrowth(log: GrowingLog, events: EventBody[]): void {
  // An open channel receives every message of the others and wakes its thread, so it is closed again.
  const channel = openChannel();
  channel.postMessage(growthOf(log, events));
  channel.close();
}

/**
 * Calls `listener` for each growth that other threads of this process announce from now on; returns the end of that.
 */
export function onGrowth(listener: (growth: Growth) => void): () => void {
  const channel = openChannel();
  // Only `announceGrowth` posts to this channel.
  channel.onmessage = ({ data }) => listener(data as Growth);
  return () => channel.close();
}

/** What is announced when `events` were appended to a log. */
export function growthOf(log: GrowingLog, events: EventBody[]): Growth {
  return {
    workspace_id: log.workspace_id,
    id: log.id,
    first_sequence: log.last_sequence - events.length + 1,
    last_sequence: log.last_sequence,
    finished: log.log_finished,
    occurred_at: log.last_event_at,
    events: JSON.stringify(events),
  };
}

/** A channel that does not keep its process alive. */
function openChannel() {
  const channel = new BroadcastChannel(CHANNEL);
  channel.unref();
  return channel;
}
