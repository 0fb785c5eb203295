// Growth of logs, told to whoever waits for it in the same process. Where readers run elsewhere nobody listens, and their polls find it.

/** How far the log of a run has come. */
export interface Growth {
  run_id: string;
  last_sequence: number;
  /** The log has ended. */
  finished: boolean;
}

const CHANNEL = 'log-growth';

/** Tells that the log of a run has grown. A hint: it may be lost, and a reader must see the events without it. */
export function tellGrowth(growth: Growth): void {
  // An open channel is sent what others tell, which costs a thread that only writes time and memory.
  const sender = new BroadcastChannel(CHANNEL);
  sender.postMessage(growth);
  sender.close();
}

/** Calls `listener` for every growth that another part of this process tells from now on; keeps no process alive. */
export function onGrowth(listener: (growth: Growth) => void): void {
  const receiver = new BroadcastChannel(CHANNEL);
  // Only `tellGrowth` posts here.
  receiver.onmessage = ({ data }) => listener(data as Growth);
  receiver.unref();
}
