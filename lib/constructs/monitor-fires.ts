// Due monitors -> queue -> one run per message. The sweep fills the queue, ahead of time.
import type { Construct } from 'constructs';
import { WorkQueue, type WorkQueueProps } from './work-queue.ts';

/** How the queue of fires is emptied; its worker handles a batch in parallel. */
export const fireQueueProps: WorkQueueProps = {
  worker: 'FireMonitors',
  batchSize: 10,
  // Enough for queries, whose understanding takes seconds. How many fire in a second is up to the sweep's delays.
  maxConcurrency: 20,
  maxReceiveCount: 3,
  names: ['FireQueue', 'FireDeadLetters'],
};

/** The queue of fires. */
export const fireQueue = (scope: Construct): WorkQueue => new WorkQueue(scope, 'Fires', fireQueueProps);
