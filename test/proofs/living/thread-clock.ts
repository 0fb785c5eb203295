// Preloaded into the service of a campaign and into each of its threads: the clock that all of them see can be set
// forward and back while they run.
import { BroadcastChannel, getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

const AHEAD = 'clock ahead by';
const announced = new BroadcastChannel(AHEAD);
announced.unref();
let aheadMs = Number(getEnvironmentData(AHEAD) ?? 0);

const machine = Date;
const now = () => machine.now() + aheadMs;
globalThis.Date = new Proxy(machine, {
  construct: (target, given, created) =>
    Reflect.construct(target, given.length > 0 ? given : [now()], created),
  apply: () => new machine(now()).toString(),
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
});

function setAhead(ms: number): void {
  aheadMs = ms;
  // For the threads that start later.
  setEnvironmentData(AHEAD, ms);
}
announced.onmessage = ({ data }) => setAhead(Number(data));

/** Sets the clock of the whole process ahead of the machine's by so many milliseconds. */
export function setClockAhead(ms: number): void {
  setAhead(ms);
  announced.postMessage(ms);
}
