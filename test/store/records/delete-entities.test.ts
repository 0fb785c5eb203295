// rules.md: entities 10. Deletions that are interrupted or meet other writers.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { deleteEntities, deleteEntity } from '#domain/records/delete-entities.ts';
import { importEntities } from '#domain/records/import-entities.ts';
import { importRelationships } from '#domain/records/import-relationships.ts';
import { createWorkspace } from '#domain/workspaces/settings.ts';
import * as entities from '#store/records/entity-items.ts';
import { queryAll } from '#store/table/table.ts';
import { keys } from '#store/table/table-keys.ts';
import type { Workspace } from '#store/workspaces/workspaces.ts';
import * as workspaces from '#store/workspaces/workspaces.ts';
import { aroundTable } from '../../support/around-table.ts';
import { allEntities, allRelationships } from '../../support/records-in-table.ts';
import { useTable } from '../../support/table.ts';

vi.hoisted(() => {
  process.env.POWERTOOLS_LOG_LEVEL = 'SILENT';
});
useTable();

const by = { actor: 'key_1', request_id: 'r' };
let workspace: Workspace;
let ids: string[] = [];
let restore = () => {};
beforeEach(async () => {
  const { workspace_id } = await createWorkspace({ name: 'Deletions' });
  workspace = (await workspaces.get(workspace_id)) ?? expect.fail();
  const lines = Array.from({ length: 60 }, (_, n) => ({
    type: 'a',
    name: `${n}`,
    fields: { n },
    external_uri: `shop:${n}`,
  }));
  ids = (await importEntities(workspace_id, lines)).entities.map(({ id }) => id);
  const links = ids.map((id, n) => ({
    from: { id },
    to: { id: ids[(n + 1) % 60] ?? '' },
    type: 'next',
    metadata: {},
  }));
  await importRelationships(workspace_id, links);
});
afterEach(() => restore());

const counted = async () => {
  const entries = await queryAll(keys.audit(workspace.workspace_id));
  return entries.reduce((sum, { count }) => sum + Number(count ?? 0), 0);
};

test.each([1, 5, 62, 63, 64, 70])(
  'one that dies at its transaction %i is completed by the same request, with every record counted once',
  async (at) => {
    let transactions = 0;
    restore = aroundTable(async ({ name }, carryOut) => {
      if (name === 'TransactWriteCommand' && ++transactions >= at) throw new Error('the process died');
      return carryOut();
    });
    await deleteEntities(workspace, { ids }, by).catch((error: Error) =>
      expect(error.message).toContain('died'),
    );
    restore();
    const left = (await allEntities(workspace.workspace_id)).length;
    expect(await deleteEntities(workspace, { ids }, by)).toEqual({ deleted: left, has_more: false });
    expect(await allEntities(workspace.workspace_id)).toEqual([]);
    expect(await allRelationships(workspace.workspace_id)).toEqual([]);
    expect(await entities.idsOf(workspace.workspace_id, { external_uri: 'shop:7' })).toEqual([]);
    expect(await counted()).toBe(60);
  },
);

test('two at once delete each record once', async () => {
  const answers = await Promise.all([1, 2, 3].map(() => deleteEntities(workspace, { ids }, by)));
  expect(answers.reduce((sum, { deleted }) => sum + deleted, 0)).toBe(60);
  expect(await counted()).toBe(60);
});

test('a record that no longer meets the condition when it is deleted stays', async () => {
  const [id = ''] = ids;
  let isChanged = false;
  restore = aroundTable(async ({ name, input }, carryOut) => {
    if (!isChanged && name === 'TransactWriteCommand' && JSON.stringify(input).includes('#ENTITIES')) {
      isChanged = true;
      await importEntities(workspace.workspace_id, [{ id, type: 'a', name: 'Changed', fields: { n: 100 } }]);
    }
    return carryOut();
  });
  const small = { ids, where: { field: 'n', op: '<', value: 2 } } as const;
  expect(await deleteEntities(workspace, small, by)).toEqual({ deleted: 1, has_more: false });
  expect(await entities.get(workspace.workspace_id, id)).toMatchObject({ name: 'Changed' });
});

test('one that was deleted by another request is not found', async () => {
  const outcomes = await Promise.allSettled([1, 2].map(() => deleteEntity(workspace, ids[0], by)));
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'entity_not_found' },
  });
});
