// Random records, conditions, sorts and groups that often match: few fields, few values, every kind in every field.
import fc from 'fast-check';
import {
  type FieldSort,
  type GroupedBy,
  type GroupField,
  type Measure,
  periods,
  type Where,
} from '#contract/conditions.ts';
import type { Entity } from '#contract/entities.ts';
import type { Json, JsonObject } from '#contract/json.ts';

const LONG = 'A long text about Ålesund and its harbour, which does not fit into a column of the file. ';
const texts = [
  'Berlin',
  'berlin',
  'Oslo',
  'ÅLESUND',
  'å',
  '',
  '5',
  'true',
  '𝄞',
  '\uffff',
  'a\u0000b',
  LONG,
  `${LONG}2`,
  LONG.slice(0, 64),
  LONG.slice(0, 63),
  '2024-02-29',
  '2024-03-04T00:30:00+02:00',
];
const numbers = [5, 5.5, -1, 0, 1e21, 990, 1_000_000, -0.25, 1_711_500_000_000];

const scalar = fc.oneof(fc.constantFrom(...texts), fc.constantFrom(...numbers), fc.boolean());
const list = fc.array(fc.oneof(scalar, fc.constant(null), fc.constant({ x: 1 })), { maxLength: 4 });
const leaf: fc.Arbitrary<Json> = fc.oneof(
  { arbitrary: scalar, weight: 6 },
  { arbitrary: list, weight: 2 },
  { arbitrary: fc.constant(null), weight: 1 },
);
/** Names that are attributes, contain dots, or would be dangerous as SQL or properties. */
const names = [
  'city',
  'revenue',
  'name',
  'type',
  'a',
  'a.b',
  'b',
  'x"; DROP TABLE records; --',
  'constructor',
  '%',
];
const name = fc.constantFrom(...names);

function entries(value: fc.Arbitrary<Json>): fc.Arbitrary<JsonObject> {
  return fc.array(fc.tuple(name, value), { maxLength: 5 }).map((pairs) => Object.fromEntries(pairs));
}
const fields: fc.Arbitrary<JsonObject> = entries(
  fc.oneof({ arbitrary: leaf, weight: 4 }, { arbitrary: entries(leaf), weight: 1 }),
);

const types = ['company', 'person'];
const workspaceId = '00000000-0000-4000-8000-0000000000aa';
const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

function entity(id: number): fc.Arbitrary<Entity> {
  return fc.record({
    id: fc.constant(idOf(id)),
    workspace_id: fc.constant(workspaceId),
    type: fc.constantFrom(...types),
    name: fc.constantFrom('Acme', 'acme', 'Zeta Ålesund', 'Beta 2'),
    fields,
    created_at: fc.integer({ min: 0, max: 5 }),
    updated_at: fc.integer({ min: 0, max: 5 }),
  });
}

export const entities = (count: number) => fc.tuple(...Array.from({ length: count }, (_, i) => entity(i)));

const field = fc.oneof(
  name,
  fc.constantFrom(
    'a.b',
    'fields.a.b',
    'fields.name',
    'fields.type',
    'id',
    'created_at',
    'external_uri',
    'a.b.city',
    'nothing',
    'city.b',
  ),
);

const condition: fc.Arbitrary<Where> = fc.oneof(
  fc.record({ field, op: fc.constantFrom('=' as const, '!=' as const), value: scalar }),
  fc.record({
    field,
    op: fc.constantFrom('<' as const, '<=' as const, '>' as const, '>=' as const),
    value: fc.oneof(fc.constantFrom(...texts), fc.constantFrom(...numbers)),
  }),
  fc.record({
    field,
    op: fc.constant('in' as const),
    value: fc.array(scalar, { minLength: 1, maxLength: 4 }),
  }),
  fc.record({
    field,
    op: fc.constantFrom('contains' as const, 'starts_with' as const),
    value: fc.constantFrom('ber', 'BERLIN', 'å', 'Ålesund', 'A long', '2', '%', '_'),
  }),
  fc.record({ field, op: fc.constant('exists' as const), value: fc.boolean() }),
);

export const where: fc.Arbitrary<Where> = fc.letrec<{ where: Where }>((tie) => ({
  where: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    condition,
    fc.array(tie('where'), { minLength: 1, maxLength: 3 }).map((and) => ({ and })),
    fc.array(tie('where'), { minLength: 1, maxLength: 3 }).map((or) => ({ or })),
    tie('where').map((not) => ({ not })),
  ),
})).where;

export const sorts: fc.Arbitrary<FieldSort[]> = fc.array(
  fc.record({ field, direction: fc.constantFrom('asc' as const, 'desc' as const, undefined) }),
  { minLength: 1, maxLength: 3 },
);

const by: fc.Arbitrary<GroupedBy> = fc.oneof(
  fc.constantFrom(...periods),
  fc.constantFrom({ width: 2 }, { width: 500 }),
);
export const groupBy: fc.Arbitrary<GroupField[]> = fc.array(
  fc.oneof({ arbitrary: field, weight: 2 }, { arbitrary: fc.record({ field, by }), weight: 1 }),
  { minLength: 0, maxLength: 3 },
);

export const measures: fc.Arbitrary<Measure[]> = fc
  .array(
    fc.oneof(
      fc.constant({ op: 'count' as const }),
      fc.record({
        op: fc.constantFrom('count' as const, 'sum' as const, 'avg' as const, 'min' as const, 'max' as const),
        field,
      }),
    ),
    { maxLength: 4 },
  )
  .map((all) => all.map((measure, i) => ({ as: `m${i}`, ...measure })));
