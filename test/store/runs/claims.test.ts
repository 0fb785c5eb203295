// The claim of a request that understands its query, on a virtual clock: it lasts while the request lives, and not much
// longer (rules.md: idempotency 7).
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { claimOrAwaitRun, whileClaimed } from '#domain/commands/use-key.ts';
import { newId } from '#platform/ids.ts';
import { pause } from '#platform/pause.ts';
import { claimUntil, type OwnClaim, releaseClaim } from '#store/runs/idempotency.ts';
import { useTable } from '../../support/table.ts';

useTable();
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const given = () => ({ workspace_id: newId(), endpoint: 'runs' as const, key: 'key', body_hash: 'hash' });
type Key = ReturnType<typeof given>;
const soon = () => Date.now() + 4000;

/** Lets time pass, in steps after which the calls to the table end: they take turns of the real event loop. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 100) {
    await vi.advanceTimersByTimeAsync(100);
    for (let turn = 0; turn < 10; turn += 1) await setImmediate();
  }
}

/** The claim of a request that waits 45 s for it, and when it got it. */
async function claimed(key: Key, claims: { at: number; claim: OwnClaim }[]): Promise<OwnClaim> {
  const { run, claim } = { claim: undefined, ...(await claimOrAwaitRun(key, Date.now() + 45_000)) };
  if (run || !claim) throw new Error('no run was made');
  claims.push({ at: Date.now(), claim });
  return claim;
}

test('a copy takes the place of a request that has died within 5 s, and only one copy does', async () => {
  const key = given();
  await claimed(key, []);
  const begun = Date.now();
  const claims: { at: number; claim: OwnClaim }[] = [];
  const copies = [claimed(key, claims), claimed(key, claims)];
  await pass(5000);
  expect(claims.map(({ at }) => at - begun <= 5000)).toEqual([true]);
  await pass(5000);
  expect(await Promise.all(copies)).toHaveLength(2);
});

test('a slow request keeps its claim for as long as it lives', async () => {
  const key = given();
  const first = await claimed(key, []);
  const claims: { at: number; claim: OwnClaim }[] = [];
  const work = whileClaimed(first, () => pause(40_000));
  const copy = claimed(key, claims);
  await pass(39_900);
  expect(claims).toEqual([]);
  await pass(100);
  await work;
  await releaseClaim(first);
  await pass(300);
  await copy;
  expect(claims).toHaveLength(1);
});

test('what a request has lost to a copy, it neither renews nor releases', async () => {
  const key = given();
  const first = await claimed(key, []);
  await pass(4100);
  expect(await claimUntil(key, soon())).toBeDefined();
  const work = whileClaimed(first, () => pause(2000));
  await pass(2000);
  await work;
  await releaseClaim(first);
  expect(await claimUntil(key, soon())).toBeUndefined();
  await pass(2100);
  expect(await claimUntil(key, soon())).toBeDefined();
});
