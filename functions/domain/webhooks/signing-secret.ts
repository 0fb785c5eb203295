// The secrets that sign a run's webhooks: that of the key that created the run, and that of its successor in the grace.
import { unseal } from '#platform/sealed.ts';
import { type Signer, signerOf } from '#store/workspaces/api-keys.ts';

const signers = new Map<string, Signer>();
const CACHED_MAX = 1000;

/** For so long, a state read before counts as current. */
const FRESH_MS = 2000;

async function readSigner(keyId: string): Promise<Signer> {
  const signer = await signerOf(keyId);
  if (signers.size >= CACHED_MAX) signers.clear();
  signers.set(keyId, signer);
  return signer;
}

/**
 * Lowercase hex SHA-256 of the API key that created the run, revoked or not, and of its successor while the key is in
 * its grace (rules.md: keys 6, webhooks 6). A sealed form never changes and is cached; whether the key was rotated is
 * read for every attempt, unless `unrotatedAt` (epoch ms), when no key of the workspace was in a grace, is just past.
 * Throws when the key never existed.
 */
export async function signingSecrets(
  keyId: string,
  nowMs: number,
  unrotatedAt = Number.NEGATIVE_INFINITY,
): Promise<[string, ...string[]]> {
  const isFresh = nowMs - unrotatedAt < FRESH_MS;
  const { sealed_secret, successor, grace_until } =
    (isFresh ? signers.get(keyId) : undefined) ?? (await readSigner(keyId));
  const own = await unseal(sealed_secret, keyId);
  if (successor === undefined || nowMs >= grace_until) return [own];
  const next = signers.get(successor) ?? (await readSigner(successor));
  return [own, await unseal(next.sealed_secret, successor)];
}
