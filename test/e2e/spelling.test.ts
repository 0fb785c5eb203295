// rules.md: entities 5. Names in any script are found as they stand, and as they look, in every search.
import { beforeAll, expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { fetchedBy, outcomeOf } from '../support/outcomes.ts';
import { call } from '../support/service.ts';

const scripts = ['阿里巴巴集团', '株式会社テスト', 'भारत', 'บริษัท ไทย', 'شركة النور', '삼성전자'];
/** Names as pasted, and as people type them. */
const looks = {
  'So\u00adft': 'Soft',
  'Nord\u200bda\u2060ta': 'Norddata',
  'Großmann\u00a0& Co': 'grossmann co',
  'Þór Øresund': 'Thor Oresund',
  'Łódź Ærø': 'LODZ AERO',
  'Diyarbakır\ufe0f': 'diyarbakir',
};
const signs = ['C++ Experts', 'C# Guild', 'C Choir', 'Star ★'];

let home: given.Home;
beforeAll(async () => {
  home = await given.workspace();
  const names = [...scripts, ...Object.keys(looks), ...signs];
  await given.entities(
    home.workspace_id,
    names.map((name) => ({ type: 'firm', name })),
  );
});

async function named(text: string): Promise<string[]> {
  const { body } = await call('GET', `/entities?query=${encodeURIComponent(text)}`, { key: home.key });
  return body.data.map(({ entity_name }: { entity_name: string }) => entity_name);
}
const fetched = async (query: string) => (await fetchedBy(home, { source: 'firms', query })).names;

test('by name, by words and by likeness, in every script', async () => {
  for (const name of scripts) {
    expect(await named(name)).toEqual([name]);
    expect(await fetched(name)).toContain(name);
    const params = { source: 'firms', query: name, limit: 1 };
    expect((await outcomeOf(home, { kind: 'vector_search', params })).names).toEqual([name]);
  }
});

test('by what they look like, whatever characters write it', async () => {
  for (const [name, typed] of Object.entries(looks)) {
    expect(await named(typed)).toEqual([name]);
    expect(await named(name)).toEqual([name]);
    expect(await fetched(typed)).toHaveLength(1);
  }
});

test('a search of signs finds what has them, or nothing', async () => {
  expect(await named('C++')).toEqual(['C++ Experts']);
  expect(await named('C#')).toEqual(['C# Guild']);
  expect(await named('★')).toEqual(['Star ★']);
  expect(await fetched('C++')).toEqual(['C++ Experts']);
  expect(await fetched('C#')).toEqual(['C# Guild']);
  expect(await fetched('★')).toEqual(['Star ★']);
  for (const text of ['🦄', '%', '"', ' ', '\u200b']) expect(await named(text)).toEqual([]);
  for (const text of ['🦄', '%', '+']) expect(await fetched(text)).toEqual([]);
});
