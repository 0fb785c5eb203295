// An inbound sync sender with its own cryptography.
import { createHash, createHmac } from 'node:crypto';
import { bridgeResources } from './bridge-resources.ts';
import { admin, type CallOptions, call, type HttpReply } from './service.ts';

export interface SyncBridge {
  bridge_id: string;
  secret: string;
  /** Another service than the shared one. */
  access?: CallOptions['access'];
}

export const hmacOf = (secret: string, bytes: string | Uint8Array) =>
  `sha256=${createHmac('sha256', createHash('sha256').update(secret).digest('hex')).update(bytes).digest('hex')}`;

const resources = bridgeResources('11111111-1111-4111-8111-111111111111');

/** The command that makes a bridge to these workspaces. */
export function bridgeCommand(...workspaceIds: string[]) {
  const workspaces = workspaceIds.map((workspace_id) => ({ workspace_id, resources }));
  return { command: 'bridge.create' as const, bridge: { name: 'crm', workspaces } };
}

/** A bridge to these workspaces. */
export function bridgeFor(...workspaceIds: string[]): Promise<SyncBridge> {
  return admin(bridgeCommand(...workspaceIds));
}

/** Sends a signed message. */
export function send(
  bridge: SyncBridge,
  message: unknown,
  headers: Record<string, string> = {},
): Promise<HttpReply> {
  const body = message instanceof Uint8Array ? message : Buffer.from(JSON.stringify(message));
  return call('POST', `//api/webhooks/sync/${bridge.bridge_id}`, {
    body,
    access: bridge.access,
    headers: {
      'X-Webhook-Signature': hmacOf(bridge.secret, body),
      'X-Webhook-Timestamp': new Date().toISOString(),
      ...headers,
    },
  });
}

/** A message with data. */
export function push(type: string, id: string, attributes: object, more: object = {}) {
  return { resource: { type, id }, operation: 'create', data: { type, id, attributes }, ...more };
}
