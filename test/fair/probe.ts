// Loaded into every thread of the service under test: says how long its event loop was held since the last time it was asked.

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { threadId } from 'node:worker_threads';

export interface Hold {
  /** The function whose thread it is; the thread of its record index belongs to it, too. */
  name: string;
  thread: number;
  longest_ms: number;
}

const RESOLUTION_MS = 5;
const held = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
held.enable();
const channel = new BroadcastChannel('holds');
channel.onmessage = ({ data }) => {
  if (data !== 'ask') return;
  const name = process.env.AWS_LAMBDA_FUNCTION_NAME ?? 'main';
  const longest_ms = Math.max(0, Math.round(held.max / 1e6) - RESOLUTION_MS);
  channel.postMessage({ name, thread: threadId, longest_ms } satisfies Hold);
  held.reset();
};
channel.unref();
