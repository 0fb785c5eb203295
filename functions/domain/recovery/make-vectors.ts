// Vectors that are missing, or that another embedding made: the sweep makes them (rules.md: vectors 1, vectors 2).
import { offlineVectorOf } from '#contract/embeddings.ts';
import { isModelTrouble } from '#domain/records/embed.ts';
import { remake, remakeOutdated } from '#domain/records/rebuild-vectors.ts';
import { configuredEmbedding } from '#models/configured-embedding.ts';
import { ModelsAway } from '#models/models-away.ts';
import { chunks } from '#platform/chunks.ts';
import { describe, log } from '#platform/log.ts';
import { pause } from '#platform/pause.ts';
import { recordPage, recordStates } from '#store/records/record-states.ts';
import {
  advanceRebuild,
  getRebuild,
  lastEmbedding,
  rememberEmbedding,
  requestRebuild,
} from '#store/records/vector-rebuilds.ts';
import { eraseVectors } from '#store/records/vectors.ts';
import { type DueItem, duePages, removeDue } from '#store/table/due.ts';
import { due, duePartitions, keys, workspaceOfPartition } from '#store/table/table-keys.ts';
import * as workspaces from '#store/workspaces/workspaces.ts';
import type { Repairs, SweepTime } from './repair-due.ts';

/** The longest that a timer takes. */
const LONGEST_MS = 2 ** 31 - 1;
/** Records whose vectors are made at a time. */
const SOME = 100;

/**
 * Makes what is due, until the time is up. While the embedding model is away everything stays due, so that the first
 * sweep after its return makes it. Safe to repeat: a sweep that overlaps with another one makes the same vectors.
 */
export async function makeVectors({ now, until }: SweepTime): Promise<Partial<Repairs>> {
  const signal = AbortSignal.timeout(Math.min(Math.max(0, until - Date.now()), LONGEST_MS));
  const made = await Promise.allSettled([
    followModel(),
    ...duePartitions(due.vectors).map((partition) =>
      whileAway(() => makeDue(partition, now, signal), until, signal),
    ),
  ]);
  const failures = made.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  const broken = failures.find((error) => !isModelTrouble(error));
  if (broken !== undefined) log.error('not repaired', { error: describe(broken) });
  else if (failures.length > 0 && !signal.aborted)
    log.warn('vectors not made', { error: describe(failures[0]) });
  return { repairs_failed: broken === undefined ? 0 : 1 };
}

/** After a change of the embedding model, all workspaces are asked for. */
async function followModel(): Promise<void> {
  const { embeddingModel: model } = configuredEmbedding();
  const last = await lastEmbedding();
  if (last === model || (last === undefined && model === 'offline')) return;
  for (let after: string | undefined; ; ) {
    const page = await workspaces.page(after);
    for (const { workspace_id, status } of page.workspaces)
      if (status !== 'deleted') await requestRebuild(workspace_id, { model });
    if (page.next === undefined) break;
    after = page.next;
  }
  // Last: a sweep that dies before it asks all of them again.
  await rememberEmbedding(model);
}

/** Goes on as soon as the embedding model may be asked, if that is in time: the next sweep is a minute away. */
async function whileAway(make: () => Promise<void>, until: number, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      return await make();
    } catch (error) {
      if (!(error instanceof ModelsAway) || error.until > until) throw error;
      await pause(error.until - Date.now(), signal);
      if (signal.aborted) throw error;
    }
  }
}

async function makeDue(partition: string, now: number, signal: AbortSignal): Promise<void> {
  for await (const page of duePages(partition, now)) {
    const isRebuild = ({ pk, sk }: DueItem) => sk === keys.vectors(workspaceOfPartition(pk)).sk;
    const single = page.filter((item) => !isRebuild(item));
    for (const [workspaceId, items] of Map.groupBy(single, ({ pk }) => workspaceOfPartition(pk)))
      for (const some of chunks(items, SOME)) {
        if (signal.aborted) return;
        await makeMissing(workspaceId, some, signal);
      }
    for (const item of page.filter(isRebuild)) await goOn(item, signal);
  }
}

/** Makes the vectors of records that were saved without. */
async function makeMissing(workspaceId: string, items: DueItem[], signal: AbortSignal): Promise<void> {
  const states = await recordStates(
    workspaceId,
    items.map(({ sk }) => sk),
  );
  // The index lags behind the table.
  const missing = states.filter(({ vector }) => !vector).map(({ entity }) => entity);
  if (missing.length > 0) await remake(workspaceId, missing, signal);
}

/** Goes on with the rebuild of a workspace, page by page, and ends it. */
async function goOn(item: DueItem, signal: AbortSignal): Promise<void> {
  const workspaceId = workspaceOfPartition(item.pk);
  const rebuild = await getRebuild(workspaceId);
  if (rebuild?.due_at !== item.due_at) return;
  const { embeddingModel: model } = configuredEmbedding();
  // One for another model was asked for by a function of an older deployment.
  const wanted = { model, dimensions: rebuild.model === model ? rebuild.dimensions : undefined };
  for (let after = rebuild.done_to; ; ) {
    if (signal.aborted) return;
    const { next } = await remakeOutdated(workspaceId, wanted, after, signal);
    if (next === undefined) break;
    if (!(await advanceRebuild(item, next))) return;
    after = next;
  }
  await removeDue(item);
  const [first] = (await recordPage(workspaceId, undefined)).records;
  if (first?.vector) await eraseVectors(workspaceId, first.vector_of ?? offlineVectorOf(first.vector.length));
}
