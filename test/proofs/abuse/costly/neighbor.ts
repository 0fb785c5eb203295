// The neighbor in a thread of its own, which the answers of costly requests do not block. Posts the 99th percentile of
// its fetches of one record, in ms, when it is asked to stop.
import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { percentile } from '../../bench/figures.ts';
import { bystander } from '../../fair/bystander.ts';

if (!parentPort) throw new Error('this is a thread');
const watching = bystander(workerData);
await once(parentPort, 'message');
parentPort.postMessage(percentile((await watching.stop()).run, 99));
