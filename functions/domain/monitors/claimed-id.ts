// What an Idempotency-Key of a monitor or a fire has made.
import { fail } from '#contract/errors.ts';
import * as idempotency from '#store/runs/idempotency.ts';

/** What a key has made. Throws idempotency_key_conflict if another request used it. */
export async function claimedId(key: idempotency.IdempotencyKey): Promise<string | undefined> {
  const claim = await idempotency.read(key);
  if (claim?.run_id !== undefined && claim.body_hash !== key.body_hash)
    throw fail('idempotency_key_conflict', {
      param: 'Idempotency-Key',
      details: { original_id: claim.run_id },
    });
  return claim?.run_id;
}
