// `runs import`: a person's file becomes records, and nothing is half imported without a word.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { call } from '../support/service.ts';
import { folder, runs } from './terminal.ts';

const tickets = `Ticket ID;Customer;Amount (EUR);Created;Open
T-1;Acme;12,50;01.02.2026;true
T-2;Borealis;3,00;14.02.2026;false
T-3;Acme;;15.02.2026;true
`;

const save = (name: string, content: string) => writeFileSync(join(folder, name), content);

async function recordsOf(home: given.Home, type: string) {
  const { data } = (await call('GET', `/entities?type=${type}&limit=100`, { key: home.key })).body;
  const ids: string[] = data.map(({ entity_id }: { entity_id: string }) => entity_id);
  return Promise.all(ids.map(async (id) => (await call('GET', `/entities/${id}`, { key: home.key })).body));
}

test('a CSV is imported: columns and first record are shown, then what became of the rows', async () => {
  const home = await given.workspace();
  save('tickets.csv', tickets);
  const ask = [
    'import',
    'tickets.csv',
    '--type',
    'ticket',
    '--id-field',
    'Ticket ID',
    '--name-field',
    'Ticket ID',
  ];
  const dry = await runs([...ask, '--dry-run'], { home });
  expect(dry).toMatchObject({ code: 0, out: 'would be: 3 created, 0 left as they were\n' });
  expect(await recordsOf(home, 'ticket')).toEqual([]);
  const first = await runs(ask, { home });
  expect(first).toMatchObject({ code: 0, out: '3 created, 0 left as they were\n' });
  expect(first.err).toContain('3 rows of CSV\n');
  expect(first.err).toMatch(/^Amount \(EUR\) +number +1 row without$/m);
  expect(first.err).toMatch(/^Created +date$/m);
  expect(first.err).toContain('first record: {"type":"ticket","name":"T-1"');
  const [record] = (await recordsOf(home, 'ticket')).filter(({ name }) => name === 'T-1');
  expect(record).toMatchObject({
    external_id: 'T-1',
    source: 'custom',
    fields: { Customer: 'Acme', 'Amount (EUR)': 12.5, Created: '2026-02-01', Open: true },
  });
});

test('without --update a record that exists is left as it is, with it its fields are replaced', async () => {
  const home = await given.workspace();
  save('people.csv', 'name,city\nAda,Bergen\nBo,Oslo\n');
  const ask = ['import', 'people.csv', '--type', 'person', '--json'];
  const outcome = async (...more: string[]) => JSON.parse((await runs([...ask, ...more], { home })).out);
  expect(await outcome()).toMatchObject({ imported: 2, created: 2 });
  save('people.csv', 'name,city\nAda,Kiel\nBo,Oslo\nCy,Rome\n');
  expect(await outcome()).toMatchObject({ imported: 3, created: 1, updated: 0, unchanged: 2 });
  const cities = async () =>
    (await recordsOf(home, 'person')).map(({ name, fields }) => `${name} ${fields.city}`).toSorted();
  expect(await cities()).toEqual(['Ada Bergen', 'Bo Oslo', 'Cy Rome']);
  expect(await outcome('--update')).toMatchObject({ created: 0, updated: 1, unchanged: 2 });
  expect(await cities()).toEqual(['Ada Kiel', 'Bo Oslo', 'Cy Rome']);
});

test('twins stay twins, however often the file comes', async () => {
  const home = await given.workspace();
  save('twins.csv', `name,n\n${Array.from({ length: 1200 }, (_, i) => `same,${i}`).join('\n')}\n`);
  const ask = ['import', 'twins.csv', '--type', 'twin', '--json'];
  expect(JSON.parse((await runs(ask, { home })).out)).toMatchObject({ created: 1200 });
  expect(JSON.parse((await runs([...ask, '--update'], { home })).out)).toMatchObject({
    created: 0,
    updated: 0,
    unchanged: 1200,
  });
});

test.each([
  ['too many cells', 'bad.csv', 'name,x\na,1,2\n', 'line 2, column 3'],
  ['two columns of one name', 'bad.csv', 'name,x,x\n', 'line 1, column 3'],
  ['broken JSON', 'bad.json', '[{"name":}]', 'line 1, column 10'],
  ['an open quote', 'bad.csv', 'name,x\n"a,1\n', 'line 2, column 1'],
  ['an empty file', 'bad.csv', '', 'the file is empty'],
])('%s: exit 6 with the line, and nothing is imported', async (_, name, content, said) => {
  const home = await given.workspace();
  save(name, content);
  const refused = await runs(['import', name, '--type', 'bad'], { home });
  expect(refused).toMatchObject({ code: 6, out: '' });
  expect(refused.err).toContain(`runs: ${name}: ${said}`);
  expect(refused.err).toContain('Nothing was imported.');
  expect(await recordsOf(home, 'bad')).toEqual([]);
});

test('a header alone imports nothing; a file that is not there, and no type, are one line', async () => {
  const home = await given.workspace();
  save('none.csv', 'name,x\n');
  expect(await runs(['import', 'none.csv', '--type', 'none'], { home })).toMatchObject({
    code: 0,
    out: '0 created, 0 left as they were\n',
  });
  expect(await runs(['import', 'absent.csv', '--type', 'none'], { home })).toMatchObject({
    code: 6,
    err: 'runs: absent.csv: there is no such file. Nothing was imported.\n',
  });
  save('some.csv', 'name\na\n');
  expect((await runs(['import', 'some.csv'], { home })).err).toContain('rows need the type of their records');
});

test('lines that the service refuses are named with their line, the others are in', async () => {
  const home = await given.workspace();
  save('long.csv', `name,x\nfine,1\n${'n'.repeat(3000)},2\nfine too,3\n`);
  const outcome = await runs(['import', 'long.csv', '--type', 'long'], { home });
  expect(outcome).toMatchObject({ code: 6, out: '2 created, 0 left as they were, 1 refused\n' });
  expect(outcome.err).toMatch(/^line 3: name: /m);
});

test('a key without records:write is refused', async () => {
  const home = await given.workspace();
  const { key } = await given.key(home.workspace_id, ['runs:read']);
  save('some.csv', 'name\na\n');
  const refused = await runs(['import', 'some.csv', '--type', 'x'], { home: { ...home, key } });
  expect(refused).toMatchObject({ code: 4 });
  expect(refused.err).toContain('no row was imported for certain');
});
