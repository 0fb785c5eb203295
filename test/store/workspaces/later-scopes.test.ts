// rules.md: entities 11. A key with every scope that there was has those that came later, and no other key has.
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { type Scope, scopes } from '#contract/scopes.ts';
import { newId } from '#platform/ids.ts';
import { table, tableName } from '#store/table/table.ts';
import { keys } from '#store/table/table-keys.ts';
import * as apiKeys from '#store/workspaces/api-keys.ts';
import { useTable } from '../../support/table.ts';

useTable();

const workspace_id = newId();
/** The id of a new key. */
async function makes(its: readonly Scope[]): Promise<string> {
  const key_id = `key_${workspace_id.replaceAll('-', '')}_${newId().replaceAll('-', '').slice(0, 16)}`;
  const key = { key_id, workspace_id, name: 'Key', scopes: [...its], created_at: Date.now() };
  await apiKeys.create(key, newId(), 'sealed');
  return key_id;
}
const before = scopes.filter((scope) => scope !== 'records:write');

test.each([
  ['every scope of its time', before, true],
  ['one less', before.slice(1), false],
] as const)('a key of an earlier release with %s', async (_, had, hasAll) => {
  const key_id = await makes(scopes);
  await table.send(
    new UpdateCommand({
      TableName: tableName(),
      Key: keys.apiKey(workspace_id, key_id),
      UpdateExpression: 'SET scopes = :had REMOVE of_scopes',
      ExpressionAttributeValues: { ':had': had },
    }),
  );
  expect((await apiKeys.getById(key_id))?.scopes).toEqual(hasAll ? scopes : had);
});

test('a key that is made without the newest scope does not have it', async () => {
  const key_id = await makes(before);
  expect((await apiKeys.getById(key_id))?.scopes).toEqual(before);
  const listed = (await apiKeys.list(workspace_id)).find((key) => key.key_id === key_id);
  expect(listed?.scopes).toEqual(before);
});
