// Artifacts that runs saved.
import * as z from 'zod';
import { Artifact, TableRow } from '#contract/artifacts.ts';
import { mapInTurns } from '#platform/turns.ts';
import { Packed, pack, unpack } from '../table/packed.ts';
import { getItem, getItems, type Item, queryNewest, tableName, type Write } from '../table/table.ts';
import { keys } from '../table/table-keys.ts';

const Stored = z.object({
  id: z.string(),
  body: Packed,
});

const Table = z.looseObject({ kind: z.literal('table'), rows: z.array(z.unknown()) });

async function open(item: Item): Promise<Artifact> {
  return unpack(Stored.parse(item).body, parse);
}

/** An artifact as read. Parsed in turns, because a table may have many rows. */
async function parse(value: unknown): Promise<Artifact> {
  const table = Table.safeParse(value);
  if (!table.success) return Artifact.parse(value);
  const artifact = Artifact.parse({ ...table.data, rows: [] });
  if (artifact.kind !== 'table') return artifact;
  return { ...artifact, rows: await mapInTurns(table.data.rows, (row) => TableRow.parse(row)) };
}

/** Write that saves an artifact; `artifact.id` is time-ordered. Links are part of the body (rules.md: artifacts 3). */
export async function artifactWrite(workspaceId: string, artifact: Artifact): Promise<Write> {
  const body = await pack(artifact, `${workspaceId}/artifacts/${artifact.id}.json`);
  return {
    Put: {
      TableName: tableName(),
      Item: { ...keys.artifact(workspaceId, artifact.id), id: artifact.id, body },
    },
  };
}

/** The artifact, or undefined if the workspace has none of this id. */
export async function get(workspaceId: string, id: string): Promise<Artifact | undefined> {
  const item = await getItem(keys.artifact(workspaceId, id));
  return item && open(item);
}

/** The artifacts that exist among the ids, in their order. */
export async function getMany(workspaceId: string, ids: string[]): Promise<Artifact[]> {
  const items = await getItems([...new Set(ids)].map((id) => keys.artifact(workspaceId, id)));
  const found = new Map((await Promise.all(items.map(open))).map((artifact) => [artifact.id, artifact]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** The newest artifacts of a workspace. */
export async function newest(workspaceId: string, limit: number): Promise<Artifact[]> {
  return Promise.all((await queryNewest(keys.artifacts(workspaceId), limit)).map(open));
}
