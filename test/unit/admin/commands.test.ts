// What the admin function accepts, checked before anything is read or written.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Command, ImportBridge, issueLines } from '../../../functions/admin/commands.ts';
import { ImportEntity, ImportRelationship } from '../../../functions/domain/records/checked-lines.ts';
import { whyNotStorable } from '../../../functions/domain/records/storable-fields.ts';

const ID = '6F1D2C3B-0A4E-4B5C-8D6E-7F8091A2B3C4';
const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);
const accepts = (value: unknown) => Command.safeParse(value).success;

function wrongWith(value: unknown): string[] {
  const result = Command.safeParse(value);
  return result.success ? [] : issueLines(result.error);
}

describe('commands', () => {
  test('ids are accepted in either case and stored in lower case', () => {
    expect(Command.parse({ command: 'workspace.show', workspace_id: ID })).toEqual({
      command: 'workspace.show',
      workspace_id: ID.toLowerCase(),
    });
  });

  test.each([
    { command: 'workspace.create' },
    { command: 'workspace.create', name: '' },
    { command: 'workspace.create', name: 'a', tier: 'gold' },
    { command: 'workspace.create', name: 'a', features: ['FLYING'] },
    { command: 'workspace.create', name: 'a', credits: -1 },
    { command: 'workspace.create', name: 'a', credits: 1.5 },
    { command: 'workspace.create', name: 'a', daily_cost_cap_usd: -0.01 },
    { command: 'workspace.create', name: 'a', status: 'deleted' },
    { command: 'workspace.update', workspace_id: ID, status: 'asleep' },
    { command: 'key.create', workspace_id: ID, scopes: [] },
    { command: 'key.create', workspace_id: ID, scopes: ['runs:remove'] },
    { command: 'key.create', workspace_id: ID, scopes: 'all', expires_at: -5 },
    { command: 'delivery.list', run_id: 'x' },
    { command: 'workspace.drop' },
    {},
    null,
    'workspace.show',
  ])('%j is refused', (value) => {
    expect(accepts(value)).toBe(false);
  });

  test('a missing field is reported as missing', () => {
    expect(wrongWith({ command: 'workspace.create' })).toEqual(['name: is missing']);
  });
});

describe('lines of an import', () => {
  test('metadata defaults to nothing; a line without fields has none, so that those of its record stay', () => {
    expect(
      ImportRelationship.parse({ from: { id: ID }, to: { external_uri: 'crm:a' }, type: 'knows' }),
    ).toEqual({
      from: { id: ID },
      to: { external_uri: 'crm:a' },
      type: 'knows',
      metadata: {},
    });
    const line = { type: 'company', name: 'Acme' };
    expect(ImportEntity.parse(line)).toEqual(line);
  });

  test.each([
    ['no type', { name: 'Acme' }],
    ['an unknown field', { type: 'company', name: 'Acme', colour: 'red' }],
    ['a URI without scheme', { type: 'company', name: 'Acme', external_uri: 'acme' }],
    ['an unknown source', { type: 'company', name: 'Acme', external_id: '1', source: 'fax' }],
    ['a number beyond 2^53', { type: 'company', name: 'Acme', fields: { n: 2 ** 60 } }],
    ['a number that is not finite', { type: 'company', name: 'Acme', fields: { n: JSON.parse('1e400') } }],
    ['a lone surrogate', { type: 'company', name: 'Acme', fields: { s: '\ud800' } }],
    ['a __proto__ key of its own', JSON.parse('{"type":"company","name":"Acme","__proto__":{"a":1}}')],
    ['values nested too deep', { type: 'company', name: 'Acme', fields: { a: nested(200) } }],
    ['a bottomless value', { type: 'company', name: 'Acme', fields: { a: nested(5000) } }],
    ['more bytes than a record holds', { type: 'company', name: 'Acme', fields: { a: 'x'.repeat(400_000) } }],
    ['a name too long for a key', { type: 'company', name: 'Acme', external_uri: `crm:${'🜁'.repeat(600)}` }],
  ])('%s is refused', (_, value) => {
    expect(ImportEntity.safeParse(value).success).toBe(false);
  });

  test('a reference that mixes two shapes is refused', () => {
    const mixed = { id: ID, external_uri: 'crm:a' };
    expect(ImportRelationship.safeParse({ from: mixed, to: { id: ID }, type: 'knows' }).success).toBe(false);
  });

  test('text, safe integers and plain nesting are always storable', () => {
    const key = fc.string({ unit: 'grapheme' });
    const leaf = fc.oneof(key, fc.maxSafeInteger(), fc.boolean(), fc.constant(null));
    const branch = fc.dictionary(key, fc.oneof(leaf, fc.array(leaf), fc.dictionary(key, leaf)));
    fc.assert(fc.property(branch, (value) => whyNotStorable(value) === undefined));
  });
});

describe('bridge files', () => {
  const company = {
    type: 'company',
    kind: 'entity',
    entity_type: 'company',
    name_field: 'name',
    field_map: { hq: 'city' },
  };
  const employment = {
    type: 'employment',
    kind: 'relationship',
    relationshipTypeId: ID,
    fromField: 'person_id',
    fromResourceType: 'person',
    toField: 'company_id',
    toResourceType: 'company',
  };
  const person = { ...company, type: 'person', entity_type: 'person' };
  const file = (resources: object[]) => ({ name: 'crm', workspaces: [{ workspace_id: ID, resources }] });

  test('entities and the relationships between them are accepted', () => {
    expect(ImportBridge.safeParse(file([company, person, employment])).success).toBe(true);
  });

  test.each([
    ['a resource type twice', file([company, company])],
    ['a relationship to a type that the bridge does not bring', file([company, employment])],
    ['no resource', file([])],
    ['an unknown kind', file([{ ...company, kind: 'thing' }])],
    [
      'a workspace twice',
      { name: 'crm', workspaces: [...file([company]).workspaces, ...file([company]).workspaces] },
    ],
  ])('%s is refused', (_, value) => {
    expect(ImportBridge.safeParse(value).success).toBe(false);
  });
});
