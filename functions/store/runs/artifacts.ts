// Artifacts that runs saved.
import type { Readable } from 'node:stream';
import * as z from 'zod';
import { Artifact, EntityLink } from '#contract/artifacts.ts';
import { runObject } from '../table/object-keys.ts';
import { absentIfGone } from '../table/object-store.ts';
import { openPacked, Packed, pack, unpack } from '../table/packed.ts';
import { getItem, type Item, queryNewest, tableName, type Write } from '../table/table.ts';
import { keys } from '../table/table-keys.ts';
import { existingItems, livesWith, type OwningRun, openExisting, openMany } from './items-with-run.ts';

const Stored = z.object({
  id: z.string(),
  body: Packed,
  /** Not in the body, whose text is sent unchanged, with or without them. */
  entity_refs: z.array(EntityLink).default([]),
  row_ids: Packed.optional(),
});
const RowIds = z.array(z.string().nullable());

async function open(item: Item): Promise<Artifact> {
  const { body, entity_refs } = Stored.parse(item);
  return { entity_refs, ...(await unpack(body, (value) => Artifact.parse(value))) };
}

/**
 * Write that saves an artifact of a run with its links (rules.md: artifacts 3); `artifact.id` is time-ordered.
 * `row_ids`: the items of a source in the rows of a table.
 */
export async function artifactWrite(
  run: OwningRun,
  artifact: Artifact,
  row_ids?: z.infer<typeof RowIds>,
): Promise<Write> {
  const { workspace_id, id } = run;
  const { entity_refs, ...rest } = artifact;
  const key = runObject(workspace_id, id, `artifact-${artifact.id}`);
  const [body, ids] = await Promise.all([pack(rest, key), row_ids && pack(row_ids, `${key}-rows`)]);
  return {
    Put: {
      TableName: tableName(),
      Item: {
        ...keys.artifact(workspace_id, artifact.id),
        id: artifact.id,
        body,
        entity_refs,
        ...(ids && { row_ids: ids }),
        ...livesWith(run),
      },
    },
  };
}

/** The JSON text of an artifact, piece by piece, without its links; undefined if the workspace has none of this id. */
export async function openText(
  workspaceId: string,
  id: string,
): Promise<{ text: Readable; entity_refs: EntityLink[] } | undefined> {
  const [item] = await existingItems(workspaceId, [await getItem(keys.artifact(workspaceId, id))]);
  if (!item) return undefined;
  const { body, entity_refs } = Stored.parse(item);
  // A run may be deleted while its artifact is opened.
  const text = await openPacked(body).catch(absentIfGone);
  return text && { text, entity_refs };
}

/** The ids of the items of a source in the rows of a table; none where it has no such items, or is gone. */
export async function rowIdsOf(workspaceId: string, id: string): Promise<z.infer<typeof RowIds>> {
  const [item] = await existingItems(workspaceId, [await getItem(keys.artifact(workspaceId, id))]);
  const packed = item && Stored.parse(item).row_ids;
  const ids = packed && (await unpack(packed, (value) => RowIds.parse(value)).catch(absentIfGone));
  return ids ?? [];
}

/** The artifacts that exist among the ids, in their order. */
export function getMany(workspaceId: string, ids: string[]): Promise<Artifact[]> {
  return openMany(workspaceId, ids, keys.artifact, open);
}

/** The newest artifacts of a workspace. */
export async function newest(workspaceId: string, limit: number): Promise<Artifact[]> {
  return openExisting(workspaceId, await queryNewest(keys.artifacts(workspaceId), limit), open);
}
