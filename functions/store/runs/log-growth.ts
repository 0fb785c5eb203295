// Growth of logs, told to whoever waits for it in the same process. Where readers run elsewhere nobody listens, and their polls find it.

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

/** Tells that the log of a run has grown. A hint: it may be lost, and a reader must see the events without it. */
export function tellGrowth(growth: Growth): void {
  // A channel that stays open is handed everything that others tell, and wakes its thread for it.
  const channel = openChannel();
  channel.postMessage(growth);
  channel.close();
}

/** Calls `listener` for every growth that another part of this process tells from now on. */
export function onGrowth(listener: (growth: Growth) => void): void {
  // Only `tellGrowth` posts here.
  openChannel().onmessage = ({ data }) => listener(data as Growth);
}

/** A channel that keeps no process alive. */
function openChannel() {
  const channel = new BroadcastChannel(CHANNEL);
  channel.unref();
  return channel;
}
