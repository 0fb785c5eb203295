// Ended runs -> queue -> one signed POST per message. Retries are new, delayed messages.
import type { Construct } from 'constructs';
import { WorkQueue } from './work-queue.ts';

/** The queue of deliveries that are due; its worker handles a batch in parallel. */
export const deliveryQueue = (scope: Construct): WorkQueue =>
  new WorkQueue(scope, 'Deliveries', {
    worker: 'DeliverWebhook',
    batchSize: 10,
    // Bounds what a slow receiver costs.
    maxConcurrency: 50,
    maxReceiveCount: 5,
    names: ['DeliveryQueue', 'DeadLetters'],
  });
