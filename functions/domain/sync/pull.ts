// Pull mode: fetches the data of a message from the address that its sender gives.
import * as z from 'zod';
import { limits } from '#contract/limits.ts';
import { SyncData, type SyncMessage } from '#contract/sync.ts';
import type { Outcome, Send } from '#outbound/request.ts';
import { readShape } from './read-message.ts';
import { SyncError } from './sync-error.ts';
import { syncSignature } from './verify.ts';

/** The object itself, or wrapped as in a push. */
const Pulled = z.union([SyncData, z.object({ data: SyncData }).transform(({ data }) => data)]);

/**
 * GETs `url`, signed over its exact text with the bridge's key, and parses the resource's data. The address rules for
 * callbacks apply; redirects are not followed. Throws SyncError invalid_payload on every failure (rules.md: sync 11).
 */
export async function pullData(
  url: string,
  resource: SyncMessage['resource'],
  secretSha256Hex: string,
  send: Send,
): Promise<SyncData> {
  const outcome = await send({
    method: 'GET',
    url,
    headers: {
      Accept: 'application/json',
      'User-Agent': 'service-webhook/1',
      'X-Webhook-Signature': syncSignature(url, secretSha256Hex),
      'X-Webhook-Timestamp': new Date().toISOString(),
    },
    timeoutMs: limits.pull_timeout_ms,
    readBodyBytes: limits.pull_max_bytes,
  });
  if (outcome.kind !== 'response' || outcome.status !== 200)
    throw new SyncError('invalid_payload', `fetch_url could not be read: ${reasonOf(outcome)}.`);
  const data = await readShape(Pulled, outcome.body ?? Buffer.alloc(0));
  if (data.type !== resource.type || data.id !== resource.id)
    throw new SyncError('invalid_payload', 'fetch_url answers with another resource.');
  return data;
}

function reasonOf(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'response':
      return `status ${outcome.status}`;
    case 'blocked':
      return outcome.reason;
    case 'failed':
      return outcome.error;
  }
}
