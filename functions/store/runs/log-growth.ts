// Growth of logs, announced to readers that wait in the same process. Elsewhere, readers find it by polling.

/** How the log of a run has grown by one commit. */
export interface Growth {
  /** The run. */
  workspace_id: string;
  id: string;
  first_sequence: number;
  last_sequence: number;
  /** The log has ended. */
  finished: boolean;
  occurred_at: number;
  /** JSON of the events, which only their readers need to parse. */
  events: string;
}

const CHANNEL = 'log-growth';

/** Announces that the log of a run has grown. Only a hint: readers must find the events without it. */
export function tellGrowth(growth: Growth): void {
  // An open channel would receive every announcement and wake its thread.
  const channel = openChannel();
  channel.postMessage(growth);
  channel.close();
}

/** Calls `listener` for every growth announced by other threads of this process from now on. */
export function onGrowth(listener: (growth: Growth) => void): void {
  // Only `tellGrowth` posts here.
  openChannel().onmessage = ({ data }) => listener(data as Growth);
}

/** A channel that does not keep the process alive. */
function openChannel() {
  const channel = new BroadcastChannel(CHANNEL);
  channel.unref();
  return channel;
}
