// POST {site_url}/api/webhooks/sync/{bridge_id}
import type { APIGatewayProxyResult } from 'aws-lambda';
import { routes } from '#contract/routes.ts';
import { syncErrors } from '#contract/sync.ts';
import { embedRecords } from '#domain/records/embed.ts';
import { receiveSync } from '#domain/sync/receive.ts';
import { SyncError } from '#domain/sync/sync-error.ts';
import { type GatewayEvent, type HttpRequest, toRequest } from '#edge/http-request.ts';
import { commonHeaders } from '#edge/replies.ts';
import { describe, log } from '#platform/log.ts';

/** Takes a change of a record from outside. Replies are not in the error envelope. Spec: inbound sync. Contract 4.10. */
export async function handler(event: GatewayEvent): Promise<APIGatewayProxyResult> {
  const request = toRequest(event, routes.ReceiveSync);
  const { status, body } = await answer(request);
  return { statusCode: status, headers: commonHeaders(request.id), body: JSON.stringify(body) };
}

async function answer(request: HttpRequest): Promise<{ status: number; body: unknown }> {
  const { headers, params, body } = request;
  try {
    const processed_workspaces = await receiveSync(
      {
        bridge_id: params.bridge_id,
        signature: headers['x-webhook-signature'],
        timestamp: headers['x-webhook-timestamp'],
        body,
      },
      embedRecords,
    );
    return { status: 200, body: { success: true, processed_workspaces } };
  } catch (error) {
    if (!(error instanceof SyncError))
      log.error('sync failed', { request_id: request.id, error: describe(error) });
    const { code, message } = error instanceof SyncError ? error : new SyncError('internal_error');
    return { status: syncErrors[code], body: { success: false, error: code, message } };
  }
}
