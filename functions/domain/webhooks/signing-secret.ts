// The secret that signs a run's webhooks, derived from the key that created the run, revoked or not.
import { unseal } from '#platform/sealed.ts';
import { sealedSecretOf } from '#store/workspaces/api-keys.ts';

const sealedSecrets = new Map<string, string>();
const CACHED_MAX = 1000;

/**
 * Lowercase hex SHA-256 of the API key. The sealed form never changes and is cached here; `unseal` caches the opened
 * one. Throws when the key never existed (rules.md: keys 6).
 */
export async function signingSecret(keyId: string): Promise<string> {
  const cached = sealedSecrets.get(keyId);
  if (cached !== undefined) return unseal(cached, keyId);
  const sealed = await sealedSecretOf(keyId);
  if (sealedSecrets.size >= CACHED_MAX) sealedSecrets.clear();
  sealedSecrets.set(keyId, sealed);
  return unseal(sealed, keyId);
}
