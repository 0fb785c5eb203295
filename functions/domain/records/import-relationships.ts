// Imports relationships in bulk for an administrator.
import type { EntityRef, Relationship, RelationshipLine } from '#contract/entities.ts';
import { idsInIndex, writeImport } from '#domain/records/index-home.ts';
import { AdminError } from '#domain/workspaces/admin-error.ts';
import { requireLivingWorkspace } from '#domain/workspaces/require-workspace.ts';
import { canonicalJson, isSameJson, sha256, uuidFrom } from '#platform/crypto.ts';
import * as entities from '#store/records/entity-items.ts';
import * as relationships from '#store/records/relationship-items.ts';
import type { ImportCounts } from './import-entities.ts';
import { readForImport, waitsUntil } from './import-waits.ts';
import { writeRecords } from './write-records.ts';

type ImportedRelationship = Pick<Relationship, 'id' | 'from_id' | 'to_id' | 'type' | 'metadata'>;

/** An end of a line whose reference matches no record or several; `index` counts the lines from 0. */
export interface DanglingEnd {
  index: number;
  end: 'from' | 'to';
  ref: EntityRef;
}

export interface Ends {
  from_id: string;
  to_id: string;
}

/**
 * The records at the ends of the lines, in their order (null where an end cannot be resolved), and which ends those
 * are. Writes nothing. Throws AdminError `workspace_not_found`.
 */
export async function resolveRelationships(
  workspaceId: string,
  lines: Pick<RelationshipLine, 'from' | 'to'>[],
): Promise<{ ends: (Ends | null)[]; unresolvable: DanglingEnd[] }> {
  const { workspace_id } = await requireLivingWorkspace(workspaceId);
  return readForImport(lines.length, waitsUntil(), () => resolveEnds(workspace_id, lines));
}

/** The answer of an import: it counts the relationships, not the lines. */
export interface ImportedRelationships extends ImportCounts {
  imported: number;
  relationships: ImportedRelationship[];
}

/**
 * Saves the relationships of the lines, or none when an end cannot be resolved. Ends, type and the role in the metadata
 * make one: a later line with other metadata replaces it, and one that changes nothing is not written (rules.md: admin
 * 13). Throws AdminError.
 */
export async function importRelationships(
  workspaceId: string,
  lines: RelationshipLine[],
): Promise<ImportedRelationships> {
  const { workspace_id } = await requireLivingWorkspace(workspaceId);
  const until = waitsUntil();
  const { ends, unresolvable } = await readForImport(lines.length, until, () =>
    resolveEnds(workspace_id, lines),
  );
  if (unresolvable.length > 0)
    throw new AdminError(
      'entity_not_resolvable',
      `${unresolvable.length} ends match no single record; nothing was written.`,
    );
  const now = Date.now();
  const all = lines.flatMap((line, i) => {
    const found = ends[i];
    return found ? [toRelationship(workspace_id, line, found, now)] : [];
  });
  // The last line of a relationship decides.
  const distinct = [...new Map(all.map((relationship) => [relationship.id, relationship])).values()];
  const counts = await saveChanged(workspace_id, distinct, until);
  const relationships = distinct.map(({ id, from_id, to_id, type, metadata }) => ({
    id,
    from_id,
    to_id,
    type,
    metadata,
  }));
  return { imported: distinct.length, ...counts, relationships };
}

async function saveChanged(
  workspaceId: string,
  distinct: Relationship[],
  until: number,
): Promise<ImportCounts> {
  const ids = distinct.map(({ id }) => id);
  const stored = await readForImport(ids.length, until, () => relationships.getMany(workspaceId, ids));
  const before = new Map(stored.map((relationship) => [relationship.id, relationship]));
  const changed = distinct
    .map((one) => ({ ...one, created_at: before.get(one.id)?.created_at ?? one.created_at }))
    .filter(({ id, metadata }) => !isSameJson(before.get(id)?.metadata ?? null, metadata));
  await save(workspaceId, changed, until);
  const created = distinct.length - before.size;
  return { created, updated: changed.length - created, unchanged: distinct.length - changed.length };
}

async function save(workspaceId: string, changed: Relationship[], until: number): Promise<void> {
  if (changed.length === 0) return;
  const units = changed.map((relationship) => ({
    id: relationship.id,
    writes: relationships.relationshipWrites(relationship),
    bytes: 3 * Buffer.byteLength(JSON.stringify(relationship)),
  }));
  await writeImport(workspaceId, async () => {
    const { applied } = await writeRecords(workspaceId, 'relationships', units, until);
    return { applied, changes: { relationships: changed } };
  });
}

async function resolveEnds(
  workspaceId: string,
  lines: Pick<RelationshipLine, 'from' | 'to'>[],
): Promise<{ ends: (Ends | null)[]; unresolvable: DanglingEnd[] }> {
  const found = await resolveIds(
    workspaceId,
    lines.flatMap(({ from, to }) => [from, to]),
  );
  const unresolvable: DanglingEnd[] = [];
  const ends = lines.map(({ from, to }, index) => {
    const from_id = found[2 * index];
    const to_id = found[2 * index + 1];
    if (from_id === undefined) unresolvable.push({ index, end: 'from', ref: from });
    if (to_id === undefined) unresolvable.push({ index, end: 'to', ref: to });
    return from_id !== undefined && to_id !== undefined ? { from_id, to_id } : null;
  });
  return { ends, unresolvable };
}

/** For each reference the id of the one record that it names; undefined when it names none or several. */
async function resolveIds(workspaceId: string, refs: EntityRef[]): Promise<(string | undefined)[]> {
  const known = await idsInIndex(workspaceId, refs);
  const rest = refs.filter((_, i) => known[i] === undefined);
  const found = (await entities.resolveIds(workspaceId, rest)).values();
  return refs.map((_, i) => known[i] ?? found.next().value);
}

function toRelationship(
  workspace_id: string,
  { type, metadata }: RelationshipLine,
  { from_id, to_id }: Ends,
  now: number,
): Relationship {
  const identity = metadata.role === undefined ? {} : { role: metadata.role };
  const id = uuidFrom(sha256(canonicalJson([workspace_id, from_id, to_id, type, identity])));
  return { id, workspace_id, from_id, to_id, type, metadata, created_at: now, updated_at: now };
}
