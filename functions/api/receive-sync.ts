// POST {site_url}/api/webhooks/sync/{bridge_id}
import type { routes } from '#contract/routes.ts';
import { syncErrors } from '#contract/sync.ts';
import { embedRecords } from '#domain/records/embed.ts';
import { receiveSync } from '#domain/sync/receive.ts';
import { SyncError } from '#domain/sync/sync-error.ts';
import { buffered } from '#edge/buffered.ts';
import { edge } from '#edge/edge.ts';
import type { HttpRequest } from '#edge/http-request.ts';
import { type Reply, type ReplyOf, reply } from '#edge/replies.ts';
import { shortRefusal } from '#edge/short-refusal.ts';
import { describe, log, logAbout } from '#platform/log.ts';

/**
 * Renders the error body of inbound sync, which is not the API's envelope; logs unexpected errors (rules.md: sync 1).
 */
function renderSyncError(thrown: unknown, requestId: string): Reply {
  if (!(thrown instanceof SyncError))
    log.error('sync failed', { request_id: requestId, error: describe(thrown) });
  const { code, message } = thrown instanceof SyncError ? thrown : new SyncError('internal_error');
  return reply(syncErrors[code], shortRefusal({ success: false, error: code, message }));
}

async function receive({
  headers,
  params,
  body,
  body_bytes,
}: HttpRequest): Promise<ReplyOf<typeof routes.ReceiveSync>> {
  const message = {
    bridge_id: params.bridge_id,
    signature: headers['x-webhook-signature'],
    timestamp: headers['x-webhook-timestamp'],
    body,
    body_bytes,
  };
  return reply(200, { success: true, processed_workspaces: await receiveSync(message, embedRecords) });
}

/** Receives a change of a record from an outside system, which signs the raw body (rules.md: sync 2). */
export const handler = buffered(
  edge(renderSyncError).handler((_event, { request, request_id }) =>
    logAbout({ request_id }, () => receive(request)),
  ),
);
