// rules.md: links 2. When a link dies by the clock.
import { beforeEach, expect, test, vi } from 'vitest';
import { checkLink, linkTo } from '#domain/artifacts/signed-links.ts';
import { newId } from '#platform/ids.ts';
import { put, resetTable } from '../events/watched-table.ts';

const workspace_id = newId();
const key_id = `key_${workspace_id.replaceAll('-', '')}_0123456789abcdef`;
const artifact_id = newId();

function given(key: object = {}, workspace: object = {}): void {
  const common = { name: 'x', created_at: 1, workspace_id };
  const secrets = { lookup_hash: 'h', sealed_secret: 's', scopes: ['artifacts:read'] };
  put({ pk: `WS#${workspace_id}#KEYS`, sk: key_id, key_id, ...common, ...secrets, ...key });
  const standing = { tier: 'pro', status: 'active', features: [], credits: false };
  put({ pk: `WS#${workspace_id}`, sk: 'META', ...common, ...standing, ...workspace });
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 });
  resetTable();
  given();
});

async function tokenUntil(expires_at: number): Promise<string> {
  const path = await linkTo({ artifact_id, key_id, expires_at, format: undefined, withMark: false });
  return new URL(path, 'http://service.test').searchParams.get('link') ?? '';
}

test('a link opens its artifact until it expires, in either case of the id', async () => {
  const token = await tokenUntil(1_060_000);
  vi.setSystemTime(1_059_999);
  expect(await checkLink(token, artifact_id.toUpperCase())).toMatchObject({ workspace_id, format: 'json' });
  vi.setSystemTime(1_060_000);
  await expect(checkLink(token, artifact_id)).rejects.toMatchObject({ code: 'artifact_not_found' });
});

test.each<[string, object, object]>([
  ['its key has expired', { expires_at: 1_000_000 }, {}],
  ['its key was revoked', { revoked_at: 1 }, {}],
  ['its workspace is deleted', {}, { status: 'deleted' }],
])('%s: it is as dead as a forged one', async (_, key, workspace) => {
  const token = await tokenUntil(2_000_000);
  given(key, workspace);
  const dead = await checkLink(token, artifact_id).catch((error: unknown) => error);
  const forged = await checkLink(`${token}x`, artifact_id).catch((error: unknown) => error);
  expect(dead).toEqual(forged);
});
