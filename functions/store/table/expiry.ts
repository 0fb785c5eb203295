// When items expire. DynamoDB deletes them within some days; readers of this store ignore them at once (rules.md:
// retention).
import { retentionDays, WORKABLE_DAYS } from '#contract/retention.ts';
import { optionalEnv } from '#platform/env.ts';

const DAY_MS = 24 * 3600 * 1000;

/** The attribute by which DynamoDB expires an item. */
export interface Expiring {
  expires_at_seconds?: number | undefined;
}

const secondsAt = (ms: number) => Math.ceil(ms / 1000);

/** The expiry of an item of a kind, written at `atMs`. */
export function expiryOf(kind: keyof typeof retentionDays, atMs: number): { expires_at_seconds: number } {
  return { expires_at_seconds: secondsAt(atMs + retentionDays[kind] * DAY_MS) };
}

/**
 * The expiry of a run created at `createdAtMs`, and of everything that belongs to it; none if the stage retains runs.
 */
export function runExpiry(createdAtMs: number): Expiring {
  const days = Number(optionalEnv('RETAIN_DAYS') ?? 0);
  return days === 0 ? {} : { expires_at_seconds: secondsAt(createdAtMs + days * DAY_MS) };
}

/**
 * The expiry of a journaled call: that of its kind, but not after its run, so that no later run with the same id finds
 * it.
 */
export function callExpiry(run: Expiring, nowMs: number): { expires_at_seconds: number } {
  const { expires_at_seconds } = expiryOf('call', nowMs);
  return { expires_at_seconds: Math.min(expires_at_seconds, run.expires_at_seconds ?? expires_at_seconds) };
}

/**
 * Whether an item has expired. `retained_until` (epoch ms) is the end of what a run itself asked for: DynamoDB must not
 * delete the run by it, because the sweep finds by the run what else to delete.
 */
export function hasExpired(
  item: { expires_at_seconds?: unknown; retained_until?: unknown },
  nowMs: number,
): boolean {
  const { expires_at_seconds, retained_until } = item;
  if (typeof retained_until === 'number' && retained_until <= nowMs) return true;
  return typeof expires_at_seconds === 'number' && expires_at_seconds * 1000 <= nowMs;
}

/** Whether an item lives long enough for new work on it; work on a run takes its `retained_until` back. */
export function isWorkable({ expires_at_seconds }: Expiring, nowMs: number): boolean {
  return !hasExpired({ expires_at_seconds }, nowMs + WORKABLE_DAYS * DAY_MS);
}

/** Condition for a free key: no item, or an expired one that is not deleted yet. `:now_seconds` is the epoch time. */
export const FREE_KEY = '(attribute_not_exists(pk) OR expires_at_seconds <= :now_seconds)';

/** Values of `FREE_KEY`. */
export const freeKeyValues = (nowMs: number) => ({ ':now_seconds': Math.floor(nowMs / 1000) });
