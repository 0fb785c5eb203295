// What every function may do: one row holds its permissions, from which its variables follow, its timeout, its memory and its disk.
import type { FunctionName } from './entries.ts';

type TableAction =
  | 'GetItem'
  | 'BatchGetItem'
  | 'Query'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'ConditionCheckItem'
  | 'BatchWriteItem';

export interface Permissions {
  /** Default 10. */
  timeout_seconds?: number;
  /** Default 512; of the function that executes slices it is a setting of the stage. */
  memory_mb?: number;
  /** Room in `/tmp`, default 512. */
  disk_mb?: number;
  table: readonly TableAction[];
  /** May query the sparse index of what is due. */
  due_index?: true;
  /** On objects of the bucket that holds bodies too large for an item. */
  bodies?: readonly ('GetObject' | 'PutObject' | 'DeleteObjectVersion')[];
  /** May look through the table and the bucket for whatever a workspace has. */
  erase?: true;
  /** On the snapshots of record indexes, which lie in the same bucket. */
  snapshots?: readonly ('GetObject' | 'PutObject' | 'DeleteObject')[];
  /** On the state machine of runs. */
  runs?: readonly ('StartExecution' | 'SendTaskSuccess')[];
  /** On the queue of webhook deliveries. */
  deliveries?: readonly 'SendMessage'[];
  /** On the queue of compactions and audits of record indexes. */
  record_jobs?: readonly 'SendMessage'[];
  /** May read the root secret that keys, cursors and tokens are derived from. */
  service_secret?: true;
  /** With the key that encrypts signing secrets. */
  signing_key?: readonly ('Encrypt' | 'Decrypt')[];
  /** `call`: may call the model; `price`: only knows its name and price. */
  model?: 'call' | 'price';
  /** May turn texts into vectors. */
  embedding?: true;
  /** On the index of vectors, where the stage has one; a query with a filter needs GetVectors too. */
  vectors?: readonly ('QueryVectors' | 'GetVectors' | 'PutVectors' | 'DeleteVectors' | 'ListVectors')[];
  /** Opens indexes of records, which it keeps on its disk. */
  record_index?: true;
  /** Executes slices of a run. */
  slices?: true;
}

/** Holds the indexes of a few large workspaces: that of a million records takes a little less than 1 GB. */
const INDEX_DISK_MB = 4096;

const read = ['GetItem', 'BatchGetItem', 'Query'] as const;
const change = ['PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'] as const;

/** A route that reads and that a bearer key authenticates: the key is looked up by a keyed hash, cursors carry a MAC. */
const keyed = { table: read, service_secret: true } as const satisfies Permissions;
const keyedWithBodies = { ...keyed, bodies: ['GetObject'] } as const satisfies Permissions;
/** A route that creates or resumes a run. */
const starter = {
  table: [...read, ...change],
  bodies: ['GetObject', 'PutObject'],
  runs: ['StartExecution'],
  service_secret: true,
  model: 'price',
  timeout_seconds: 20,
} as const satisfies Permissions;

export const permissions: Readonly<Record<FunctionName, Permissions>> = {
  GetMe: keyed,
  // Understanding a query may take 45 s before the reply starts.
  CreateRun: { ...starter, model: 'call', record_index: true, timeout_seconds: 55, disk_mb: INDEX_DISK_MB },
  ResumeRun: starter,
  RerunRun: starter,
  ListRuns: keyedWithBodies,
  GetRun: keyedWithBodies,
  CancelRun: {
    ...keyed,
    table: [...read, 'PutItem', 'UpdateItem', 'DeleteItem'],
    bodies: ['GetObject', 'PutObject'],
    runs: ['SendTaskSuccess'],
    deliveries: ['SendMessage'],
  },
  // Keep-open holds the answer for up to 25 s.
  ListEvents: { ...keyedWithBodies, timeout_seconds: 29 },
  CreateEventToken: keyedWithBodies,
  // The stream ends itself after 10 minutes; the last minute is slack.
  StreamEvents: { ...keyedWithBodies, timeout_seconds: 660, memory_mb: 256 },
  ListDeliveries: keyedWithBodies,
  RedeliverWebhook: {
    ...keyedWithBodies,
    table: [...read, 'PutItem', 'UpdateItem'],
    deliveries: ['SendMessage'],
  },
  GetArtifact: { ...keyedWithBodies, timeout_seconds: 55 },
  GetNote: keyedWithBodies,
  // A cold index may have to be restored first.
  SearchEntities: {
    ...keyed,
    table: [...read, 'UpdateItem'],
    snapshots: ['GetObject'],
    record_index: true,
    timeout_seconds: 29,
    disk_mb: INDEX_DISK_MB,
  },
  ResolveEntities: keyed,
  // A pull may take 10 s before the fan-out over workspaces begins.
  ReceiveSync: {
    table: [...read, ...change],
    signing_key: ['Decrypt'],
    embedding: true,
    vectors: ['PutVectors', 'DeleteVectors'],
    timeout_seconds: 29,
  },
  // Holds no right: it calls the API with the caller's key. A tool's call ends after 50 s at the latest.
  Mcp: { table: [], timeout_seconds: 75 },
  Console: { table: [] },
  ExecuteSteps: {
    table: [...read, ...change],
    bodies: ['GetObject', 'PutObject'],
    deliveries: ['SendMessage'],
    model: 'call',
    embedding: true,
    vectors: ['QueryVectors', 'GetVectors'],
    record_index: true,
    slices: true,
    timeout_seconds: 900,
    disk_mb: INDEX_DISK_MB,
  },
  ParkRun: {
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
    bodies: ['GetObject'],
    runs: ['SendTaskSuccess'],
    timeout_seconds: 30,
  },
  FailRun: {
    table: [...read, ...change],
    bodies: ['GetObject', 'PutObject'],
    deliveries: ['SendMessage'],
    timeout_seconds: 30,
  },
  Sweep: {
    table: [...read, 'PutItem', 'UpdateItem', 'DeleteItem'],
    due_index: true,
    bodies: ['GetObject'],
    runs: ['StartExecution', 'SendTaskSuccess'],
    deliveries: ['SendMessage'],
    record_jobs: ['SendMessage'],
    timeout_seconds: 60,
  },
  // One attempt may take 10 s.
  DeliverWebhook: {
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
    deliveries: ['SendMessage'],
    signing_key: ['Decrypt'],
    timeout_seconds: 20,
  },
  // A first build of a million records takes minutes; the file, the snapshot's copy and its parts lie on the disk.
  CompactRecords: {
    table: [...read, 'UpdateItem'],
    snapshots: ['GetObject', 'PutObject', 'DeleteObject'],
    record_index: true,
    timeout_seconds: 900,
    memory_mb: 3008,
    disk_mb: 10_240,
  },
  StartAudits: { table: [...read], record_jobs: ['SendMessage'], timeout_seconds: 300 },
  Admin: {
    table: [...read, ...change, 'BatchWriteItem'],
    due_index: true,
    bodies: ['GetObject', 'PutObject', 'DeleteObjectVersion'],
    erase: true,
    runs: ['StartExecution', 'SendTaskSuccess'],
    deliveries: ['SendMessage'],
    service_secret: true,
    signing_key: ['Encrypt', 'Decrypt'],
    embedding: true,
    vectors: ['PutVectors', 'ListVectors', 'DeleteVectors'],
    // Where the files of indexes last, an import brings the index along; on AWS it has compactions do so.
    record_index: true,
    timeout_seconds: 300,
    memory_mb: 1024,
  },
};
