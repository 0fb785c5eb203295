// Event tokens: a browser's event stream authenticates with one instead of a key. Valid for one run and one key, for
// five minutes.
import { fail } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import { checkStanding } from '#domain/access/authenticate.ts';
import { readClaims, signClaims } from '#platform/signed-claims.ts';
import * as apiKeys from '#store/workspaces/api-keys.ts';
import * as workspaces from '#store/workspaces/workspaces.ts';
import type { StreamReader } from './limit-streams.ts';

/** A token for a run; `expires_at` in epoch ms. */
export async function createEventToken(
  runId: string,
  keyId: string,
): Promise<{ event_token: string; expires_at: number }> {
  const expires_at = Date.now() + limits.event_token_lifetime_ms;
  const event_token = await signClaims('event-token', `${runId}|${keyId}|${expires_at}`);
  return { event_token, expires_at };
}

/**
 * The key of a token and the workspace in which its bearer may read the run. Throws auth_missing, auth_invalid
 * (malformed, of another run, key revoked), auth_expired, and what the standing of key and workspace forbids; checked
 * once, when the stream connects (rules.md: stream 1).
 */
export async function checkEventToken(
  token: string | undefined,
  runId: string | undefined,
): Promise<StreamReader> {
  if (token === undefined) throw fail('auth_missing');
  const claims = await readClaims('event-token', token);
  if (claims === undefined) throw fail('auth_invalid');
  const [tokenRun, keyId = '', expiry = ''] = claims.split('|');
  if (tokenRun !== runId?.toLowerCase()) throw fail('auth_invalid');
  const expired_at = Number(expiry);
  if (expired_at <= Date.now()) throw fail('auth_expired', { details: { expired_at } });
  const workspaceId = apiKeys.workspaceOfKey(keyId) ?? '';
  const [key, workspace] = await Promise.all([apiKeys.getById(keyId), workspaces.get(workspaceId)]);
  checkStanding(key, workspace);
  return { workspace_id: workspaceId, key_id: keyId };
}
