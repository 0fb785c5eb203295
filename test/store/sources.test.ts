// rules.md: sources 1. The names of a workspace's sources are on its own item, in the transaction of each source.
import { expect, test } from 'vitest';
import { limits } from '#contract/limits.ts';
import { createWorkspace } from '#domain/workspaces/settings.ts';
import * as sources from '#store/workspaces/sources.ts';
import * as workspaces from '#store/workspaces/workspaces.ts';
import { useTable } from '../support/table.ts';

useTable();

const sourceOf = (workspace_id: string, name: string, url = 'https://a.example/'): sources.PagedSource => ({
  ...{
    workspace_id,
    name,
    kind: 'http',
    url,
    description: '',
    entity_type: name,
    fields: [],
    timeout_ms: 100,
  },
  ...{ sealed_secret: 's', sealed_headers: 'h', created_at: 1 },
});
const namesOf = async (workspaceId: string) => [...((await workspaces.get(workspaceId))?.sources ?? [])];

test('a workspace names its sources, at most 100, and none after the last is deleted', async () => {
  const { workspace_id } = await createWorkspace({ name: 'Sources' });
  const name = (i: number) => `s${i}`;
  for (let i = 0; i < limits.sources_max; i += 1)
    expect(await sources.create(sourceOf(workspace_id, name(i)))).toBe('created');
  expect(await sources.create(sourceOf(workspace_id, 'more'))).toBe('full');
  expect(await sources.get(workspace_id, 'more')).toBeUndefined();
  expect(await sources.create(sourceOf(workspace_id, name(0), 'https://b.example/'))).toBe('exists');
  expect(await sources.list(workspace_id)).toHaveLength(limits.sources_max);
  for (let i = 0; i < limits.sources_max; i += 1)
    expect(await sources.remove(workspace_id, name(i))).toBe(true);
  expect(await sources.remove(workspace_id, name(0))).toBe(false);
  expect((await workspaces.get(workspace_id))?.sources).toBeUndefined();
});

test('a source that was deleted or made again since it was read is not replaced', async () => {
  const { workspace_id } = await createWorkspace({ name: 'Sources' });
  const before = sourceOf(workspace_id, 'crm');
  await sources.create(before);
  expect(await sources.replace({ ...before, url: 'https://b.example/' })).toBe(true);
  await sources.remove(workspace_id, 'crm');
  expect(await sources.replace(before)).toBe(false);
  await sources.create({ ...before, created_at: 2 });
  expect(await sources.replace(before)).toBe(false);
  expect(await namesOf(workspace_id)).toEqual(['crm']);
});
