// Due monitors -> queue -> one run per message. The sweep fills the queue, ahead of time.
import type { Construct } from 'constructs';
import { WorkQueue } from './work-queue.ts';

/** The queue of fires; its worker handles a batch in parallel. */
export const fireQueue = (scope: Construct): WorkQueue =>
  new WorkQueue(scope, 'Fires', {
    worker: 'FireMonitors',
    batchSize: 10,
    // Bounds how much of the table's capacity fires take from other requests.
    maxConcurrency: 20,
    maxReceiveCount: 3,
    names: ['FireQueue', 'FireDeadLetters'],
  });
