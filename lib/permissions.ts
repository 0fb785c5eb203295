// One row per route and per function without one: what it needs. A function that serves routes has what they need
// together. Its variables follow from its permissions.
import {
  type HttpFunction,
  httpFunctions,
  type RouteName,
  routeNames,
  routes,
} from '../functions/contract/routes.ts';
import type { BackgroundFunction, FunctionName } from './entries.ts';

type TableAction =
  | 'GetItem'
  | 'BatchGetItem'
  | 'Query'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'ConditionCheckItem'
  | 'BatchWriteItem';

/** Whose secrets are sealed: the kinds of owners to which encryption contexts bind them. */
export type SecretOwner = 'api_key' | 'bridge' | 'source';

export interface Permissions {
  /** Default 10. */
  timeout_seconds?: number;
  /** Default 512; for the function that executes slices, and the one that reads records, it is a stage setting. */
  memory_mb?: number;
  /** Size of `/tmp`, default 512. */
  disk_mb?: number;
  table: readonly TableAction[];
  /** May save the day on which a key was used. */
  marks_keys?: true;
  /** May read and write which release wrote the table, and ask whether a deployment is rolled back. */
  marks_release?: true;
  /** May count the open streams of a key. */
  counts_streams?: true;
  /** May count the readers of a link. */
  counts_readers?: true;
  /** May query the sparse index of due items. */
  due_index?: true;
  /** May query the index of deliveries by workspace. */
  delivery_index?: true;
  /** On the bucket of bodies that are too large for an item. */
  bodies?: readonly ('GetObject' | 'PutObject' | 'DeleteObjectVersion')[];
  /** May list everything in the bucket that a run or a workspace has; of a workspace, also in the table. */
  erase?: 'run' | 'workspace';
  /** On the snapshots of record indexes, in the same bucket. */
  snapshots?: readonly ('GetObject' | 'PutObject' | 'DeleteObject')[];
  /** Reads and saves segments of changes for other readers of records, in the same bucket. */
  segments?: true;
  /** On the state machine of runs. */
  runs?: readonly ('StartExecution' | 'SendTaskSuccess')[];
  /** On the queue of webhook deliveries. */
  deliveries?: readonly 'SendMessage'[];
  /** `queue`: hands on traces of ended runs, if the stage has a collector; `export`: posts them to it. */
  traces?: 'queue' | 'export';
  /** On the queue of fires. */
  fires?: readonly 'SendMessage'[];
  /** On the queue of compactions of record indexes. */
  compactions?: readonly 'SendMessage'[];
  /** On the queue of their audits. */
  audits?: readonly 'SendMessage'[];
  /** May read the root secret from which keys, cursors and tokens are derived. */
  service_secret?: true;
  /** Whose secrets it may encrypt with the key for secrets. */
  seals?: readonly SecretOwner[];
  /** Whose secrets it may decrypt. */
  unseals?: readonly SecretOwner[];
  /** `call`: may call the model; `price`: only reads its name and price. */
  model?: 'call' | 'price';
  /** May embed texts. */
  embedding?: true;
  /** On the vector indexes, if the stage has some. A query with a filter also needs GetVectors. */
  vectors?: readonly (
    | 'QueryVectors'
    | 'GetVectors'
    | 'PutVectors'
    | 'DeleteVectors'
    | 'CreateIndex'
    | 'DeleteIndex'
    | 'ListIndexes'
  )[];
  /** May ask questions to records, which the function Records answers. */
  asks_records?: true;
  /** Puts answers that are too large for a reply into the bucket. */
  answers?: true;
  /** Opens record indexes: `disk`: those of workspaces, which it caches on its disk; `memory`: those of live items. */
  record_index?: 'disk' | 'memory';
  /** Executes slices of a run. */
  slices?: true;
}

/** Fits the indexes of a few large workspaces: a million records take almost 1 GB. */
const INDEX_DISK_MB = 4096;

const read = ['GetItem', 'BatchGetItem', 'Query'] as const;
const change = ['PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'] as const;

/** Reads, with a bearer key: keys are looked up by a keyed hash, and cursors carry a MAC. */
const keyed = { table: read, marks_keys: true, service_secret: true } as const satisfies Permissions;
const keyedWithBodies = { ...keyed, bodies: ['GetObject'] } as const satisfies Permissions;
/** A cold index may have to be restored first. */
const keyedWithRecords = { ...keyed, asks_records: true, timeout_seconds: 29 } as const satisfies Permissions;
/** A route that creates or resumes a run. */
const starter = {
  table: [...read, ...change],
  bodies: ['GetObject', 'PutObject'],
  runs: ['StartExecution'],
  service_secret: true,
  model: 'price',
  timeout_seconds: 20,
} as const satisfies Permissions;

/** Fires a monitor: creates a run, of a query as well, and cancels the one before. */
const firer = {
  ...starter,
  runs: ['StartExecution', 'SendTaskSuccess'],
  deliveries: ['SendMessage'],
  fires: ['SendMessage'],
  model: 'call',
  asks_records: true,
} as const satisfies Permissions;
/** Saves a monitor, whose run it checks. */
const monitorWriter = {
  table: [...read, ...change],
  bodies: ['GetObject', 'PutObject'],
  service_secret: true,
  timeout_seconds: 20,
} as const satisfies Permissions;
/** A route that writes records, with their vectors and the fires of monitors that watch them. */
const recordWriter = {
  table: [...read, ...change],
  service_secret: true,
  embedding: true,
  vectors: ['PutVectors', 'DeleteVectors', 'CreateIndex', 'ListIndexes'],
  fires: ['SendMessage'],
  timeout_seconds: 29,
  // A thousand lines are looked up and embedded while a request waits.
  memory_mb: 1024,
} as const satisfies Permissions;
/** A message about a job, which may end the wait of its run. */
const jobWriter = {
  ...keyed,
  table: [...read, 'PutItem', 'UpdateItem'],
  bodies: ['GetObject', 'PutObject'],
  runs: ['SendTaskSuccess'],
} as const satisfies Permissions;
/** A route that makes a key, whose signing secret is stored encrypted. */
const keyIssuer = {
  ...keyed,
  table: [...read, 'PutItem', 'UpdateItem', 'ConditionCheckItem'],
  seals: ['api_key'],
} as const satisfies Permissions;

export const needs: Readonly<Record<RouteName | BackgroundFunction, Permissions>> = {
  GetMe: { ...keyed, model: 'price' },
  // Understanding a query may take 45 s before the reply starts.
  CreateRun: { ...starter, model: 'call', asks_records: true, timeout_seconds: 55 },
  ResumeRun: starter,
  RerunRun: starter,
  ListRuns: keyedWithBodies,
  GetRun: keyedWithBodies,
  GetTrace: { ...keyedWithBodies, timeout_seconds: 29 },
  ListCalls: { ...keyedWithBodies, timeout_seconds: 29 },
  // What a filter dropped is found by reading all that came in.
  ListStepItems: { ...keyedWithBodies, timeout_seconds: 55 },
  CancelRun: {
    ...keyed,
    table: [...read, 'PutItem', 'UpdateItem', 'DeleteItem'],
    bodies: ['GetObject', 'PutObject'],
    runs: ['SendTaskSuccess'],
    deliveries: ['SendMessage'],
    traces: 'queue',
    fires: ['SendMessage'],
  },
  DeleteRun: {
    ...keyedWithBodies,
    table: [...read, 'PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'],
  },
  // Long polling delays the answer by up to 25 s.
  ListEvents: { ...keyedWithBodies, timeout_seconds: 29 },
  CreateEventToken: keyedWithBodies,
  // The stream ends after 10 minutes; the last minute is slack.
  StreamEvents: { ...keyedWithBodies, counts_streams: true, timeout_seconds: 660, memory_mb: 256 },
  ListDeliveries: keyedWithBodies,
  RedeliverWebhook: {
    ...keyedWithBodies,
    table: [...read, 'PutItem', 'UpdateItem'],
    deliveries: ['SendMessage'],
  },
  ListKeys: keyed,
  CreateKey: keyIssuer,
  RotateKey: keyIssuer,
  RevokeKey: { ...keyed, table: [...read, 'PutItem', 'UpdateItem', 'ConditionCheckItem'] },
  ListAudit: keyed,
  // A day that is not summed up yet is read run by run.
  GetUsage: { ...keyed, timeout_seconds: 29 },
  ListAllDeliveries: { ...keyed, delivery_index: true, due_index: true },
  ListJobs: { ...keyed, due_index: true },
  GetJob: keyedWithBodies,
  ProgressJob: jobWriter,
  AddJobItems: jobWriter,
  CompleteJob: jobWriter,
  FailJob: jobWriter,
  RedeliverFailed: {
    ...keyed,
    table: [...read, 'PutItem', 'UpdateItem'],
    due_index: true,
    deliveries: ['SendMessage'],
    timeout_seconds: 29,
  },
  GetArtifact: { ...keyedWithBodies, counts_readers: true, timeout_seconds: 55 },
  CreateArtifactLink: { ...keyedWithBodies, table: [...read, 'PutItem', 'ConditionCheckItem'] },
  GetNote: keyedWithBodies,
  SearchEntities: keyedWithRecords,
  ResolveEntities: keyed,
  ListEntityTypes: keyedWithRecords,
  ListSources: keyed,
  GetEntity: keyedWithRecords,
  ImportEntities: recordWriter,
  UpdateEntity: { ...recordWriter, asks_records: true },
  DeleteEntity: recordWriter,
  DeleteEntities: { ...recordWriter, asks_records: true },
  CreateMonitor: monitorWriter,
  ListMonitors: keyed,
  GetMonitor: keyedWithBodies,
  UpdateMonitor: monitorWriter,
  DeleteMonitor: { ...keyedWithBodies, table: [...read, ...change] },
  // Understanding the query of the run may take 45 s.
  FireMonitor: { ...firer, timeout_seconds: 55 },
  ListFires: keyedWithBodies,
  // A pull may take 10 s before the fan-out over workspaces begins.
  ReceiveSync: {
    table: [...read, ...change],
    unseals: ['bridge'],
    embedding: true,
    vectors: ['PutVectors', 'DeleteVectors', 'CreateIndex', 'ListIndexes'],
    fires: ['SendMessage'],
    timeout_seconds: 29,
  },
  // No permissions: it calls the API with the caller's key. A tool call ends after at most 50 s.
  Mcp: { table: [], timeout_seconds: 75 },
  Console: { table: [] },
  ExecuteSteps: {
    table: [...read, ...change],
    bodies: ['GetObject', 'PutObject'],
    deliveries: ['SendMessage'],
    traces: 'queue',
    fires: ['SendMessage'],
    unseals: ['source'],
    // It makes the tokens of jobs.
    service_secret: true,
    model: 'call',
    embedding: true,
    vectors: ['QueryVectors', 'GetVectors'],
    asks_records: true,
    record_index: 'memory',
    slices: true,
    timeout_seconds: 900,
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
    traces: 'queue',
    fires: ['SendMessage'],
    timeout_seconds: 30,
  },
  Sweep: {
    table: [...read, 'PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'],
    due_index: true,
    bodies: ['GetObject', 'PutObject', 'DeleteObjectVersion'],
    erase: 'run',
    runs: ['StartExecution', 'SendTaskSuccess'],
    deliveries: ['SendMessage'],
    traces: 'queue',
    fires: ['SendMessage'],
    compactions: ['SendMessage'],
    // It makes vectors that are missing or outdated.
    embedding: true,
    vectors: ['PutVectors', 'DeleteVectors', 'CreateIndex', 'DeleteIndex', 'ListIndexes'],
    timeout_seconds: 60,
  },
  // One attempt may take 10 s, after up to 5 s in which it waits for its turn. The trace of a run is read from all that
  // it has.
  DeliverWebhook: {
    table: [...read, 'PutItem', 'UpdateItem'],
    bodies: ['GetObject'],
    deliveries: ['SendMessage'],
    traces: 'export',
    // Workers hear of jobs that their run has closed.
    unseals: ['api_key', 'source'],
    timeout_seconds: 20,
  },
  // Understanding the query of a run may take 45 s.
  FireMonitors: { ...firer, timeout_seconds: 75 },
  // A question waits up to 20 s for its index, and a step reads for up to 20 s.
  Records: {
    table: [...read, 'UpdateItem'],
    snapshots: ['GetObject'],
    segments: true,
    answers: true,
    record_index: 'disk',
    timeout_seconds: 59,
    disk_mb: INDEX_DISK_MB,
  },
  // A first build of a million records takes minutes; the disk stores the file, the snapshot's copy and its parts.
  CompactRecords: {
    table: [...read, 'UpdateItem'],
    snapshots: ['GetObject', 'PutObject', 'DeleteObject'],
    segments: true,
    record_index: 'disk',
    timeout_seconds: 900,
    memory_mb: 3008,
    disk_mb: 10_240,
  },
  // As much as a compaction, whose index it checks; it saves no snapshot.
  AuditRecords: {
    table: [...read, 'UpdateItem'],
    snapshots: ['GetObject'],
    segments: true,
    record_index: 'disk',
    timeout_seconds: 900,
    memory_mb: 3008,
    disk_mb: 10_240,
  },
  StartAudits: { table: [...read], audits: ['SendMessage'], timeout_seconds: 300 },
  CheckRelease: { table: [], marks_release: true, timeout_seconds: 60 },
  Admin: {
    table: [...read, ...change, 'BatchWriteItem'],
    due_index: true,
    bodies: ['GetObject', 'PutObject', 'DeleteObjectVersion'],
    erase: 'workspace',
    runs: ['StartExecution', 'SendTaskSuccess'],
    deliveries: ['SendMessage'],
    traces: 'queue',
    fires: ['SendMessage'],
    service_secret: true,
    seals: ['api_key', 'bridge', 'source'],
    // The update of a source compares its headers.
    unseals: ['source'],
    embedding: true,
    vectors: ['PutVectors', 'DeleteVectors', 'CreateIndex', 'DeleteIndex', 'ListIndexes'],
    // How many records have vectors.
    asks_records: true,
    // It checks the endpoints.
    model: 'call',
    // If index files persist, an import updates the index; on AWS it queues a compaction.
    record_index: 'disk',
    timeout_seconds: 300,
    memory_mb: 1024,
  },
};

/** The union of what two rows need: the longer time, the larger memory, every action. */
function both(one: Permissions, other: Permissions): Permissions {
  const merged = Object.entries(other).map(([name, value]) => {
    const mine: unknown = Reflect.get(one, name);
    if (Array.isArray(value) && Array.isArray(mine)) return [name, [...new Set([...mine, ...value])]];
    if (typeof value === 'number' && typeof mine === 'number') return [name, Math.max(mine, value)];
    return [name, mine === 'call' ? mine : value];
  });
  // Each member is of the type that it has in the rows.
  return { ...one, ...Object.fromEntries(merged) } as Permissions;
}

const ofRoutes = (name: HttpFunction): Permissions =>
  routeNames
    .filter((route) => routes[route].function === name)
    .map((route) => needs[route])
    .reduce(both);

/** The permissions of each function. */
export const permissions: Readonly<Record<FunctionName, Permissions>> = {
  ...needs,
  // One for each name of the type.
  ...(Object.fromEntries(httpFunctions.map((name) => [name, ofRoutes(name)])) as Record<
    HttpFunction,
    Permissions
  >),
};

/**
 * The permissions of a function. Where functions answer their questions to records themselves, those that ask also have
 * the permissions of the one that answers.
 */
export function permissionsOf(name: FunctionName, answersItself = false): Permissions {
  const own = permissions[name];
  if (!answersItself || !own.asks_records) return own;
  const { table, snapshots, record_index, disk_mb } = permissions.Records;
  return { ...own, table: [...new Set([...own.table, ...table])], snapshots, record_index, disk_mb };
}
