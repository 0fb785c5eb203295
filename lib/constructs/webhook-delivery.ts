// Ended runs -> queue -> one signed POST per message. Retries are new, delayed messages.
import { Construct } from 'constructs';
import type { ServiceFunctionProps } from './service-function.ts';
import { WorkQueue } from './work-queue.ts';

/** The queue of deliveries that are due. */
export const deliveryQueue = (scope: Construct): WorkQueue =>
  new WorkQueue(scope, 'Deliveries', {
    worker: 'DeliverWebhook',
    batchSize: 10,
    // Bounds what a slow receiver costs.
    maxConcurrency: 50,
    maxReceiveCount: 5,
    names: ['DeliveryQueue', 'DeadLetters'],
  });

/** The function that delivers; it handles a batch in parallel. */
export class Webhooks extends Construct {
  constructor(scope: Construct, id: string, props: ServiceFunctionProps, deliveries: WorkQueue) {
    super(scope, id);
    deliveries.addWorker(this, props);
  }
}
