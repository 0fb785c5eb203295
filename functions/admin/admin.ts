// The admin function: one command in, one JSON object out. IAM alone decides who may invoke it.
import type { Context } from 'aws-lambda';
import { adminActor } from '#domain/access/actor.ts';
import { purgeWorkspace } from '#domain/erasure/purge-workspace.ts';
import { endImport, startImport } from '#domain/records/file-import.ts';
import { importEntities } from '#domain/records/import-entities.ts';
import { importRelationships, resolveRelationships } from '#domain/records/import-relationships.ts';
import { rebuildVectors } from '#domain/records/rebuild-vectors.ts';
import { renewIndexes } from '#domain/records/renew-indexes.ts';
import { showVectors } from '#domain/records/show-vectors.ts';
import * as sources from '#domain/sources/manage-sources.ts';
import * as bridges from '#domain/sync/manage-bridges.ts';
import { AdminError } from '#domain/workspaces/admin-error.ts';
import { createKey, listKeys, revokeKey } from '#domain/workspaces/keys.ts';
import { endMaintenance, showMaintenance, startMaintenance } from '#domain/workspaces/maintenance.ts';
import { requireWorkspace } from '#domain/workspaces/require-workspace.ts';
import { createWorkspace, updateWorkspace } from '#domain/workspaces/settings.ts';
import { showWorkspace } from '#domain/workspaces/show-workspace.ts';
import { describe, log } from '#platform/log.ts';
import { sqliteEngine } from '#record-index/sqlite-engine.ts';
import { type LedgerEntry, listEntries } from '#store/money/ledger.ts';
import type { Actor } from '#store/workspaces/audit.ts';
import { checkModel } from './check-model.ts';
import { Claim, Command, issueLines } from './commands.ts';
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
  const claim = Claim.safeParse(event);
  if (!claim.success) return refused('invalid_arguments', issueLines(claim.error).join('; '));
  const { claimed_caller, ...input } = claim.data;
  const command = Command.safeParse(input);
  if (!command.success) return refused('invalid_arguments', issueLines(command.error).join('; '));
  const workspace_id = 'workspace_id' in command.data ? command.data.workspace_id : undefined;
  // CloudTrail's data events of this function prove who sent the request of this id.
  log.info('admin command', {
    command: command.data.command,
    workspace_id,
    claimed_caller,
    request_id: awsRequestId,
  });
  try {
    return await carryOut(command.data.command, command.data, adminActor(awsRequestId));
  } catch (error) {
    if (error instanceof AdminError) return refused(error.code, error.message);
    log.error('command failed', { command: command.data.command, error: describe(error) });
    return refused('internal_error', 'The command failed; see the log of the function Admin.');
  }
}

function refused(code: string, message: string): Refused {
  return { error: { code, message } };
}

type Commands = { [One in Command as One['command']]: One };

const effects: { [Name in keyof Commands]: (input: Commands[Name], by: Actor) => Promise<object> | object } =
  {
    'workspace.create': ({ command: _, ...settings }) => createWorkspace(settings),
    'workspace.update': ({ command: _, workspace_id, ...settings }, by) =>
      updateWorkspace(workspace_id, settings, by),
    'workspace.show': ({ workspace_id }) => showWorkspace(workspace_id),
    'workspace.purge': (input) => purgeWorkspace(input, purge),
    'key.create': createKey,
    'key.revoke': ({ key_id }, by) => revokeKey(key_id, by),
    'key.list': ({ workspace_id }) => listKeys(workspace_id),
    'import.start': ({ workspace_id, file_sha256 }) => startImport(workspace_id, file_sha256),
    'import.end': ({ workspace_id, file_sha256 }) => endImport(workspace_id, file_sha256),
    'entity.import': ({ workspace_id, entities, origin, update, dry_run }, by) =>
      importEntities(workspace_id, entities, origin, by, { update, dry_run }),
    'relationship.resolve': ({ workspace_id, relationships }) =>
      resolveRelationships(workspace_id, relationships),
    'relationship.import': ({ workspace_id, relationships }) =>
      importRelationships(workspace_id, relationships),
    'bridge.create': ({ bridge }, by) => bridges.createBridge(bridge, by),
    'bridge.update': (input, by) => bridges.updateBridge(input.bridge_id, input, by),
    'source.create': ({ workspace_id, source }, by) => sources.createSource(workspace_id, source, by),
    'source.update': ({ workspace_id, name, source }, by) =>
      sources.updateSource(workspace_id, name, source, by),
    'source.list': ({ workspace_id }) => sources.listSources(workspace_id),
    'source.delete': ({ workspace_id, name }, by) => sources.deleteSource(workspace_id, name, by),
    'maintenance.start': ({ workspace_id, after }, by) => startMaintenance(workspace_id, after, by),
    'maintenance.end': ({ workspace_id, after }, by) => endMaintenance(workspace_id, after, by),
    'maintenance.show': ({ workspace_id, after }) => showMaintenance(workspace_id, after),
    'delivery.list': ({ run_id, after }) => listDeliveries(run_id, after),
    'ledger.list': ({ workspace_id }) => listLedger(workspace_id),
    'model.check': ({ quick }) => checkModel(quick),
    'vector.show': ({ workspace_id }) => showVectors(workspace_id),
    'vector.rebuild': ({ workspace_id, after }) => rebuildVectors(workspace_id, after),
    'index.renew': ({ workspace_id, after }) => renewIndexes(workspace_id, after),
    'index.engine': sqliteEngine,
    seed_demo: (_, by) => seedDemo(by),
  };

async function carryOut<Name extends keyof Commands>(
  name: Name,
  input: Commands[Name],
  by: Actor,
): Promise<object> {
  return effects[name](input, by);
}

/** The newest ledger entries of a workspace, oldest first. Throws AdminError `workspace_not_found`. */
async function listLedger(workspaceId: string): Promise<{ entries: LedgerEntry[] }> {
  const { workspace_id } = await requireWorkspace(workspaceId);
  return { entries: await listEntries(workspace_id, ENTRIES_MAX) };
}
