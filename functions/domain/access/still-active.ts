// What a key does takes no effect once it is revoked or has expired, however its request raced (rules.md: keys 14).
import { fail } from '#contract/errors.ts';
import { ConditionFailed, type Write } from '#store/table/table.ts';
import { type ApiKey, activeCheck, getById } from '#store/workspaces/api-keys.ts';
import { type Caller, checkStanding } from './authenticate.ts';

/**
 * The outcome of a transaction that contains the given check of the caller's key. If the key was revoked or has expired
 * since the request was authenticated, throws auth_invalid or auth_expired; if it must not be rotated and was,
 * key_not_active. Then nothing has changed.
 */
export async function whileActive<T>(
  { key, workspace }: Caller,
  act: (check: Write) => Promise<T>,
  requires?: { unrotated: boolean },
): Promise<T> {
  const check = activeCheck(key, requires);
  try {
    return await act(check);
  } catch (error) {
    if (error instanceof ConditionFailed && error.write === check) {
      const now = checkStanding(await getById(key.key_id), workspace);
      if (requires?.unrotated) requireUnrotated(now.key);
    }
    throw error;
  }
}

/** Throws key_not_active for a key in its grace, which manages no keys (rules.md: keys 15). */
export function requireUnrotated({ successor }: ApiKey): void {
  if (successor !== undefined) throw fail('key_not_active', { details: { reason: 'rotated' } });
}
