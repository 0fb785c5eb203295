// Inbound sync: applies a signed message to every workspace that its bridge serves.
import { limits } from '#contract/limits.ts';
import type { BridgeResource, SyncMessage } from '#contract/sync.ts';
import { retryIfChanged } from '#domain/records/retry-if-changed.ts';
import { type Send, send } from '#outbound/request.ts';
import { isUuid } from '#platform/crypto.ts';
import { describe, log } from '#platform/log.ts';
import { unseal } from '#platform/sealed.ts';
import * as bridges from '#store/records/bridge-states.ts';
import * as workspaces from '#store/workspaces/workspaces.ts';
import { deleteEntity, type Embed, upsertEntity } from './apply-entity.ts';
import { deleteRelationship, upsertRelationship } from './apply-relationship.ts';
import { pullData } from './pull.ts';
import { readMessage } from './read-message.ts';
import { SyncError, unexpected } from './sync-error.ts';
import { checkTimestamp, verifySyncSignature } from './verify.ts';
import { type Change, isStale } from './workspace-change.ts';

/** A request as received: exact bytes, headers as sent. */
export interface SyncRequest {
  bridge_id: string | undefined;
  signature: string | undefined;
  timestamp: string | undefined;
  body: Uint8Array;
  /** The length of the body as sent. */
  body_bytes: number;
}

interface Target {
  workspace_id: string;
  resource: BridgeResource;
}
type OpenTarget = Target & { workspace: workspaces.Workspace };

/**
 * Applies a message in every active workspace of the bridge that has the feature WEBHOOK_INTEGRATION and accepts the
 * resource type. Returns the number of workspaces where it was applied. One workspace's failure does not stop the
 * others; the sender then gets internal_error, or service_unavailable in an outage, and may retry. Throws SyncError for
 * the first check that fails (rules.md: sync 1).
 */
export async function receiveSync(request: SyncRequest, embed: Embed, fetch: Send = send): Promise<number> {
  const { bridge, secret } = await authentic(request);
  const message = await readMessage(request.body);
  const open = await openOnes(targetsOf(bridge, message.resource.type));
  const attributes = open.length > 0 ? await attributesOf(message, secret, fetch) : undefined;
  const results = await Promise.allSettled(
    open.map(({ workspace_id, resource, workspace }) => {
      const key = { workspace_id, bridge_id: bridge.bridge_id, ...message.resource };
      const change = { key, version: message.version, workspace, attributes };
      return retryIfChanged(() => apply(change, resource, embed));
    }),
  );
  throwFailures(results, open, bridge.bridge_id);
  return results.filter((result) => result.status === 'fulfilled' && result.value).length;
}

/** The bridge of a request with a valid signature and age (rules.md: sync 2, sync 3). */
async function authentic(request: SyncRequest): Promise<{ bridge: bridges.BridgeRecord; secret: string }> {
  const { bridge_id, signature, timestamp, body, body_bytes } = request;
  const bridge = isUuid(bridge_id) ? await bridges.get(bridge_id.toLowerCase()) : undefined;
  if (bridge?.status !== 'active') throw new SyncError('bridge_not_found');
  if (body_bytes > limits.body_max_bytes) throw new SyncError('payload_too_large');
  const secret = await unseal(bridge.sealed_secret, bridge.bridge_id);
  if (!verifySyncSignature(signature, body, secret)) throw new SyncError('invalid_signature');
  const age = checkTimestamp(timestamp, Date.now());
  if (age === 'expired') throw new SyncError('timestamp_expired');
  if (age !== 'ok') throw new SyncError('invalid_payload', `X-Webhook-Timestamp is ${age}: send ISO 8601.`);
  return { bridge, secret };
}

/** The workspaces that accept the resource type. Throws unknown_resource_type when none does. */
function targetsOf(bridge: bridges.BridgeRecord, type: string): Target[] {
  const targets = bridge.workspaces.flatMap(({ workspace_id, resources }) => {
    const resource = resources.find((one) => one.type === type);
    return resource ? [{ workspace_id, resource }] : [];
  });
  if (targets.length === 0) throw new SyncError('unknown_resource_type');
  return targets;
}

/** The targets whose workspace is active and has the feature; the others are skipped (rules.md: sync 8). */
async function openOnes(targets: Target[]): Promise<OpenTarget[]> {
  const found = await Promise.all(targets.map(({ workspace_id }) => workspaces.get(workspace_id)));
  return targets.flatMap((target, i) => {
    const workspace = found[i];
    const isOpen = workspace?.status === 'active' && workspace.features.includes('WEBHOOK_INTEGRATION');
    return isOpen ? [{ ...target, workspace }] : [];
  });
}

async function attributesOf(
  message: SyncMessage,
  secret: string,
  fetch: Send,
): Promise<Change['attributes']> {
  const { operation, data, fetch_url, resource } = message;
  if (operation === 'delete') return undefined;
  if (data || fetch_url === undefined) return data?.attributes;
  return (await pullData(fetch_url, resource, secret, fetch)).attributes;
}

/** Skips a stale change. One without attributes deletes the resource; any other upserts it (rules.md: sync 4). */
async function apply(change: Change, resource: BridgeResource, embed: Embed): Promise<boolean> {
  const state = await bridges.getState(change.key);
  if (isStale(change, state)) return false;
  if (resource.kind === 'entity')
    return change.attributes
      ? upsertEntity(change, state, resource, embed)
      : deleteEntity(change, state, resource);
  return change.attributes ? upsertRelationship(change, state, resource) : deleteRelationship(change, state);
}

function throwFailures(results: PromiseSettledResult<boolean>[], targets: Target[], bridge_id: string): void {
  const failures = results.flatMap((result, i) =>
    result.status === 'rejected' ? [{ error: result.reason, workspace_id: targets[i]?.workspace_id }] : [],
  );
  const [first] = failures;
  if (!first) return;
  const ours = failures.filter(({ error }) => !(error instanceof SyncError));
  if (ours.length === 0) throw first.error;
  for (const { error, workspace_id } of failures)
    log.error('sync message not applied', { bridge_id, workspace_id, error: describe(error) });
  const errors = ours.map(({ error }) => unexpected(error));
  throw errors.find(({ code }) => code === 'internal_error') ?? errors[0];
}
