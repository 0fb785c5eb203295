// Idempotency-Key: a repeated request finds its run; a different request with the same key is refused (rules.md:
// idempotency).
import { fail } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import { tooLate } from '#domain/planning/understand-query.ts';
import { isGone } from '#domain/runs/find-run.ts';
import { fingerprint, sha256, uuidFrom } from '#platform/crypto.ts';
import { describe, log } from '#platform/log.ts';
import { pause } from '#platform/pause.ts';
import type { IdempotencyKey, OwnClaim } from '#store/runs/idempotency.ts';
import * as idempotency from '#store/runs/idempotency.ts';
import { getRunView, type RunView } from '#store/runs/run-views.ts';
import { startRun } from './start-run.ts';

/** The run of a request: created now, or by an earlier copy of the request (`replayed`). */
export type CreatedRun = RunView & {
  replayed: boolean;
  /** What the reply need not wait for, such as the start of its execution. Never rejects. */
  unfinished?: Promise<void>;
};

const PRINTABLE = new RegExp(`^[\\x20-\\x7e]{1,${limits.idempotency_key_max_characters}}$`);

/**
 * The key of a request, if it sent one. Throws schema_validation_failed unless it is 1 to 255 printable ASCII
 * characters.
 */
export async function idempotencyKeyOf(
  header: string | undefined,
  endpoint: IdempotencyKey['endpoint'],
  workspaceId: string,
  body: unknown,
): Promise<IdempotencyKey | undefined> {
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
export function runIdOf({ workspace_id, endpoint, key, body_hash, salt }: IdempotencyKey): string {
  const parts = [workspace_id, endpoint, key, body_hash, ...(salt === undefined ? [] : [salt])];
  return uuidFrom(sha256(JSON.stringify(parts)));
}

/** What a request finds under its key: the run that the key has created, or else the key as a new run claims it. */
export type KeyUse =
  | { run: CreatedRun; key?: undefined }
  | { run?: undefined; key: IdempotencyKey | undefined };

/**
 * The use of a key. A run that an earlier copy of the request created is started here if its creator died before that.
 * Throws idempotency_key_conflict if another request used the key.
 */
export async function useOf(key: IdempotencyKey | undefined): Promise<KeyUse> {
  const claim = key && (await claimOn(key));
  if (!claim?.view) return { key: key && { ...key, salt: claim?.salt } };
  if (claim.view.run.status === 'pending') await startRun(claim.view.run);
  return { run: { ...claim.view, replayed: true } };
}

/**
 * The run that claimed the key, or the salt of one that is gone. Throws idempotency_key_conflict if another request
 * created the run.
 */
export async function claimOn(key: IdempotencyKey): Promise<{ view?: RunView; salt?: string | undefined }> {
  const claim = await idempotency.read(key);
  if (claim?.run_id === undefined) return { salt: claim?.salt };
  const view = await getRunView(key.workspace_id, claim.run_id);
  if (!view || isGone(view.run)) {
    await idempotency.free(key, claim.run_id);
    return claimOn(key);
  }
  if (claim.body_hash === key.body_hash) return { view };
  throw fail('idempotency_key_conflict', {
    param: 'Idempotency-Key',
    details: { original_run_id: claim.run_id },
  });
}

/** A claim that is not renewed is free soon: its request has died (rules.md: idempotency 7). */
const CLAIM_MS = 4000;
const RENEW_MS = 1500;
const POLL_MS = 250;

/**
 * Claims the key before work that costs money, or waits until `dueAt` (epoch ms) for the request that has it. Returns
 * the run created by that request, or the claim. Throws idempotency_key_conflict, upstream_timeout.
 */
export async function claimOrAwaitRun(
  wanted: IdempotencyKey,
  dueAt: number,
): Promise<{ run: CreatedRun } | { run?: undefined; claim: OwnClaim }> {
  for (let key = wanted; ; ) {
    const claim = await idempotency.claimUntil(key, Date.now() + CLAIM_MS);
    if (claim) return { claim };
    const use = await useOf(key);
    if (use.run) return use;
    key = use.key ?? key;
    if (Date.now() >= dueAt) throw tooLate();
    await pause(POLL_MS);
  }
}

/**
 * The result of work that is done under a claim, which is renewed until then. If renewals fail or come late, a copy may
 * take over and pay for the work again, but the key still gets one run.
 */
export async function whileClaimed<T>(claim: OwnClaim, work: () => Promise<T>): Promise<T> {
  const over = new AbortController();
  const renewing = renewUntil(over.signal, claim);
  try {
    return await work();
  } finally {
    over.abort();
    // Its last write must not meet the transaction that creates the run.
    await renewing;
  }
}

async function renewUntil(over: AbortSignal, claim: OwnClaim): Promise<void> {
  for (;;) {
    await pause(RENEW_MS, over);
    if (over.aborted) return;
    try {
      if (!(await idempotency.renewClaim(claim, Date.now() + CLAIM_MS))) return;
    } catch (error) {
      log.warn('claim not renewed', { endpoint: claim.key.endpoint, error: describe(error) });
    }
  }
}
