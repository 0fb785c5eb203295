// Why a sync message was refused, with the message for its sender.
import type { SyncErrorCode } from '#contract/sync.ts';
import { isServiceTrouble } from '#platform/service-trouble.ts';

const messages: Record<SyncErrorCode, string> = {
  invalid_payload: 'The message does not have the documented shape.',
  invalid_signature: 'X-Webhook-Signature does not sign this body with the secret of the bridge.',
  timestamp_expired: 'X-Webhook-Timestamp is more than 5 minutes off.',
  bridge_not_found: 'There is no active bridge with this id.',
  payload_too_large: 'The body is larger than 1 MB.',
  unknown_resource_type: 'The bridge does not take resources of this type.',
  internal_error: 'The message could not be applied everywhere. Send it again.',
  service_unavailable: 'The service cannot apply the message at the moment. Send it again shortly.',
};

/** A failure that the sender may see (rules.md: sync 1). */
export class SyncError extends Error {
  readonly code: SyncErrorCode;
  constructor(code: SyncErrorCode, message: string = messages[code]) {
    super(message);
    this.name = 'SyncError';
    this.code = code;
  }
}

/** What the sender sees of an error that is no SyncError: an outage, or a fault of the service (rules.md: sync 14). */
export function unexpected(thrown: unknown): SyncError {
  return new SyncError(isServiceTrouble(thrown) ? 'service_unavailable' : 'internal_error');
}
