// A bridge with workspaces, and messages signed for it.
import type { Entity } from '#contract/entities.ts';
import { receiveSync } from '#domain/sync/receive.ts';
import { syncSignature } from '#domain/sync/verify.ts';
import type { Send } from '#outbound/request.ts';
import { sha256Hex } from '#platform/crypto.ts';
import { newId } from '#platform/ids.ts';
import * as bridges from '#store/records/bridge-states.ts';
import * as workspaces from '#store/workspaces/workspaces.ts';
import { bridgeResources } from './bridge-resources.ts';

export const secretHex = sha256Hex('bridge_secret_0001');
const relationshipTypeId = newId();

export const resources = bridgeResources(relationshipTypeId);

export async function newWorkspace(change: Partial<workspaces.Workspace> = {}): Promise<string> {
  const workspace_id = newId();
  await workspaces.create(
    {
      workspace_id,
      name: 'w',
      tier: 'pro',
      status: 'active',
      features: ['WEBHOOK_INTEGRATION'],
      credits: false,
      created_at: 1,
      ...change,
    },
    undefined,
  );
  return workspace_id;
}

export async function newBridge(
  workspaceIds: string[],
  change: Partial<bridges.BridgeRecord> = {},
): Promise<string> {
  const bridge_id = newId();
  await bridges.put({
    bridge_id,
    name: 'crm',
    status: 'active',
    workspaces: workspaceIds.map((workspace_id) => ({ workspace_id, resources })),
    sealed_secret: 'c2VhbGVk',
    created_at: 1,
    ...change,
  });
  return bridge_id;
}

/** A new workspace with its own bridge. */
export async function bridgedWorkspace(): Promise<{ workspace: string; bridge: string }> {
  const workspace = await newWorkspace();
  return { workspace, bridge: await newBridge([workspace]) };
}

export const embed = async (records: Entity[]) => records.map(({ name }) => ({ vector: [name.length, 1] }));

const unreachable: Send = async () => ({ kind: 'failed', error: 'ECONNREFUSED', duration_ms: 0 });

export interface Sent {
  signature?: string;
  timestamp?: string;
  body?: Uint8Array;
  fetch?: Send;
  embed?: typeof embed;
}

/** Sends a message, correctly signed by default; resolves with the number of workspaces processed. */
export function sync(bridge_id: string | undefined, message: unknown, sent: Sent = {}): Promise<number> {
  const body = sent.body ?? Buffer.from(JSON.stringify(message));
  const request = {
    bridge_id,
    body,
    body_bytes: body.length,
    signature: 'signature' in sent ? sent.signature : syncSignature(body, secretHex),
    timestamp: 'timestamp' in sent ? sent.timestamp : new Date().toISOString(),
  };
  return receiveSync(request, sent.embed ?? embed, sent.fetch ?? unreachable);
}

/** A message with data for a resource. */
export function push(type: string, id: string, attributes: object, more: object = {}) {
  return { resource: { type, id }, operation: 'update', data: { type, id, attributes }, ...more };
}

export function remove(type: string, id: string, more: object = {}) {
  return { resource: { type, id }, operation: 'delete', ...more };
}
