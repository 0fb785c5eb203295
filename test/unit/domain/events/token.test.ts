// rules.md: stream 1. What an event token is good for, and what passes for none.
import fc from 'fast-check';
import { beforeEach, expect, test, vi } from 'vitest';
import { checkEventToken, createEventToken } from '#domain/events/token.ts';
import { newId } from '#platform/ids.ts';
import { put, resetTable } from './watched-table.ts';

const workspace_id = newId();
const key_id = `key_${workspace_id.replaceAll('-', '')}_0123456789abcdef`;
const run = newId();

function given(key: object = {}, workspace: object = {}): void {
  put({
    pk: `WS#${workspace_id}#KEYS`,
    sk: key_id,
    key_id,
    workspace_id,
    name: 'k',
    scopes: ['runs:read'],
    created_at: 1,
    lookup_hash: 'h',
    sealed_secret: 's',
    ...key,
  });
  put({
    pk: `WS#${workspace_id}`,
    sk: 'META',
    workspace_id,
    name: 'w',
    tier: 'pro',
    status: 'active',
    features: [],
    credits: false,
    created_at: 1,
    ...workspace,
  });
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 });
  resetTable();
  given();
});

const refusedAs = (code: string) => ({ code });

test('a token opens its run for five minutes, as often as wanted', async () => {
  const { event_token, expires_at } = await createEventToken(run, key_id);
  expect(expires_at).toBe(1_000_000 + 300_000);
  vi.setSystemTime(expires_at - 1);
  expect(await checkEventToken(event_token, run)).toEqual({ workspace_id, key_id });
  expect(await checkEventToken(event_token, run.toUpperCase())).toEqual({ workspace_id, key_id });
  vi.setSystemTime(expires_at);
  await expect(checkEventToken(event_token, run)).rejects.toMatchObject({
    code: 'auth_expired',
    details: { expired_at: expires_at },
  });
});

test('a token of another run, no token and an empty one are refused', async () => {
  const { event_token } = await createEventToken(run, key_id);
  await expect(checkEventToken(event_token, newId())).rejects.toMatchObject(refusedAs('auth_invalid'));
  await expect(checkEventToken(event_token, undefined)).rejects.toMatchObject(refusedAs('auth_invalid'));
  await expect(checkEventToken(undefined, run)).rejects.toMatchObject(refusedAs('auth_missing'));
  await expect(checkEventToken('', run)).rejects.toMatchObject(refusedAs('auth_invalid'));
});

test('a token dies with its key: revoked, expired or gone, or with its workspace', async () => {
  const { event_token } = await createEventToken(run, key_id);
  given({ revoked_at: 5 });
  await expect(checkEventToken(event_token, run)).rejects.toMatchObject(refusedAs('auth_invalid'));
  given({ expires_at: 5 });
  await expect(checkEventToken(event_token, run)).rejects.toMatchObject(refusedAs('auth_expired'));
  given({}, { status: 'suspended' });
  await expect(checkEventToken(event_token, run)).rejects.toMatchObject(refusedAs('forbidden_workspace'));
  given({}, { status: 'deleted' });
  await expect(checkEventToken(event_token, run)).rejects.toMatchObject(refusedAs('workspace_not_found'));
  resetTable();
  await expect(checkEventToken(event_token, run)).rejects.toMatchObject(refusedAs('auth_invalid'));
});

test('no change of a token is taken', async () => {
  const { event_token } = await createEventToken(run, key_id);
  const bytes = Buffer.from(event_token, 'base64url');
  const flips = fc.record({ byte: fc.nat(bytes.length - 1), bit: fc.nat(7), cut: fc.nat(3) });
  await fc.assert(
    fc.asyncProperty(flips, async ({ byte, bit, cut }) => {
      const flipped = Buffer.from(bytes);
      flipped.writeUInt8(flipped.readUInt8(byte) ^ (1 << bit), byte);
      const changed = flipped.subarray(0, flipped.length - cut).toString('base64url');
      await expect(checkEventToken(changed, run)).rejects.toMatchObject(refusedAs('auth_invalid'));
    }),
    { numRuns: 2000 },
  );
  for (const changed of [`${event_token}=`, `${event_token}A`, ` ${event_token}`, `${event_token}!!`])
    await expect(checkEventToken(changed, run)).rejects.toMatchObject(refusedAs('auth_invalid'));
});
