// rules.md: keys 8, keys 14, keys 15. Keys that act on each other at once, after their end and in their grace.
import { describe, expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { berlin, monitor, monitorBody } from '../support/monitors.ts';
import { expectRefusal } from '../support/refusal.ts';
import { call } from '../support/service.ts';

const revokes = (by: { key: string }, id: string) => call('DELETE', `/keys/${id}`, { key: by.key });
const rotates = (by: { key: string }, id: string, grace_seconds = 3600) =>
  call('POST', `/keys/${id}/rotate`, { key: by.key, body: { grace_seconds } });
const reader = { name: 'Reader', scopes: ['runs:read'] };
const creates = (by: { key: string }) => call('POST', '/keys', { key: by.key, body: reader });
const lives = async ({ key }: { key: string }) => (await call('GET', '/me', { key })).status === 200;

/** Keys of a new workspace, each of which revokes the next one, all at once. */
async function ring(size: number) {
  const { workspace_id } = await given.workspace();
  const all = await Promise.all(Array.from({ length: size }, () => given.key(workspace_id, 'all')));
  const next = (i: number) => all[(i + 1) % size]?.key_id ?? '';
  const replies = await Promise.all(all.map((one, i) => revokes(one, next(i))));
  return { all, replies, next };
}

describe.each([2, 3, 5])('%i keys that revoke each other at once', (size) => {
  test('one is first: whoever was revoked before gets 401 and has revoked nothing', async () => {
    for (let round = 0; round < 6; round += 1) {
      const { all, replies } = await ring(size);
      const alive = await Promise.all(all.map(lives));
      expect(alive).toContain(true);
      for (const [i, reply] of replies.entries()) {
        const revoked = !alive[(i + 1) % size];
        if (revoked) expect(reply.status).toBe(204);
        else expectRefusal(reply, 401, 'auth_invalid');
      }
    }
  });
});

test('a key in its grace makes, rotates and revokes none, its successor neither', async () => {
  const home = await given.workspace();
  const other = await given.key(home.workspace_id, ['runs:read']);
  const old = await given.key(home.workspace_id, 'all');
  const successor = (await rotates(old, old.key_id)).body;
  const details = { reason: 'rotated' };
  for (const reply of [
    await creates(old),
    await rotates(old, other.key_id),
    await rotates(old, successor.key_id),
    await revokes(old, other.key_id),
    await revokes(old, successor.key_id),
  ])
    expectRefusal(reply, 409, 'key_not_active', { details });
  expect(await Promise.all([old, other, { key: successor.api_key }].map(lives))).toEqual([true, true, true]);
  expect((await creates({ key: successor.api_key })).status).toBe(201);
});

test('of a rotation and a revocation by the rotated key at once, nothing is half done', async () => {
  for (let round = 0; round < 6; round += 1) {
    const { workspace_id } = await given.workspace();
    const [acting, victim] = await Promise.all([
      given.key(workspace_id, 'all'),
      given.key(workspace_id, 'all'),
    ]);
    const [rotated, revoked] = await Promise.all([
      rotates(acting, acting.key_id),
      revokes(acting, victim.key_id),
    ]);
    expect(rotated.status).toBe(201);
    expect([204, 409]).toContain(revoked.status);
    expect(await lives(victim)).toBe(revoked.status === 409);
  }
});

test('what a key asks for while it is revoked happens before that, or is 401 and does nothing', async () => {
  for (let round = 0; round < 6; round += 1) {
    const home = await given.workspace();
    const acting = await given.key(home.workspace_id, 'all');
    const mine = await monitor(home);
    const [revoked, created, changed, fired] = await Promise.all([
      revokes(home, acting.key_id),
      call('POST', '/monitors', { key: acting.key, body: monitorBody() }),
      call('PATCH', `/monitors/${mine.id}`, { key: acting.key, body: { name: 'Theirs', run: berlin } }),
      call('POST', `/monitors/${mine.id}/fire`, { key: acting.key }),
    ]);
    expect(revoked.status).toBe(204);
    for (const reply of [created, changed, fired])
      if (reply.status >= 400) expectRefusal(reply, 401, 'auth_invalid');
    const name = (await call('GET', `/monitors/${mine.id}`, { key: home.key })).body.name;
    expect(name).toBe(changed.status === 200 ? 'Theirs' : mine.name);
    const { data } = (await call('GET', '/monitors', { key: home.key })).body;
    expect(data).toHaveLength(created.status === 201 ? 2 : 1);
    const made = (await call('GET', `/monitors/${mine.id}/fires`, { key: home.key })).body.data;
    expect(made).toHaveLength(fired.status === 202 ? 1 : 0);
  }
});
