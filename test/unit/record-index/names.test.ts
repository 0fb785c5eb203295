// rules.md: entities 1, 5. Typed parts of names, compared with a linear search.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Entity } from '#contract/entities.ts';
import { applyChanges } from '#record-index/apply.ts';
import { operations } from '#record-index/index-operations.ts';
import { plain } from '#record-index/plain-names.ts';
import { openFile } from '#record-index/schema.ts';

function entityOf(n: number, name: string, type = 'company'): Entity {
  return {
    ...{ id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`, workspace_id: 'w', type, name },
    ...{ fields: {}, created_at: 1, updated_at: 1 },
    ...(n === 0 && { external_uri: 'crm:zero' }),
  };
}

function indexOf(names: string[], typeOf = (_: number) => 'company') {
  const database = openFile(':memory:');
  const records = names.map((name, n) => ({ entity: entityOf(n, name, typeOf(n)), vector: undefined }));
  applyChanges(database, { records, relationships: [], gone_records: [], gone_relationships: [] });
  return (text?: string, limit = 100, type?: string) =>
    operations.named(database, { text, limit, type }).map(({ name }) => name);
}

test('names that begin with the text come first, by name, then those that have its words, short ones first', () => {
  const named = indexOf([
    'New Acme Holding',
    'Acme Works',
    'The Acme',
    'acme',
    'Macmeer',
    'ACME Inc.',
    'Acorn',
  ]);
  expect(named('acme')).toEqual(['acme', 'ACME Inc.', 'Acme Works', 'The Acme', 'New Acme Holding']);
  expect(named('ac')).toEqual(['acme', 'ACME Inc.', 'Acme Works', 'Acorn', 'The Acme', 'New Acme Holding']);
  expect(named('acme', 2)).toEqual(['acme', 'ACME Inc.']);
});

test('all words count, in any order, the last one as the beginning of a word', () => {
  const named = indexOf(['Nord Data GmbH', 'Data Nord', 'Nordic Data', 'Nord Water']);
  expect(named('nord da')).toEqual(['Nord Data GmbH', 'Data Nord']);
  expect(named('data nor')).toEqual(['Data Nord', 'Nordic Data', 'Nord Data GmbH']);
  expect(named('nord d x')).toEqual([]);
});

test('punctuation, accents and operators of a search are ignored, and a type can be given', () => {
  const named = indexOf(['Müller & Söhne', "O'Brien", '100% "OR" Foods', 'Acme'], (n) =>
    n % 2 ? 'person' : 'company',
  );
  expect(named('MULLER-so')).toEqual(['Müller & Söhne']);
  expect(named("o'bri")).toEqual(["O'Brien"]);
  expect(named('"or" 100')).toEqual(['100% "OR" Foods']);
  expect(named('%_*')).toEqual([]);
  expect(named('%')).toEqual(['100% "OR" Foods']);
  expect(named(undefined, 10, 'person')).toEqual(['Acme', "O'Brien"]);
  expect(named('a', 10, 'nothing')).toEqual([]);
});

test('a search of signs finds the names that have them, and one of nothing that is seen finds none', () => {
  const named = indexOf(['C++ Experts', 'C# Guild', 'C Choir', 'Star ★', 'Acme']);
  expect(named('C++')).toEqual(['C++ Experts']);
  expect(named('c#')).toEqual(['C# Guild']);
  expect(named('+')).toEqual(['C++ Experts']);
  expect(named('★')).toEqual(['Star ★']);
  expect(named('c')).toEqual(['C Choir', 'C++ Experts', 'C# Guild']);
  for (const text of ['🦄', ' ', '\u200b', '"', '*']) expect(named(text)).toEqual([]);
});

test('names are found as they stand in any script, and as they look', () => {
  const names = [
    '阿里巴巴集团',
    '株式会社テスト',
    'भारत',
    'บริษัท ไทย',
    'شركة النور',
    'So\u00adft',
    'Großmann',
    'Þór\u00a0Ðal',
  ];
  const named = indexOf(names);
  for (const name of names) expect(named(name)).toEqual([name]);
  expect(named('soft')).toEqual(['So\u00adft']);
  expect(named('GROSSMANN')).toEqual(['Großmann']);
  expect(named('thor d')).toEqual(['Þór\u00a0Ðal']);
});

test('a reference names the one record that has its id, address or outside id; two that share one are named by neither', () => {
  const database = openFile(':memory:');
  const outside = (n: number, external_id: string, source: Entity['source']) => ({
    ...entityOf(n + 1, `Record ${n}`),
    ...{ external_uri: `crm:${n % 3}`, external_id, source },
  });
  const entities = [
    outside(0, 'a', 'custom'),
    outside(1, 'a', 'linkedin'),
    outside(2, 'b', 'custom'),
    outside(3, 'c', 'custom'),
  ];
  const records = entities.map((entity) => ({ entity, vector: undefined }));
  applyChanges(database, { records, relationships: [], gone_records: [], gone_relationships: [] });
  const [first, second, third] = entities.map(({ id }) => id);
  const refs = [
    { external_uri: 'crm:0' },
    { external_uri: 'crm:1' },
    { external_uri: 'crm:9' },
    { external_id: 'a', source: 'custom' as const },
    { external_id: 'a', source: 'linkedin' as const },
    { external_id: 'b', source: 'linkedin' as const },
    { id: String(third).toUpperCase() },
    { id: entityOf(77, '').id },
  ];
  const found = operations.identified(database, refs);
  expect(found).toEqual([undefined, second, undefined, first, second, undefined, third, undefined]);
});

test('for any names and any text, exactly the names that have the words', async () => {
  const word = fc.constantFrom('a', 'ab', 'abc', 'Ünder', 'b-c', '7', '東京');
  const phrase = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '));
  await fc.assert(
    fc.property(fc.array(phrase, { maxLength: 8 }), phrase, (names, text) => {
      const words = plain(text).split(' ');
      const has = (name: string) => {
        const own = plain(name).split(' ');
        return words.every((one, i) =>
          own.some((w) => (i === words.length - 1 ? w.startsWith(one) : w === one)),
        );
      };
      expect(indexOf(names)(text).sort()).toEqual(names.filter(has).sort());
    }),
    { numRuns: 60 },
  );
});
