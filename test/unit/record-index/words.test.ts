// Records found by words: the ways that read less answer as the plain one, which joins each match with its record.
import type { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FindQuery } from '#contract/record-queries.ts';
import { applyChanges, noChanges } from '#record-index/apply.ts';
import { countRecords, findRecords } from '#record-index/find-records.ts';
import { openMemory } from '#record-index/schema.ts';
import { compileWhere } from '#record-index/where-to-sql.ts';
import { entity } from '../sources/memory-readers.ts';

const vocabulary = ['red', 'green', 'blue', 'order', 'sale', '1.5', '5', 'straße', '订', 'a"b'];
/** Some are several words, some the same words, some contain another's, some are no words. */
const typesKnown = [
  'order',
  'Orders',
  'sales order',
  'order line',
  'red',
  'Größe',
  'поле',
  '订单',
  '1.5',
  '!',
];

const text = fc
  .array(fc.constantFrom(...vocabulary), { maxLength: 4 })
  .map((some: string[]) => some.join(' '));

interface Change {
  key: number;
  type: string;
  name: string;
  text: string;
  gone: boolean;
}

/** Records of a few types, then changes of some. */
const changes = fc
  .uniqueArray(fc.constantFrom(...typesKnown), { minLength: 1, maxLength: 3 })
  .chain((types) =>
    fc.array(
      fc.record({
        key: fc.integer({ min: 0, max: 29 }),
        type: fc.constantFrom(...types),
        name: text,
        text,
        gone: fc.integer({ min: 0, max: 5 }).map((chance) => chance === 0),
      }),
      { maxLength: 50 },
    ),
  );
const query = fc.record({
  types: fc.option(fc.uniqueArray(fc.constantFrom(...typesKnown), { maxLength: 4 })),
  words: fc.uniqueArray(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: 3 }),
  type_is_word: fc.integer({ min: 0, max: 3 }).map((chance) => chance === 0),
  where: fc.option(fc.constant({ field: 'text', op: 'contains' as const, value: 'e' }), { nil: undefined }),
  sort: fc.constantFrom('relevance' as const, 'relevance' as const, 'name_asc' as const, 'as_read' as const),
  limit: fc.integer({ min: 1, max: 6 }),
});

function indexOf(all: Change[]): DatabaseSync {
  const database = openMemory();
  for (const { key, type, name, text, gone } of all) {
    // Records come in another order than that of their ids.
    const id = `id-${(key * 7) % 30}`;
    const records = gone ? [] : [{ entity: { ...entity(type, name, { text }), id }, vector: undefined }];
    applyChanges(database, { ...noChanges, records, gone_records: gone ? [id] : [] });
  }
  return database;
}

/** The columns and the order of each sort. */
const ordered: Record<string, [string, string]> = {
  relevance: ['-bm25(words) AS k0', 'bm25(words), r.id'],
  name_asc: ['r.name_key AS k0, r.name AS k1', 'k0, k1, r.id'],
  as_read: ['NULL AS none', 'r.rid'],
};

/** Every match with its record and its score; the type of the record is compared, not searched. */
function plainly(database: DatabaseSync, { types, words, type_is_word, where, sort, limit }: FindQuery) {
  const terms = (words ?? []).map((word) => `"${word.replaceAll('"', '""')}"`).join(' OR ');
  const condition = where && compileWhere(database, where);
  const [keys, order] = ordered[String(sort)] ?? [];
  const rows = database
    .prepare(
      `SELECT r.id, r.type, -bm25(words) AS score, ${keys}
       FROM words CROSS JOIN records r ON r.rid = words.rowid
       WHERE words MATCH ? AND ${condition?.text ?? '1'} ORDER BY ${order}`,
    )
    .all(`{name body${type_is_word ? ' type' : ''}} : (${terms})`, ...(condition?.values ?? []))
    .filter(({ type }) => !types || types.includes(String(type)));
  const hits = rows.slice(0, limit).map(({ id, score, k0, k1 }) => ({
    ...{ id, score },
    keys: [k0, k1].filter((key) => key !== undefined),
  }));
  return { hits, matched: rows.length };
}

test('records, scores, order and count are those of the plain way', () => {
  fc.assert(
    fc.property(changes, fc.array(query, { minLength: 20, maxLength: 20 }), (records, asked) => {
      const database = indexOf(records);
      for (const one of asked) {
        const { hits, matched } = findRecords(database, one);
        const shown = hits.map(({ id, score, keys }) => ({ id, score, keys }));
        expect({ hits: shown, matched }).toEqual(plainly(database, one));
        expect(countRecords(database, one)).toBe(matched);
      }
      database.close();
    }),
    { numRuns: 50 },
  );
});

test('of more equally good records than there are places, those with the least ids are found', () => {
  const database = openMemory();
  const ids = Array.from({ length: 400 }, (_, i) => `id-${(i * 7919) % 1000}`);
  const records = ids.map((id, i) => ({
    entity: { ...entity('thing', i % 100 === 99 ? 'red red' : 'red', {}), id },
    vector: undefined,
  }));
  applyChanges(database, { ...noChanges, records });
  const asked: FindQuery = { types: ['thing'], words: ['red'], sort: 'relevance', limit: 6 };
  const least = ids.filter((_, i) => i % 100 !== 99).toSorted();
  const best = ids.filter((_, i) => i % 100 === 99).toSorted();
  expect(findRecords(database, asked).hits.map(({ id }) => id)).toEqual([...best, ...least].slice(0, 6));
  database.close();
});
