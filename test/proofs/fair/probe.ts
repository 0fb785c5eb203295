// Loaded into every thread of the service under test: reports how long its event loop was blocked since the last query.
import { threadId } from 'node:worker_threads';

export interface Hold {
  /** The function whose thread it is; the thread of its record index belongs to it, too. */
  name: string;
  thread: number;
  /** The longest time between two turns, on the clock. */
  longest_ms: number;
  /** The most that the thread itself worked between two turns: the rest of a long time it waited for a processor. */
  longest_cpu_ms: number;
}

const LOOK_MS = 5;
const worked = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};
let longest = { wall: 0, cpu: 0 };
let last = { wall: performance.now(), cpu: worked() };
setInterval(() => {
  const now = { wall: performance.now(), cpu: worked() };
  longest.wall = Math.max(longest.wall, now.wall - last.wall - LOOK_MS);
  longest.cpu = Math.max(longest.cpu, now.cpu - last.cpu - LOOK_MS);
  last = now;
}, LOOK_MS).unref();
const channel = new BroadcastChannel('holds');
channel.onmessage = ({ data }) => {
  if (data !== 'ask') return;
  const name = process.env.AWS_LAMBDA_FUNCTION_NAME ?? 'main';
  const [longest_ms, longest_cpu_ms] = [Math.round(longest.wall), Math.round(longest.cpu)];
  channel.postMessage({ name, thread: threadId, longest_ms, longest_cpu_ms } satisfies Hold);
  longest = { wall: 0, cpu: 0 };
};
channel.unref();
