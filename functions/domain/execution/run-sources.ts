// The sources of one run: the readers of the store, limited to the run's workspace and config.
import type { Entity } from '#contract/entities.ts';
import { createSources } from '#sources/create-sources.ts';
import type { Readers } from '#sources/readers.ts';
import type { Sources } from '#sources/source.ts';
import * as artifacts from '#store/artifacts.ts';
import * as entities from '#store/entities.ts';
import * as notes from '#store/notes.ts';
import * as relationships from '#store/relationships.ts';
import type { RunRecord } from '#store/runs.ts';
import { candidates } from '#store/vectors.ts';
import { GLOBAL_WORKSPACE_ID } from '#store/workspaces.ts';

/** How many notes, newest first, count as the source `notes`. */
const NOTES_MAX = 1000;

/** The readers of one step, which read the records of a workspace at most once. */
function stepReaders(): Readers {
  const read = new Map<string, Promise<Entity[]>>();
  const all = (workspaceId: string): Promise<Entity[]> => {
    const known = read.get(workspaceId) ?? entities.list(workspaceId);
    read.set(workspaceId, known);
    return known;
  };
  return {
    ...readers,
    typesOf: async (workspaceId) => [...new Set((await all(workspaceId)).map((entity) => entity.type))],
    entitiesOf: async (workspaceId, types) =>
      (await all(workspaceId)).filter((entity) => !types || types.includes(entity.type)),
  };
}

const readers: Omit<Readers, 'typesOf' | 'entitiesOf'> = {
  entitiesByIds: entities.getMany,
  resolve: async (workspaceId, ref) => (await entities.resolve(workspaceId, ref)) ?? null,
  vectorsOf: candidates,
  relationshipsOf: relationships.list,
  relationshipsOfEntities: relationships.ofEntities,
  notesOf: (workspaceId) => notes.newest(workspaceId, NOTES_MAX),
  notesByIds: notes.getMany,
  artifactsOf: artifacts.newest,
  artifactsByIds: artifacts.getMany,
};

/** The sources that a run may read; `embed` counts on the step that asks. */
export function sourcesOf(
  run: Pick<RunRecord, 'workspace_id' | 'config'>,
  embed: (texts: string[]) => Promise<number[][]>,
): Sources {
  const { xray = false, global_search = false } = run.config;
  return createSources(stepReaders(), {
    workspace_id: run.workspace_id,
    global_workspace_id: xray || global_search ? GLOBAL_WORKSPACE_ID : null,
    xray,
    embed,
  });
}
