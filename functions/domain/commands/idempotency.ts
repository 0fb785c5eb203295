// Idempotency-Key: the same request again finds its run; another request under the same key is refused (Spec: POST /runs, rules 3 and 4).
import { fail } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import { tooLate } from '#domain/planning/understand-query.ts';
import { fingerprint, sha256, uuidFrom } from '#platform/crypto.ts';
import { pause } from '#platform/pause.ts';
import { type Claim, claimUntil, type IdempotencyKey, read } from '#store/idempotency.ts';

const PRINTABLE = new RegExp(`^[\\x20-\\x7e]{1,${limits.idempotency_key_max_characters}}$`);

/** The key of a request, if it sent one. Throws schema_validation_failed for one that is no 1 to 255 printable ASCII characters. */
export function idempotencyKeyOf(
  header: string | undefined,
  endpoint: IdempotencyKey['endpoint'],
  workspaceId: string,
  body: unknown,
): IdempotencyKey | undefined {
  if (header === undefined) return undefined;
  if (!PRINTABLE.test(header)) {
    const issue = {
      code: 'invalid_format',
      expected: '1 to 255 printable ASCII characters',
      received: 'string',
      path: ['Idempotency-Key'],
      message: 'The key is malformed',
    };
    throw fail('schema_validation_failed', { param: 'Idempotency-Key', details: { issues: [issue] } });
  }
  return { workspace_id: workspaceId, endpoint, key: header, body_hash: fingerprint(body) };
}

/**
 * The id of the run that a key makes: the same for every copy of the request, so that copies racing each other claim one slot and
 * cannot become two runs.
 */
export function runIdOf(key: IdempotencyKey): string {
  return uuidFrom(sha256(JSON.stringify([key.workspace_id, key.endpoint, key.key, key.body_hash])));
}

/** Id of the run that the key has made, or undefined. Throws idempotency_key_conflict when it was made by another request. */
export async function replayOf(key: IdempotencyKey): Promise<string | undefined> {
  return runOf(key, await read(key));
}

function runOf(key: IdempotencyKey, claim: Claim | undefined): string | undefined {
  if (claim?.run_id === undefined) return undefined;
  if (claim.body_hash !== key.body_hash)
    throw fail('idempotency_key_conflict', {
      param: 'Idempotency-Key',
      details: { original_run_id: claim.run_id },
    });
  return claim.run_id;
}

const CLAIM_MS = limits.understanding_timeout_ms + 10_000;
const POLL_MS = 250;

/**
 * Takes the key before work that costs, or waits for the request that has it, until `dueAt` (epoch ms). Returns the run that the
 * other one made; undefined when the key is ours. Throws idempotency_key_conflict, upstream_timeout.
 */
export async function takeOrWait(key: IdempotencyKey, dueAt: number): Promise<string | undefined> {
  for (;;) {
    if (await claimUntil(key, Date.now() + CLAIM_MS)) return undefined;
    const made = await replayOf(key);
    if (made !== undefined) return made;
    if (Date.now() >= dueAt) throw tooLate();
    await pause(POLL_MS);
  }
}
