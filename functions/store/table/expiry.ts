// When items expire. DynamoDB deletes what has expired within some days; readers of this store do not see it from the second on (rules.md: retention).
import { retentionDays, WORKABLE_DAYS } from '#contract/retention.ts';
import { optionalEnv } from '#platform/env.ts';

const DAY_MS = 24 * 3600 * 1000;

/** The attribute by which the table forgets an item. */
export interface Expiring {
  expires_at_seconds?: number | undefined;
}

const secondsAt = (ms: number) => Math.ceil(ms / 1000);

/** The end of an item of a kind that was written at `atMs`. */
export function expiryOf(kind: keyof typeof retentionDays, atMs: number): { expires_at_seconds: number } {
  return { expires_at_seconds: secondsAt(atMs + retentionDays[kind] * DAY_MS) };
}

/** The end of a run that is created at `createdAtMs`, and of all that will belong to it; none where the stage keeps runs. */
export function runExpiry(createdAtMs: number): Expiring {
  const days = Number(optionalEnv('RETAIN_DAYS') ?? 0);
  return days === 0 ? {} : { expires_at_seconds: secondsAt(createdAtMs + days * DAY_MS) };
}

/** The end of a journaled call: that of its kind, and never after its run, so that no later run of the same name finds it. */
export function callExpiry(run: Expiring, nowMs: number): { expires_at_seconds: number } {
  const { expires_at_seconds } = expiryOf('call', nowMs);
  return { expires_at_seconds: Math.min(expires_at_seconds, run.expires_at_seconds ?? expires_at_seconds) };
}

/** Whether an item has expired. */
export function hasExpired({ expires_at_seconds }: { expires_at_seconds?: unknown }, nowMs: number): boolean {
  return typeof expires_at_seconds === 'number' && expires_at_seconds * 1000 <= nowMs;
}

/** Whether what expires so will be there for as long as new work on it may take. */
export function isWorkable(item: Expiring, nowMs: number): boolean {
  return !hasExpired(item, nowMs + WORKABLE_DAYS * DAY_MS);
}

/** Condition under which a key of the table is free: without an item, or with one that has expired and waits to be deleted. `:now` are epoch seconds. */
export const FREE_KEY = '(attribute_not_exists(pk) OR expires_at_seconds <= :now_seconds)';

/** Values of `FREE_KEY`. */
export const freeKeyValues = (nowMs: number) => ({ ':now_seconds': Math.floor(nowMs / 1000) });
