// Every key shape of the table and the access pattern it serves. The workspace is part of every partition key of its
// data.
import type { DeliveryKey, JobKey, RunKey } from '#contract/run-keys.ts';
import type { RunStatus } from '#contract/runs.ts';
import { sha256Hex } from '#platform/crypto.ts';

const pad = (n: number, width: number) => String(n).padStart(width, '0');

export const keys = {
  // One workspace: settings, counters, spending by day, its keys.
  workspace: (ws: string) => ({ pk: `WS#${ws}`, sk: 'META' }),
  counters: (ws: string) => ({ pk: `WS#${ws}`, sk: 'COUNTERS' }),
  // The attempts of deliveries that may take long.
  deliverySlots: (ws: string) => ({ pk: `WS#${ws}`, sk: 'DELIVERIES' }),
  // Slots beyond those in the counters.
  slots: (ws: string) => `WS#${ws}#SLOTS`,
  slot: (ws: string, run: string) => ({ pk: `WS#${ws}#SLOTS`, sk: run }),
  costs: (ws: string) => `WS#${ws}#COSTS`,
  // The shards of a day.
  cost: (ws: string, day: string, shard: number) => ({ pk: `WS#${ws}#COSTS`, sk: `${day}#${shard}` }),
  apiKeys: (ws: string) => `WS#${ws}#KEYS`,
  apiKey: (ws: string, keyId: string) => ({ pk: `WS#${ws}#KEYS`, sk: keyId }),
  // The open streams of a key.
  openStreams: (ws: string, keyId: string) => `WS#${ws}#STREAMS#${keyId}`,
  openStream: (ws: string, keyId: string, id: string) => ({ pk: `WS#${ws}#STREAMS#${keyId}`, sk: id }),
  // The readers of a link at this moment, each with its seat.
  linkReaders: (ws: string, link: string) => `WS#${ws}#READERS#${link}`,
  linkReader: (ws: string, link: string, seat: number) => ({
    pk: `WS#${ws}#READERS#${link}`,
    sk: pad(seat, 3),
  }),
  // What the runs of a day came to, in sum; the runs that have changed since; runs that were deleted.
  usageState: (ws: string) => ({ pk: `WS#${ws}`, sk: 'USAGE' }),
  usageDays: (ws: string) => `WS#${ws}#USAGE`,
  usageDay: (ws: string, day: string) => ({ pk: `WS#${ws}#USAGE`, sk: day }),
  usageChanges: (ws: string) => `WS#${ws}#USAGE#CHANGES`,
  usageChange: (ws: string, day: string, run: string, version: number) => ({
    pk: `WS#${ws}#USAGE#CHANGES`,
    sk: `${day}#${run}#${version}`,
  }),
  deletedRuns: (ws: string) => `WS#${ws}#USAGE#DELETED`,
  ledger: (ws: string) => `WS#${ws}#LEDGER`,
  ledgerEntry: (ws: string, number: number) => ({ pk: `WS#${ws}#LEDGER`, sk: pad(number, 12) }),
  // The audit by time, newest last.
  audit: (ws: string) => `WS#${ws}#AUDIT`,
  auditEntry: (ws: string, at: number, nonce: string) => ({
    pk: `WS#${ws}#AUDIT`,
    sk: `${pad(at, 14)}#${nonce}`,
  }),
  // An API key by its keyed hash.
  bearer: (hash: string) => ({ pk: `KEY#${hash}`, sk: 'KEY' }),
  // Service-wide: the list of workspaces, maintenance, the embedding that all vectors were last made for.
  workspaces: 'WORKSPACES',
  listedWorkspace: (ws: string) => ({ pk: 'WORKSPACES', sk: ws }),
  maintenance: { pk: 'SERVICE', sk: 'MAINTENANCE' },
  embedding: { pk: 'SERVICE', sk: 'EMBEDDING' },
  // Which release wrote the table. Alone in its partition, so that a right can be for it alone.
  release: { pk: 'RELEASE', sk: 'RELEASE' },
  // Whether an endpoint of a model is away. Each run reads it, so each has a partition for itself.
  endpoint: (name: string) => ({ pk: `ENDPOINT#${name}`, sk: 'STATE' }),
  // One run: its state, input, output, checkpoints, journaled calls, log, deliveries.
  runPartition: (ws: string, run: string) => `WS#${ws}#RUN#${run}`,
  run: (ws: string, run: string) => ({ pk: `WS#${ws}#RUN#${run}`, sk: 'META' }),
  input: (ws: string, run: string) => ({ pk: `WS#${ws}#RUN#${run}`, sk: 'INPUT' }),
  plan: (ws: string, run: string) => ({ pk: `WS#${ws}#RUN#${run}`, sk: 'PLAN' }),
  checkpoints: 'STEP#',
  output: (ws: string, run: string) => ({ pk: `WS#${ws}#RUN#${run}`, sk: 'OUTPUT' }),
  checkpoint: (ws: string, run: string, position: number) => ({
    pk: `WS#${ws}#RUN#${run}`,
    sk: `STEP#${pad(position, 3)}`,
  }),
  calls: 'CALL#',
  callsOf: (position: number) => `CALL#${pad(position, 3)}#`,
  call: (ws: string, run: string, position: number, call: number) => ({
    pk: `WS#${ws}#RUN#${run}`,
    sk: `CALL#${pad(position, 3)}#${pad(call, 5)}`,
  }),
  // Model calls that the run keeps, by step and time; those of its query come first.
  saved: 'SAVED#',
  savedOf: (stepIndex: number) => `SAVED#${pad(stepIndex + 1, 16)}#`,
  savedCall: (ws: string, run: string, stepIndex: number, at: number, nonce: string) => ({
    pk: `WS#${ws}#RUN#${run}`,
    sk: `SAVED#${pad(stepIndex + 1, 16)}#${pad(at, 14)}#${nonce}`,
  }),
  // The jobs of a step, oldest first; the pages of items that came for one.
  jobs: 'JOB#',
  jobsOf: (position: number) => `JOB#${pad(position, 3)}#`,
  job: (ws: string, run: string, job: Omit<JobKey, keyof RunKey>) => ({
    pk: `WS#${ws}#RUN#${run}`,
    sk: `JOB#${pad(job.position, 3)}#${pad(job.resume, 6)}#${job.attempt}`,
  }),
  jobPage: (ws: string, run: string, job: Omit<JobKey, keyof RunKey>, page: number) => ({
    pk: `WS#${ws}#RUN#${run}`,
    sk: `JOBPAGE#${pad(job.position, 3)}#${pad(job.resume, 6)}#${job.attempt}#${pad(page, 2)}`,
  }),
  // Events of one commit share an item, whose key is the last of their sequences.
  log: 'EVENT#',
  events: (sequence: number) => `EVENT#${pad(sequence, 10)}`,
  // What is left to erase of a deleted run.
  deletion: (ws: string, run: string) => ({ pk: `WS#${ws}#RUN#${run}`, sk: 'DELETION' }),
  deliveries: 'DELIVERY#',
  delivery: (ws: string, run: string, eventId: string) => ({
    pk: `WS#${ws}#RUN#${run}`,
    sk: `DELIVERY#${eventId}`,
  }),
  // Runs of a workspace by time, newest last: all, by final status, by a pair of metadata.
  runList: (ws: string) => `WS#${ws}#RUNS`,
  runsOfStatus: (ws: string, status: RunStatus) => `WS#${ws}#RUNS#STATUS#${status}`,
  runsOfPair: (ws: string, pair: string) => `WS#${ws}#RUNS#PAIR#${sha256Hex(pair)}`,
  listedRun: (createdAt: number, run: string) => `${pad(createdAt, 14)}#${run}`,
  // Bounds that no run has: after, and before, all runs created at a time.
  listedBeyond: (createdAt: number) => `${pad(createdAt, 14)}$`,
  listedBefore: (createdAt: number) => pad(createdAt, 14),
  idempotency: (ws: string, endpoint: string, hash: string) => ({
    pk: `WS#${ws}#IDEMPOTENCY#${endpoint}#${hash}`,
    sk: 'KEY',
  }),
  // Monitors, what each runs, its fires; changes of records that monitors have not taken up.
  monitors: (ws: string) => `WS#${ws}#MONITORS`,
  monitor: (ws: string, id: string) => ({ pk: `WS#${ws}#MONITORS`, sk: id }),
  monitorRun: (ws: string, id: string) => ({ pk: `WS#${ws}#MONITOR#${id}`, sk: 'RUN' }),
  monitorPlan: (ws: string, id: string) => ({ pk: `WS#${ws}#MONITOR#${id}`, sk: 'PLAN' }),
  compared: (ws: string, monitor: string) => ({ pk: `WS#${ws}#MONITOR#${monitor}`, sk: 'COMPARED' }),
  fires: (ws: string, monitor: string) => `WS#${ws}#FIRES#${monitor}`,
  fire: (ws: string, monitor: string, id: string) => ({ pk: `WS#${ws}#FIRES#${monitor}`, sk: id }),
  mark: (ws: string, name: string) => ({ pk: `WS#${ws}#MARKS`, sk: name }),
  // Records, artifacts and notes.
  artifacts: (ws: string) => `WS#${ws}#ARTIFACTS`,
  artifact: (ws: string, id: string) => ({ pk: `WS#${ws}#ARTIFACTS`, sk: id }),
  notes: (ws: string) => `WS#${ws}#NOTES`,
  note: (ws: string, id: string) => ({ pk: `WS#${ws}#NOTES`, sk: id }),
  entities: (ws: string) => `WS#${ws}#ENTITIES`,
  entity: (ws: string, id: string) => ({ pk: `WS#${ws}#ENTITIES`, sk: id }),
  // Entities by their external names, which several may share. A name may exceed the maximum length of a key, hence the
  // hash.
  uri: (ws: string, uri: string) => `WS#${ws}#URI#${sha256Hex(uri)}`,
  externalId: (ws: string, source: string, id: string) => `WS#${ws}#EXTERNAL#${source}#${sha256Hex(id)}`,
  // Records that imports made of lines without id and outside names, by type and name.
  unnamed: (ws: string, type: string, name: string) =>
    `WS#${ws}#UNNAMED#${sha256Hex(JSON.stringify([type, name]))}`,
  // Who last took a name, for others that would take it at the same time.
  nameClaim: (ws: string, name: string) => ({ pk: `WS#${ws}#NAMED#${sha256Hex(name)}`, sk: 'CLAIM' }),
  // The change log of the records, and the newest snapshot of the record index.
  changes: (ws: string) => `WS#${ws}#CHANGES`,
  change: (ws: string, name: string) => ({ pk: `WS#${ws}#CHANGES`, sk: name }),
  changedIds: (ws: string, name: string) => ({ pk: `WS#${ws}#CHANGED`, sk: name }),
  recordsHead: (ws: string) => ({ pk: `WS#${ws}`, sk: 'RECORDS' }),
  // Which embedding the vectors of the records are to have, and how far they are made again.
  vectors: (ws: string) => ({ pk: `WS#${ws}`, sk: 'VECTORS' }),
  // The unfinished import of a file.
  countedImport: (ws: string, importId: string) => ({ pk: `WS#${ws}`, sk: `IMPORT#${importId}` }),
  fileImport: (ws: string, fileSha256: string) => ({ pk: `WS#${ws}`, sk: `IMPORT#${fileSha256}` }),
  relationships: (ws: string) => `WS#${ws}#RELATIONSHIPS`,
  relationship: (ws: string, id: string) => ({ pk: `WS#${ws}#RELATIONSHIPS`, sk: id }),
  linksOf: (ws: string, entity: string) => `WS#${ws}#LINKS#${entity}`,
  link: (ws: string, entity: string, relationship: string) => ({
    pk: `WS#${ws}#LINKS#${entity}`,
    sk: relationship,
  }),
  // Live sources.
  sources: (ws: string) => `WS#${ws}#SOURCES`,
  source: (ws: string, name: string) => ({ pk: `WS#${ws}#SOURCES`, sk: name }),
  // Bridges, and the state of each synced resource, per workspace.
  bridge: (bridge: string) => ({ pk: `BRIDGE#${bridge}`, sk: 'BRIDGE' }),
  synced: (ws: string, bridge: string, type: string, id: string) => ({
    pk: `WS#${ws}#SYNCED#${bridge}#${type}#${id}`,
    sk: 'STATE',
  }),
  // The bridge that claims a record; imported records have none.
  claim: (ws: string, entity: string) => ({ pk: `WS#${ws}#CLAIM#${entity}`, sk: 'BRIDGE' }),
} as const;

/** The index of all deliveries of a workspace by the time of their creation. */
export const deliveryIndex = { name: 'deliveries', pk: 'workspace_id', sk: 'listed_at' } as const;

/** The run of a partition; the inverse of `keys.runPartition`. */
export function runOfPartition(pk: string): RunKey {
  const [, workspace_id = '', , run_id = ''] = pk.split('#');
  return { workspace_id, run_id };
}

/** The step and the number of the call in its sort key; the inverse of `keys.call`. */
export function callOfKey(sk: string): { position: number; call: number } {
  const [, position, call] = sk.split('#');
  return { position: Number(position), call: Number(call) };
}

/** The delivery of a key; the inverse of `keys.delivery`. */
export function deliveryOfKey({ pk, sk }: { pk: string; sk: string }): DeliveryKey {
  return { ...runOfPartition(pk), event_id: sk.slice(keys.deliveries.length) };
}

/** The workspace of a partition; the inverse of the `pk` of `keys.recordsHead`. */
export const workspaceOfPartition = (pk: string): string => pk.split('#')[1] ?? '';

/** The partition of the index `due` with the failed deliveries of a workspace, by the time of their creation. */
export const failedDeliveries = (ws: string) => `WS#${ws}#DELIVERIES#failed`;

/** The job of a key; the inverse of `keys.job`. */
export function jobOfKey({ pk, sk }: { pk: string; sk: string }): JobKey {
  const [, position, resume, attempt] = sk.split('#').map(Number);
  return { ...runOfPartition(pk), position: position ?? 0, resume: resume ?? 0, attempt: attempt ?? 0 };
}

/** The partitions of the index `due` with the jobs of a workspace, by the time of their creation. */
export const jobLists = {
  open: (ws: string) => `WS#${ws}#JOBS#open`,
  over: (ws: string) => `WS#${ws}#JOBS#over`,
} as const;

/** The sparse index `due`, which the sweep reads, and its kinds of items. */
export const due = {
  index: 'due',
  runs: 'RUN',
  deliveries: 'DELIVERY',
  records: 'RECORDS',
  slots: 'SLOTS',
  monitors: 'MONITOR',
  marks: 'MARK',
  vectors: 'VECTORS',
} as const;
export type DueKind = Exclude<(typeof due)[keyof typeof due], typeof due.index>;

/** A partition takes some 1,000 writes a second and a time-ordered one cannot be split, so each kind has several. */
const DUE_PARTITIONS = 8;

/** The partitions of a kind. */
export function duePartitions(kind: DueKind): string[] {
  return Array.from({ length: DUE_PARTITIONS }, (_, i) => `${kind}#${i}`);
}

/** The due partition of an item, by the last digit of the random id of its run or workspace. */
export function duePartition(kind: DueKind, id: string): string {
  return duePartitions(kind)[Number.parseInt(id.slice(-1), 16) % DUE_PARTITIONS] ?? kind;
}
