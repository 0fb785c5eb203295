// POST {site_url}/api/webhooks/sync/{bridge_id}
import type { Entity } from '#contract/entities.ts';
import { retryAfterStatuses } from '#contract/errors.ts';
import type { routes } from '#contract/routes.ts';
import { syncErrors } from '#contract/sync.ts';
import { embedRecords } from '#domain/records/embed.ts';
import { receiveSync } from '#domain/sync/receive.ts';
import { SyncError, unexpected } from '#domain/sync/sync-error.ts';
import { edge } from '#edge/edge.ts';
import type { HttpRequest } from '#edge/http-request.ts';
import { RETRY_SECONDS } from '#edge/render-error.ts';
import { type Reply, type ReplyOf, reply } from '#edge/replies.ts';
import { shortRefusal } from '#edge/shorten-refusal.ts';
import { TooLate } from '#edge/too-late.ts';
import { describe, log, logAbout } from '#platform/log.ts';

/**
 * Renders the error body of inbound sync, which is not the API's envelope; logs unexpected errors (rules.md: sync 1).
 */
function renderSyncError(thrown: unknown, requestId: string): Reply {
  if (!(thrown instanceof SyncError))
    log.error('sync failed', { request_id: requestId, error: describe(thrown) });
  const { code, message } = errorOf(thrown);
  const status = syncErrors[code];
  return reply(status, shortRefusal({ success: false, error: code, message }), {
    ...(retryAfterStatuses.has(status) && { 'Retry-After': String(RETRY_SECONDS) }),
  });
}

function errorOf(thrown: unknown): SyncError {
  if (thrown instanceof SyncError) return thrown;
  return thrown instanceof TooLate ? new SyncError('service_unavailable') : unexpected(thrown);
}

/** The rest of the function's time is for a pull, the fan-out over workspaces and their writes. */
const embed = (records: Entity[]) => embedRecords(records, 8_000);

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
  return reply(200, { success: true, processed_workspaces: await receiveSync(message, embed) });
}

/** Receives a change of a record from an outside system, which signs the raw body (rules.md: sync 2). */
export const route = edge(renderSyncError).handler((_event, { request, request_id }) =>
  logAbout({ request_id }, () => receive(request)),
);
