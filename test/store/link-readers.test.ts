// rules.md: links 5. The readers that a link has at once: at most twenty, whatever becomes of them.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { limits } from '#contract/limits.ts';
import { countReader } from '#domain/artifacts/limit-link-readers.ts';
import { newId } from '#platform/ids.ts';
import { useTable } from '../support/table.ts';

const MINUTE = 60_000;
const { artifact_link_readers_max: most } = limits;
useTable();
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

const newLink = () => ({ workspace_id: newId(), name: newId(), format: 'csv' as const });
type Link = ReturnType<typeof newLink>;
const openAll = (link: Link) => Promise.all(Array.from({ length: most }, () => countReader(link)));
const refused = { code: 'rate_limit_exceeded' };

test('a reader beyond the ceiling is refused until one has left; another link has its own', async () => {
  const link = newLink();
  const [leave] = await openAll(link);
  await expect(countReader(link)).rejects.toMatchObject(refused);
  await countReader({ ...link, name: newId() });
  await leave?.();
  await countReader(link);
  await expect(countReader(link)).rejects.toMatchObject(refused);
});

test('of readers that come at once exactly the ceiling are let in', async () => {
  const link = newLink();
  const came = await Promise.allSettled(Array.from({ length: 3 * most }, () => countReader(link)));
  expect(came.filter(({ status }) => status === 'fulfilled')).toHaveLength(most);
});

test('readers whose process has died count for a minute', async () => {
  const link = newLink();
  const dead = await openAll(link);
  vi.setSystemTime(Date.now() + MINUTE - 1);
  await expect(countReader(link)).rejects.toMatchObject(refused);
  vi.setSystemTime(Date.now() + 1);
  await openAll(link);
  // One that was only slow does not take the place of its successor away.
  for (const leave of dead) await leave();
  await expect(countReader(link)).rejects.toMatchObject(refused);
});

test('leaving twice frees one place', async () => {
  const link = newLink();
  const [leave] = await openAll(link);
  await leave?.();
  await countReader(link);
  await leave?.();
  await expect(countReader(link)).rejects.toMatchObject(refused);
});
