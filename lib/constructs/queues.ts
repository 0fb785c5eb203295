// The queues of work. The functions that fill them know no more than their addresses.
import { limits } from '../../functions/contract/limits.ts';
import type { WorkQueueProps } from './work-queue.ts';

const ofRecordJobs = {
  // A job needs the function's whole disk.
  batchSize: 1,
  // Bounds how much of the table's capacity jobs take from runs.
  maxConcurrency: 5,
  maxReceiveCount: 3,
};

/** By the name of its construct. */
export const queues = {
  /** Ended runs; each message is one signed POST. Retries are new, delayed messages. */
  Deliveries: {
    worker: 'DeliverWebhook',
    // A slow receiver would hold up the others of its batch.
    batchSize: 1,
    // Bounds what slow receivers cost.
    maxConcurrency: limits.delivery_slots,
    maxReceiveCount: 5,
    names: ['DeliveryQueue', 'DeadLetters'],
  },
  /** Traces of ended runs, where a collector gets them: no webhook waits for one that hangs. */
  Traces: {
    worker: 'DeliverWebhook',
    batchSize: 1,
    maxConcurrency: 10,
    maxReceiveCount: 5,
    names: ['TraceQueue', 'TraceDeadLetters'],
  },
  /** Indexes to compact. */
  Compactions: {
    ...ofRecordJobs,
    worker: 'CompactRecords',
    names: ['CompactionQueue', 'CompactionDeadLetters'],
  },
  /** Indexes to audit: a night's may take hours, and no compaction waits for them. */
  Audits: { ...ofRecordJobs, worker: 'AuditRecords', names: ['AuditQueue', 'AuditDeadLetters'] },
  /** Due monitors, one run a message. The sweep fills it, ahead of time. */
  Fires: {
    worker: 'FireMonitors',
    batchSize: 10,
    // Enough for queries, whose understanding takes seconds. How many fire in a second is up to the sweep's delays.
    maxConcurrency: 20,
    maxReceiveCount: 3,
    names: ['FireQueue', 'FireDeadLetters'],
  },
} as const satisfies Record<string, WorkQueueProps>;
