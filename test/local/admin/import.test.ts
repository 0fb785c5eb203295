// Imports as a process: the file is streamed, checked before anything is sent, and answered as one object (rules.md:
// admin 4).
import { createWriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { afterEach, expect, test } from 'vitest';
import { isPosix } from '../../support/platform.ts';
import { type FakeService, type Received, startFakeService } from './fake-service.ts';
import { errorOf, runAdmin } from './run-admin.ts';

const ID = '6f1d2c3b-0a4e-4b5c-8d6e-7f8091a2b3c4';
let service: FakeService | undefined;
afterEach(async () => {
  await service?.close();
  service = undefined;
});

function importFile(noun: 'entity' | 'relationship', file: string, nodeFlags: string[] = []) {
  const target = ['--data-dir', service?.dataDir ?? ''];
  return runAdmin([noun, 'import', '--workspace', ID, '--file', file, ...target], nodeFlags);
}

/** Answers an import with a record per line. */
function importing({ command, ...fields }: Received): object {
  if (command === 'import.start') return { import_id: ID };
  if (command === 'import.end') return {};
  const lines = Object.values(fields).find(Array.isArray) ?? [];
  if (command === 'relationship.resolve')
    return { ends: lines.map(() => ({ from_id: ID, to_id: ID })), unresolvable: [] };
  const counts = { imported: lines.length, created: lines.length, updated: 0, unchanged: 0 };
  if (command === 'relationship.import') return { ...counts, relationships: lines };
  return { ...counts, entities: lines.map(withoutOccurrence), faults: [] };
}

function withoutOccurrence(line: unknown): unknown {
  if (typeof line !== 'object' || line === null) return line;
  const { occurrence: _, ...record } = { occurrence: undefined, ...line };
  return record;
}

function lines(dataDir: string, all: object[]): string {
  const file = join(dataDir, 'lines.ndjson');
  writeFileSync(file, all.map((line) => JSON.stringify(line)).join('\n'));
  return file;
}

test('a large import goes in several commands and comes back as one answer', async () => {
  service = await startFakeService(importing);
  const all = Array.from({ length: 1201 }, (_, i) => ({ type: 'company', name: `Company ${i}`, fields: {} }));
  const file = lines(service.dataDir, all);
  const ended = await importFile('entity', file);
  expect(JSON.parse(ended.stdout)).toEqual({
    ...{ imported: 1201, created: 1201, updated: 0, unchanged: 0 },
    by_type: { company: 1201 },
    entities: all,
  });
  const sent = service.received.map(({ command }) => command);
  expect([sent.at(0), sent.at(-1)]).toEqual(['import.start', 'import.end']);
  const imports = service.received.filter(({ command }) => command === 'entity.import');
  expect(imports.map(({ origin }) => JSON.stringify(origin)).toSorted()).toEqual(
    [0, 1000, 500].map((offset) => JSON.stringify({ import_id: ID, offset })),
  );
});

test('an import whose lines all have ids needs no start and no end', async () => {
  service = await startFakeService(importing);
  const file = lines(service.dataDir, [{ id: ID, type: 'company', name: 'Acme' }]);
  await importFile('entity', file);
  expect(service.received.map(({ command }) => command)).toEqual(['entity.import']);
});

test('a file without lines is an import of nothing, and its workspace is checked', async () => {
  service = await startFakeService(importing);
  const file = lines(service.dataDir, []);
  const ended = await importFile('entity', file);
  expect(JSON.parse(ended.stdout)).toEqual({
    ...{ imported: 0, created: 0, updated: 0, unchanged: 0 },
    by_type: {},
    entities: [],
  });
  expect(service.received).toHaveLength(1);
});

/** Writes a file line by line, so that the test does not load it into memory either. */
async function manyLines(dataDir: string, count: number, line: (i: number) => object): Promise<string> {
  const file = join(dataDir, 'many.ndjson');
  const texts = function* () {
    for (let i = 0; i < count; i += 1) yield `${JSON.stringify(line(i))}\n`;
  };
  await pipeline(texts, createWriteStream(file));
  return file;
}

const idOf = (i: number) => `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`;

test('a file larger than the memory of the process is imported in order, a few batches at once', async () => {
  let [under, most] = [0, 0];
  service = await startFakeService(async (command) => {
    under += 1;
    most = Math.max(most, under);
    // The later of two batches answers first.
    await new Promise((resolve) => setTimeout(resolve, (service?.received.length ?? 0) % 2 ? 20 : 0));
    under -= 1;
    return importing({ ...command, entities: namesOf(command) });
  });
  const text = 'x'.repeat(3_000);
  const file = await manyLines(service.dataDir, 20_000, (i) => ({
    id: idOf(i),
    type: 'company',
    name: `Company ${i}`,
    fields: { text },
  }));
  const ended = await importFile('entity', file, ['--max-old-space-size=48', '--max-semi-space-size=8']);
  const answer = JSON.parse(ended.stdout);
  expect(answer.imported).toBe(20_000);
  expect(answer.entities).toEqual(Array.from({ length: 20_000 }, (_, i) => `Company ${i}`));
  expect(most).toBeLessThanOrEqual(3);
});

function namesOf({ entities }: Received): unknown[] {
  return Array.isArray(entities) ? entities.map(({ name }) => name) : [];
}

test('an import that fails prints nothing on stdout and no progress where stderr is not a terminal', async () => {
  service = await startFakeService((command) => {
    const names = namesOf(command);
    return names.includes('Company 1999')
      ? { error: { code: 'model_unavailable', message: 'Away.' } }
      : importing(command);
  });
  const file = await manyLines(service.dataDir, 2000, (i) => ({
    id: idOf(i),
    type: 'a',
    name: `Company ${i}`,
  }));
  const ended = await importFile('entity', file);
  expect(ended).toMatchObject({ code: 1, stdout: '' });
  expect(errorOf(ended).message).toContain('1500 records were imported, then lines 1501 to 2000 failed');
  expect(ended.stderr.split('\n')).toHaveLength(2);
});

test('a large import of relationships goes with the ids of their ends, in order', async () => {
  service = await startFakeService(importing);
  const all = Array.from({ length: 1201 }, (_, i) => ({
    from: { id: ID },
    to: { external_uri: `crm:${i}` },
    type: `t${i}`,
  }));
  const file = lines(service.dataDir, all);
  const answer = JSON.parse((await importFile('relationship', file)).stdout);
  expect(answer.imported).toBe(1201);
  expect(answer.relationships).toEqual(
    all.map(({ type }) => ({ from: { id: ID }, to: { id: ID }, type, metadata: {} })),
  );
});

test('of the lines of one relationship the last one is sent, even when they are far apart', async () => {
  service = await startFakeService(importing);
  const line = { from: { id: ID }, to: { external_uri: 'crm:2' }, type: 'knows' };
  const all = Array.from({ length: 1201 }, (_, n) => ({ ...line, metadata: { role: `${n % 600}`, n } }));
  const { imported, relationships } = JSON.parse(
    (await importFile('relationship', lines(service.dataDir, all))).stdout,
  );
  expect(imported).toBe(600);
  expect(new Set(relationships.map(({ metadata }: { metadata: { n: number } }) => metadata.n))).toEqual(
    new Set(Array.from({ length: 600 }, (_, n) => n + 601)),
  );
});

test('lines without id and names are numbered over the whole file by their type and name', async () => {
  service = await startFakeService(importing);
  const all = Array.from({ length: 1001 }, (_, n) => ({ type: 'order', name: n % 2 ? 'Odd' : 'Even' }));
  await importFile('entity', lines(service.dataDir, [...all, { id: ID, type: 'order', name: 'Odd' }]));
  const sent = service.received.flatMap(({ entities }) => (Array.isArray(entities) ? entities : []));
  const odd = sent.filter(({ name }) => name === 'Odd').map(({ occurrence }) => occurrence);
  expect(odd.toSorted((a, b) => a - b)).toEqual([...Array.from({ length: 500 }, (_, n) => n + 1), undefined]);
});

test('a file that repeats outside names is sent one batch after another', async () => {
  let [under, most] = [0, 0];
  service = await startFakeService(async (command) => {
    most = Math.max(most, ++under);
    await new Promise((resolve) => setTimeout(resolve, 5));
    under -= 1;
    return importing(command);
  });
  const all = Array.from({ length: 2000 }, (_, n) => ({
    type: 'a',
    name: 'A',
    external_uri: `crm:${n % 1999}`,
  }));
  await importFile('entity', lines(service.dataDir, all));
  expect(most).toBe(1);
});

test('lines whose names belong to other records are named by their numbers', async () => {
  const fault = { index: 1, path: 'external_uri', message: 'crm:2 belongs to another record, X' };
  service = await startFakeService((command) => ({
    ...importing({ ...command, entities: [] }),
    faults: command.command === 'entity.import' ? [fault] : [],
  }));
  const all = [1, 2].map((n) => ({ id: idOf(n), type: 'a', name: 'A', external_uri: `crm:${n}` }));
  const ended = await importFile('entity', lines(service.dataDir, all));
  expect(ended).toMatchObject({ code: 1, stdout: '' });
  expect(errorOf(ended)).toMatchObject({ code: 'invalid_file' });
  expect(errorOf(ended).message).toContain('nothing was imported. line 2: external_uri: crm:2 belongs to');
});

test('a reference that many lines name is not looked up again and again', async () => {
  service = await startFakeService(importing);
  const line = { from: { external_uri: 'crm:1' }, to: { external_uri: 'crm:2' }, type: 'knows' };
  const all = Array.from({ length: 3000 }, (_, n) => ({ ...line, type: `knows-${n}` }));
  const ended = await importFile('relationship', lines(service.dataDir, all));
  expect(JSON.parse(ended.stdout)).toMatchObject({ imported: 3000 });
  const resolves = service.received.filter(({ command }) => command === 'relationship.resolve');
  const last = resolves.map(({ relationships }) => JSON.stringify(relationships)).at(-1) ?? '';
  expect(last).toContain(JSON.stringify({ from: { id: ID }, to: { id: ID } }));
  expect(last).not.toContain('crm:');
});

test('a malformed line keeps the whole file from being sent', async () => {
  service = await startFakeService(importing);
  const file = lines(service.dataDir, [{ type: 'company', name: 'Acme' }, { type: 'company' }]);
  const ended = await importFile('entity', file);
  expect(errorOf(ended).message).toContain('line 2: name: is missing');
  expect(service.received).toEqual([]);
});

test('two lines with one id are refused by line number', async () => {
  service = await startFakeService(importing);
  const line = { id: ID, type: 'company', name: 'Acme' };
  const file = lines(service.dataDir, [line, { ...line, id: ID.toUpperCase() }]);
  const ended = await importFile('entity', file);
  expect(errorOf(ended).message).toContain('line 2: has the id of line 1');
});

test('a relationship whose end is unknown is reported by line number, and nothing is written', async () => {
  const ref = { external_uri: 'crm:gone' };
  service = await startFakeService(() => ({ ends: [null], unresolvable: [{ index: 0, end: 'to', ref }] }));
  const file = lines(service.dataDir, [{ from: { id: ID }, to: ref, type: 'knows' }]);
  const ended = await importFile('relationship', file);
  expect(errorOf(ended).message).toContain(
    'line 1: to matches no single record: {"external_uri":"crm:gone"}',
  );
  expect(service.received.map(({ command }) => command)).toEqual(['relationship.resolve']);
});

test('an import that fails in the middle reports what it has imported', async () => {
  service = await startFakeService((command) =>
    namesOf(command).includes('Company 599')
      ? { error: { code: 'import_interrupted', message: 'The table refused.' } }
      : importing(command),
  );
  const all = Array.from({ length: 600 }, (_, i) => ({ type: 'company', name: `Company ${i}` }));
  const file = lines(service.dataDir, all);
  const ended = await importFile('entity', file);
  expect(ended.code).toBe(1);
  expect(errorOf(ended)).toMatchObject({ code: 'import_interrupted' });
  expect(errorOf(ended).message).toContain('500 records were imported, then lines 501 to 600 failed');
});

test.runIf(isPosix)(
  'on a terminal an import prints a summary and its progress; --ids also lists the records',
  async () => {
    service = await startFakeService(importing);
    const all = ['company', 'person', 'company'].map((type, i) => ({ id: idOf(i), type, name: `N${i}` }));
    const args = ['entity', 'import', '--workspace', ID, '--file', lines(service.dataDir, all)];
    const onTerminal = async (...more: string[]) => {
      const { spawn } = await import('@lydell/node-pty');
      const child = spawn(
        process.execPath,
        ['bin/admin.ts', ...args, '--data-dir', service?.dataDir ?? '', ...more],
        {
          cols: 500,
        },
      );
      let shown = '';
      child.onData((text) => {
        shown += text;
      });
      await new Promise((resolve) => child.onExit(resolve));
      return shown;
    };
    const summary = await onTerminal();
    expect(summary).toMatch(/(Checked|Imported) \d/);
    expect(JSON.parse(/\{.*\}/.exec(summary)?.[0] ?? '')).toEqual({
      ...{ imported: 3, created: 3, updated: 0, unchanged: 0 },
      by_type: { company: 2, person: 1 },
    });
    expect(JSON.parse(/\{.*\}/.exec(await onTerminal('--ids'))?.[0] ?? '').entities).toHaveLength(3);
  },
);

test('rows of a CSV are sent as lines that leave what exists, with the number that they have in the file', async () => {
  service = await startFakeService((received) => {
    if (received.command !== 'entity.import') return importing(received);
    const faults = [{ index: 1, path: 'name', message: 'Too long' }];
    return received.dry_run ? { ...importing(received), faults } : importing(received);
  });
  const file = join(service.dataDir, 'rows.csv');
  writeFileSync(file, 'name;total\n"a\nb";1,5\nc;2,0\n');
  const target = ['--data-dir', service.dataDir];
  const ask = ['entity', 'import', '--workspace', ID, '--file', file, '--type', 'order'];
  const { stdout } = await runAdmin([...ask, ...target]);
  expect(JSON.parse(stdout)).toMatchObject({ imported: 2, by_type: { order: 2 } });
  const sent = service.received.filter(({ command }) => command === 'entity.import');
  expect(sent).toMatchObject([
    {
      update: false,
      entities: [
        { type: 'order', name: 'a\nb', fields: { total: 1.5 } },
        { type: 'order', name: 'c', fields: { total: 2 } },
      ],
    },
  ]);
  const dry = await runAdmin([...ask, '--update', '--dry-run', ...target]);
  expect(errorOf(dry).message).toContain('line 4: name: Too long');
  expect(service.received.at(-1)).toMatchObject({ dry_run: true });
  expect(service.received.at(-1)).not.toHaveProperty('update');
});

test('what is wrong with a CSV is refused with its line, before anything is sent', async () => {
  service = await startFakeService(importing);
  const file = join(service.dataDir, 'rows.csv');
  writeFileSync(file, 'name,total\na,1,2\n');
  const target = ['--data-dir', service.dataDir];
  const ask = ['entity', 'import', '--workspace', ID, '--file', file];
  expect(errorOf(await runAdmin([...ask, '--type', 'order', ...target]))).toMatchObject({
    code: 'invalid_file',
    message: expect.stringContaining('nothing was imported. line 2, column 3: the row has 3 cells'),
  });
  expect(errorOf(await runAdmin([...ask, ...target])).message).toContain('--type TYPE');
  expect(service.received).toEqual([]);
});
