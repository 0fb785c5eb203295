// Changes one record (rules.md: entities 9).
import type { Entity, EntityRecord } from '#contract/entities.ts';
import type { UpdateEntity } from '#contract/entity-changes.ts';
import { fail } from '#contract/errors.ts';
import { claimNoticeSoon, watching } from '#domain/change-notices/notify-monitors.ts';
import { wrongParam } from '#domain/runs/wrong-param.ts';
import { isUuid } from '#platform/crypto.ts';
import { newNotice, noticeWrite } from '#store/monitors/change-notices.ts';
import { transactRecords } from '#store/records/changes.ts';
import * as entities from '#store/records/entity-items.ts';
import * as nameClaims from '#store/records/name-claims.ts';
import { indexRecords } from '#store/records/vectors.ts';
import { type Actor, auditCount } from '#store/workspaces/audit.ts';
import type { Workspace } from '#store/workspaces/workspaces.ts';
import { embedRecords } from './embed.ts';
import { readEntity } from './read-entity.ts';
import { retryIfChanged } from './retry-if-changed.ts';
import { hasContentOf } from './same-content.ts';
import { fitsKey, whyNotStorable } from './storable-fields.ts';
import { textOf } from './which-record.ts';

const EMBEDDED_WITHIN_MS = 8000;

/**
 * Changes what the request names, and returns the record. Throws entity_not_found, external_uri_taken,
 * schema_validation_failed, upstream_timeout.
 */
export async function updateEntity(
  workspace: Workspace,
  id: string | undefined,
  change: UpdateEntity,
  by: Actor,
): Promise<EntityRecord> {
  if (!isUuid(id)) throw fail('entity_not_found');
  await retryIfChanged(() => changeRecord(workspace, id.toLowerCase(), change, by));
  return readEntity(workspace.workspace_id, id);
}

/** Throws ConditionFailed when another writer has changed the record, or taken its URI, since it was read. */
async function changeRecord(
  workspace: Workspace,
  id: string,
  change: UpdateEntity,
  by: Actor,
): Promise<void> {
  const { workspace_id } = workspace;
  const { external_uri } = change;
  const name = typeof external_uri === 'string' ? textOf({ external_uri }) : undefined;
  const claims = name === undefined ? undefined : await nameClaims.read(workspace_id, [name]);
  const before = await entities.get(workspace_id, id);
  if (!before) throw fail('entity_not_found');
  const after = changed(before, change);
  if (hasContentOf(before, after)) return;
  const isNewName = name !== undefined && external_uri !== before.external_uri;
  if (isNewName) await requireFree(after);
  const [made] = await embedRecords([after], EMBEDDED_WITHIN_MS);
  // The vector index first, as for imports: the same request again finds the record as it should be.
  if (made) await indexRecords(workspace_id, [{ entity: after, ...made }]);
  const watchers = await watching(workspace, [{ before, after }]);
  const mark = watchers.length > 0 ? newNotice(workspace_id) : undefined;
  await transactRecords(workspace_id, { records: [id] }, [
    ...entities.entityWrites(after, made, before),
    ...(isNewName ? [nameClaims.claimWrite(workspace_id, name, id, claims?.get(name))] : []),
    ...(mark ? [noticeWrite(mark, watchers, Date.now())] : []),
    auditCount(workspace_id, by, 'entity.update', { target: id, count: 1 }).write,
  ]);
  if (mark) await claimNoticeSoon(mark);
}

function changed(before: Entity, { name, fields, external_uri }: UpdateEntity): Entity {
  const merged = Object.entries({ ...before.fields, ...fields }).filter(([key, value]) => {
    const isTaken = fields !== undefined && Object.hasOwn(fields, key) && value === null;
    return !isTaken;
  });
  const after: Entity = {
    ...before,
    name: name ?? before.name,
    fields: Object.fromEntries(merged),
    external_uri: external_uri === undefined ? before.external_uri : (external_uri ?? undefined),
    updated_at: entities.updateTime(before),
  };
  const fault = whyNotStorable(after.fields);
  if (fault)
    throw wrongParam('fields', 'fields that can be stored', 'others', `The record would be ${fault}`);
  if (!fitsKey(after.external_uri)) throw wrongParam('external_uri', 'fewer bytes', 'more', 'Too long');
  return after;
}

/** Throws external_uri_taken. */
async function requireFree({ id, workspace_id, external_uri = '' }: Entity): Promise<void> {
  const holders = await entities.idsOf(workspace_id, { external_uri });
  if (holders.some((holder) => holder !== id)) throw fail('external_uri_taken', { param: 'external_uri' });
}
