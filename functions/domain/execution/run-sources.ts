// The sources of one run: the record indexes and the table, limited to the run's workspace and config.
import { offlineVectorOf } from '#contract/embeddings.ts';
import type { Hit, NearestQuery } from '#contract/record-queries.ts';
import { groupRecords, openRecords } from '#domain/records/records-client.ts';
import { createStepReading, type StepReading } from '#domain/records/step-reading.ts';
import { type Reading, readSource, type SourceCall } from '#domain/sources/read-source.ts';
import type { Retry } from '#models/retry.ts';
import { readItems } from '#record-index/record-index.ts';
import { createSources } from '#sources/create-sources.ts';
import type { LiveView, Readers, RecordView } from '#sources/readers.ts';
import { nearest } from '#sources/similarity.ts';
import type { LiveQuery, Sources } from '#sources/source-port.ts';
import * as entities from '#store/records/entity-items.ts';
import type { SeenHead } from '#store/records/record-heads.ts';
import * as relationships from '#store/records/relationship-items.ts';
import { requestRebuild } from '#store/records/vector-rebuilds.ts';
import * as vectors from '#store/records/vectors.ts';
import * as artifacts from '#store/runs/artifacts.ts';
import * as notes from '#store/runs/notes.ts';
import type { RunRecord } from '#store/runs/run-record.ts';
import * as liveSources from '#store/workspaces/sources.ts';
import { GLOBAL_WORKSPACE_ID } from '#store/workspaces/workspaces.ts';
import { type Asking, askJob } from './ask-job.ts';

/** How many notes, newest first, count as the source `notes`. */
const NOTES_MAX = 1000;
/** How long a step waits until the index includes everything written before. */
const INDEX_BUDGET_MS = 20_000;

const tableReaders: Omit<Readers, 'open' | 'group' | 'readLive' | 'readEach'> = {
  entitiesByIds: entities.getMany,
  relationshipsByIds: relationships.getMany,
  resolve: async (workspaceId, ref) => (await entities.resolve(workspaceId, ref)) ?? null,
  notesOf: (workspaceId) => notes.newest(workspaceId, NOTES_MAX),
  notesByIds: notes.getMany,
  artifactsOf: artifacts.newest,
  artifactsByIds: artifacts.getMany,
};

/** A view of a workspace's records. Its answers throw RecordsBehind if an index cannot apply all changes in time. */
function open(workspaceId: string, reading: StepReading, seen: SeenHead | undefined): RecordView {
  const ask = openRecords(workspaceId, INDEX_BUDGET_MS, { reading, seen });
  const view: RecordView = {
    types: () => ask('types'),
    find: (query) => ask('find', query),
    fields: (query) => ask('fields', query),
    nearest: async (query) => (await nearestCandidates(workspaceId, view, query)) ?? ask('nearest', query),
    vectorCounts: () => ask('vectorCounts'),
    findLinks: (query) => ask('findLinks', query),
    linksOf: (ids, limit) => ask('linksOf', { ids, limit }),
  };
  return view;
}

/**
 * The nearest of the records in the index of vectors that meet the condition; undefined if the stage has no such index.
 */
async function nearestCandidates(
  workspaceId: string,
  { find }: Pick<RecordView, 'find'>,
  { vector, vector_of = offlineVectorOf(vector.length), limit, min_score, ...selection }: NearestQuery,
): Promise<Hit[] | undefined> {
  const ids = await vectors.candidates(workspaceId, {
    ...{ query: vector, vector_of, types: selection.types },
  });
  if (ids === undefined) return undefined;
  if (ids.length === 0) return [];
  const named = { field: 'id', op: 'in', value: ids } as const;
  const where = selection.where ? { and: [selection.where, named] } : named;
  const { hits } = await find({ ...selection, where, sort: 'relevance', limit: ids.length });
  const stored = await vectors.getMany(
    workspaceId,
    hits.map(({ id }) => id),
    vector_of,
  );
  const bodies = new Map(hits.map(({ id, body }) => [id, body]));
  return nearest(vector, stored, min_score)
    .slice(0, limit)
    .flatMap(({ id, score }) => {
      const body = bodies.get(id);
      return body === undefined ? [] : [{ id, body, score, keys: [score] }];
    });
}

/** How a step reads live sources. */
export interface LiveReading extends Pick<Reading, 'beforeCall' | 'leftMs'> {
  step_index: number;
  /** The names of the sources of the workspace. */
  names: ReadonlySet<string>;
  onRetry(source: string, retry: Retry): Promise<void>;
  onCall(source: string, call: SourceCall): void;
  /** The step, for sources that are asked by a job. */
  asking: Omit<Asking, 'onRetry'>;
}

/** What came from a source: indexed in memory for each reading, because nothing else may find it. */
async function readLive(
  run: Pick<RunRecord, 'workspace_id' | 'id'>,
  { step_index, names, beforeCall, leftMs, onRetry, onCall, asking }: LiveReading,
  reading: StepReading,
  name: string,
  query: LiveQuery,
): Promise<LiveView | undefined> {
  const { workspace_id } = run;
  const source = names.has(name) ? await liveSources.get(workspace_id, name) : undefined;
  // The job of a source that was deleted meanwhile goes on.
  if (!source && !asking.begun) return undefined;
  const { signal } = reading;
  const retried = (retry: Retry) => onRetry(name, retry);
  const { work: _, ...asked } = query;
  const [paged, worker] = source && liveSources.isPaged(source) ? [source, undefined] : [undefined, source];
  const found = await reading.watch(async () => {
    // A step that has a job goes on with it, whatever became of the source.
    const came =
      worker || asking.begun
        ? await askJob(name, worker, query, { ...asking, onRetry: retried }, signal)
        : undefined;
    if (came || !paged) return came;
    const request = { run_id: run.id, step_index, ...asked };
    const onPage = (call: SourceCall) => onCall(name, call);
    return readSource(paged, request, {
      ...{ signal, beforeCall, leftMs },
      ...{ onRetry: retried, onCall: onPage },
    });
  });
  if (!found) return undefined;
  const { items, ended } = found;
  const read = { owner: `${workspace_id} items`, items };
  return {
    items: items.map((item) => ({ ...item, kind: 'external' })),
    ended,
    described: source?.fields.map((field) => field.name) ?? [],
    find: (selected) => reading.watch(() => readItems(reading, read, 'find', selected)),
    fields: (selected) => reading.watch(() => readItems(reading, read, 'fields', selected)),
    group: (selected) =>
      reading.watch(() => readItems(reading, read, 'group', { query: selected, other_files: [] })),
  };
}

/**
 * The sources that one step of a run may read; `embed` is counted for the calling step. `seen` spares a question
 * the same read. Without `live` there are no live sources.
 */
export function sourcesOf(
  run: Pick<RunRecord, 'workspace_id' | 'id' | 'config'>,
  embed: (texts: string[]) => Promise<number[][]>,
  {
    seen,
    live,
    embedding_model = 'offline',
  }: { seen?: SeenHead; live?: LiveReading; embedding_model?: string } = {},
): Sources {
  const { xray = false, global_search = false } = run.config;
  const reading = createStepReading(run);
  const readers: Readers = {
    ...tableReaders,
    readLive: async (name, query) => live && readLive(run, live, reading, name, query),
    readEach: (items, make) => reading.each(items, make),
    open: async (workspaceId) =>
      open(workspaceId, reading, workspaceId === run.workspace_id ? seen : undefined),
    group: (workspaceIds, query) => groupRecords(workspaceIds, query, INDEX_BUDGET_MS, reading),
  };
  return createSources(readers, {
    workspace_id: run.workspace_id,
    global_workspace_id: xray || global_search ? GLOBAL_WORKSPACE_ID : null,
    xray,
    embed,
    embedding_model,
    rebuildVectors: requestRebuild,
  });
}
