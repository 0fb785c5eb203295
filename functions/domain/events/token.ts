// Event tokens: a browser's event stream authenticates with one instead of a key. Valid for one run and one key, for
// five minutes.
import { fail } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import { checkStanding } from '#domain/access/authenticate.ts';
import { base64urlDecode, constantTimeEqual, hmacSha256 } from '#platform/crypto.ts';
import { serviceKey } from '#platform/service-keys.ts';
import * as apiKeys from '#store/workspaces/api-keys.ts';
import * as workspaces from '#store/workspaces/workspaces.ts';

const MAC_BYTES = 32;

async function macOf(claims: string): Promise<Buffer> {
  return hmacSha256(await serviceKey('event-token'), claims);
}

/** A token for a run; `expires_at` in epoch ms. */
export async function createEventToken(
  runId: string,
  keyId: string,
): Promise<{ event_token: string; expires_at: number }> {
  const expires_at = Date.now() + limits.event_token_lifetime_ms;
  const claims = `${runId}|${keyId}|${expires_at}`;
  const event_token = Buffer.concat([await macOf(claims), Buffer.from(claims)]).toString('base64url');
  return { event_token, expires_at };
}

/**
 * The workspace in which the bearer of a token may read the run. Throws auth_missing, auth_invalid (malformed, of
 * another run, key revoked), auth_expired, and what the standing of key and workspace forbids; checked once, when the
 * stream connects (rules.md: stream 1).
 */
export async function checkEventToken(token: string | undefined, runId: string | undefined): Promise<string> {
  if (token === undefined) throw fail('auth_missing');
  const bytes = base64urlDecode(token);
  if (!bytes || bytes.length <= MAC_BYTES) throw fail('auth_invalid');
  const claims = bytes.subarray(MAC_BYTES).toString();
  if (!constantTimeEqual(bytes.subarray(0, MAC_BYTES), await macOf(claims))) throw fail('auth_invalid');
  const [tokenRun, keyId = '', expiry = ''] = claims.split('|');
  if (tokenRun !== runId?.toLowerCase()) throw fail('auth_invalid');
  const expired_at = Number(expiry);
  if (expired_at <= Date.now()) throw fail('auth_expired', { details: { expired_at } });
  const workspaceId = apiKeys.workspaceOfKey(keyId) ?? '';
  const [key, workspace] = await Promise.all([apiKeys.getById(keyId), workspaces.get(workspaceId)]);
  checkStanding(key, workspace);
  return workspaceId;
}
