// rules.md: entities. Records are found by a typed part of their names.
import { beforeAll, describe, expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { expectRefusal } from '../support/refusal.ts';
import { call } from '../support/service.ts';

let home: given.Home;
beforeAll(async () => {
  home = await given.workspace();
  await given.companies(home.workspace_id);
});

const search = (query = '', by: given.Caller = home) => call('GET', `/entities${query}`, { key: by.key });
const names = (reply: { body: { data: { entity_name: string }[] } }) =>
  reply.body.data.map(({ entity_name }) => entity_name);

describe('GET /entities', () => {
  test('without a query the records come by name, with the addresses they have', async () => {
    const { status, body } = await search();
    expect(status).toBe(200);
    const company = { entity_id: expect.any(String), entity_type: 'company' };
    expect(body).toEqual({
      object: 'list',
      data: [
        { ...company, entity_name: 'Acme', external_uri: 'crm:acme' },
        { ...company, entity_name: 'Borealis' },
        { ...company, entity_name: 'Cobalt' },
        { entity_id: expect.any(String), entity_type: 'person', entity_name: 'Dana Ito' },
      ],
    });
  });

  test('words select without case, the last one as a prefix; type and limit narrow', async () => {
    expect(names(await search('?query=IT'))).toEqual(['Dana Ito']);
    expect(names(await search('?query=dan%20ito'))).toEqual([]);
    expect(names(await search('?query=ito%20dan'))).toEqual(['Dana Ito']);
    expect(names(await search('?type=company&limit=2'))).toEqual(['Acme', 'Borealis']);
    expect(names(await search('?type=robot'))).toEqual([]);
  });

  test('a record is found once it is imported, only in its own workspace', async () => {
    const own = await given.workspace();
    await given.entities(own.workspace_id, [{ type: 'company', name: 'Acme Twin' }]);
    expect(names(await search('?query=acme', own))).toEqual(['Acme Twin']);
    await given.entities(own.workspace_id, [{ type: 'company', name: 'Acme Third' }]);
    expect(names(await search('?query=acme', own))).toEqual(['Acme Third', 'Acme Twin']);
  });

  test.each([
    ['query=', 'query'],
    [`query=${'x'.repeat(501)}`, 'query'],
    ['query=a&query=b', 'query'],
    ['type=', 'type'],
    ['limit=', 'limit'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=x', 'limit'],
  ])('%s is refused', async (query, param) => {
    expectRefusal(await search(`?${query}`), 422, 'schema_validation_failed', { param });
  });

  test('needs the scope runs:read', async () => {
    const creator = await given.key(home.workspace_id, ['runs:create']);
    expectRefusal(await search('', creator), 403, 'forbidden_feature', {
      details: { required_scope: 'runs:read' },
    });
  });
});
