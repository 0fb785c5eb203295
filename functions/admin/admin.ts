// The admin function: one command in, one JSON object out. IAM alone decides who may invoke it.
import type { Context } from 'aws-lambda';
import { adminActor } from '#domain/access/actor.ts';
import { purgeWorkspace } from '#domain/erasure/purge-workspace.ts';
import { endImport, startImport } from '#domain/records/file-import.ts';
import { importEntities } from '#domain/records/import-entities.ts';
import { importRelationships, resolveRelationships } from '#domain/records/import-relationships.ts';
import { rebuildVectors } from '#domain/records/rebuild-vectors.ts';
import { renewIndexes } from '#domain/records/renew-indexes.ts';
import * as sources from '#domain/sources/manage-sources.ts';
import * as bridges from '#domain/sync/bridges.ts';
import { AdminError } from '#domain/workspaces/admin-error.ts';
import { createKey, listKeys, revokeKey } from '#domain/workspaces/keys.ts';
import { endMaintenance, showMaintenance, startMaintenance } from '#domain/workspaces/maintenance.ts';
import { requireWorkspace } from '#domain/workspaces/require-workspace.ts';
import { createWorkspace, updateWorkspace } from '#domain/workspaces/settings.ts';
import { showWorkspace } from '#domain/workspaces/show-workspace.ts';
import { describe, log } from '#platform/log.ts';
import { sqliteEngine } from '#record-index/engine.ts';
import { type LedgerEntry, listEntries } from '#store/money/ledger.ts';
import type { Actor } from '#store/workspaces/audit.ts';
import { Command, issueLines } from './commands.ts';
import { listDeliveries } from './list-deliveries.ts';
import { seedDemo } from './seed-demo.ts';

/** Longer than any API request (55 s); a call ends well before this function's 300 s. */
const purge = { settle_ms: 60_000, call_ms: 60_000 };

/** The most ledger entries in one reply. */
const ENTRIES_MAX = 5000;

interface Refused {
  error: { code: string; message: string };
}

/** Executes a command. A failure is part of the reply, without its stack. */
export async function handler(
  event: unknown,
  { awsRequestId }: Pick<Context, 'awsRequestId'>,
): Promise<object | Refused> {
  const command = Command.safeParse(event);
  if (!command.success) return refused('invalid_arguments', issueLines(command.error).join('; '));
  const workspace_id = 'workspace_id' in command.data ? command.data.workspace_id : undefined;
  // CloudTrail's data events of this function know who sent the request of this id.
  log.info('admin command', { command: command.data.command, workspace_id, request_id: awsRequestId });
  try {
    return await carryOut(command.data, adminActor(awsRequestId));
  } catch (error) {
    if (error instanceof AdminError) return refused(error.code, error.message);
    log.error('command failed', { command: command.data.command, error: describe(error) });
    return refused('internal_error', 'The command failed; see the log of the function Admin.');
  }
}

function refused(code: string, message: string): Refused {
  return { error: { code, message } };
}

async function carryOut(input: Command, by: Actor): Promise<object> {
  switch (input.command) {
    case 'workspace.create': {
      const { command: _, ...settings } = input;
      return createWorkspace(settings);
    }
    case 'workspace.update': {
      const { command: _, workspace_id, ...settings } = input;
      return updateWorkspace(workspace_id, settings, by);
    }
    case 'workspace.show':
      return showWorkspace(input.workspace_id);
    case 'workspace.purge':
      return purgeWorkspace(input, purge);
    case 'key.create':
      return createKey(input, by);
    case 'key.revoke':
      return revokeKey(input.key_id, by);
    case 'key.list':
      return listKeys(input.workspace_id);
    case 'import.start':
      return startImport(input.workspace_id, input.file_sha256);
    case 'import.end':
      return endImport(input.workspace_id, input.file_sha256);
    case 'entity.import':
      return importEntities(input.workspace_id, input.entities, input.origin);
    case 'relationship.resolve':
      return resolveRelationships(input.workspace_id, input.relationships);
    case 'relationship.import':
      return importRelationships(input.workspace_id, input.relationships);
    case 'bridge.create':
      return bridges.createBridge(input.bridge);
    case 'bridge.update':
      return bridges.updateBridge(input.bridge_id, input);
    case 'source.create':
      return sources.createSource(input.workspace_id, input.source, by);
    case 'source.update':
      return sources.updateSource(input.workspace_id, input.name, input.source, by);
    case 'source.list':
      return sources.listSources(input.workspace_id);
    case 'source.delete':
      return sources.deleteSource(input.workspace_id, input.name, by);
    case 'maintenance.start':
      return startMaintenance(input.workspace_id, input.after);
    case 'maintenance.end':
      return endMaintenance(input.workspace_id, input.after);
    case 'maintenance.show':
      return showMaintenance(input.workspace_id, input.after);
    case 'delivery.list':
      return listDeliveries(input.run_id, input.after);
    case 'ledger.list':
      return listLedger(input.workspace_id);
    case 'vector.rebuild':
      return rebuildVectors(input.workspace_id, input.after);
    case 'index.renew':
      return renewIndexes(input.workspace_id, input.after);
    case 'index.engine':
      return sqliteEngine();
    case 'seed_demo':
      return seedDemo(by);
  }
}

/** The newest ledger entries of a workspace, oldest first. Throws AdminError `workspace_not_found`. */
async function listLedger(workspaceId: string): Promise<{ entries: LedgerEntry[] }> {
  const { workspace_id } = await requireWorkspace(workspaceId);
  return { entries: await listEntries(workspace_id, ENTRIES_MAX) };
}
