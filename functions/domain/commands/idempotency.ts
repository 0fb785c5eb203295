// Idempotency-Key: a repeated request finds its run; a different request with the same key is refused (rules.md:
// idempotency).
import { fail } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import { tooLate } from '#domain/planning/understand-query.ts';
import { fingerprint, sha256, uuidFrom } from '#platform/crypto.ts';
import { pause } from '#platform/pause.ts';
import type { IdempotencyKey } from '#store/runs/idempotency.ts';
import * as idempotency from '#store/runs/idempotency.ts';
import { getRunView, type RunView } from '#store/runs/run-views.ts';
import { startRun } from './start-run.ts';

/** The run of a request: created now, or by an earlier copy of the request (`replayed`). */
export type CreatedRun = RunView & {
  replayed: boolean;
  /** The start of its execution, which the reply need not wait for. Never rejects. */
  unfinished?: Promise<void>;
};

const PRINTABLE = new RegExp(`^[\\x20-\\x7e]{1,${limits.idempotency_key_max_characters}}$`);

/**
 * The key of a request, if it sent one. Throws schema_validation_failed unless it is 1 to 255 printable ASCII
 * characters.
 */
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
 * The id of the run that a key creates. The same for every copy of the request, so concurrent copies claim one slot and
 * cannot create two runs.
 */
export function runIdOf(key: IdempotencyKey): string {
  return uuidFrom(sha256(JSON.stringify([key.workspace_id, key.endpoint, key.key, key.body_hash])));
}

/**
 * The run created by an earlier copy of the request, started here if its creator died before that; undefined without a
 * key or such a run. Throws idempotency_key_conflict if another request used the key.
 */
export async function existingRun(key: IdempotencyKey | undefined): Promise<CreatedRun | undefined> {
  const runId = key && (await claimingRun(key));
  if (!key || runId === undefined) return undefined;
  const view = await getRunView(key.workspace_id, runId);
  if (!view) throw new Error(`run ${runId} of an idempotency key does not exist`);
  if (view.run.status === 'pending') await startRun(view.run);
  return { ...view, replayed: true };
}

/** Id of the run that claimed the key, if any. Throws idempotency_key_conflict if another request created it. */
export async function claimingRun(key: IdempotencyKey): Promise<string | undefined> {
  const claim = await idempotency.read(key);
  if (claim?.run_id !== undefined && claim.body_hash !== key.body_hash)
    throw fail('idempotency_key_conflict', {
      param: 'Idempotency-Key',
      details: { original_run_id: claim.run_id },
    });
  return claim?.run_id;
}

const CLAIM_MS = limits.understanding_timeout_ms + 10_000;
const POLL_MS = 250;

/**
 * Claims the key before work that costs money, or waits until `dueAt` (epoch ms) for the request that has it. Returns
 * the run created by that request; undefined if the claim is ours. Throws idempotency_key_conflict, upstream_timeout.
 */
export async function claimOrAwaitRun(key: IdempotencyKey, dueAt: number): Promise<CreatedRun | undefined> {
  for (;;) {
    if (await idempotency.claimUntil(key, Date.now() + CLAIM_MS)) return undefined;
    const run = await existingRun(key);
    if (run) return run;
    if (Date.now() >= dueAt) throw tooLate();
    await pause(POLL_MS);
  }
}
