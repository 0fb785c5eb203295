// rules.md: exports. An artifact in other formats, and parts of a table.
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, test } from 'vitest';
import { RunService } from '../../clients/sdk/index.ts';
import * as given from '../support/given.ts';
import { markdownTable } from '../support/markdown-judge.ts';
import { call, sharedService } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

const table = { kind: 'reconstitute', params: { expected_artifacts: ['table'] } };
const records: Parameters<typeof given.entities>[1] = [
  {
    type: 'company',
    name: 'Ärger & Söhne [x]',
    fields: { city: 'Berlin', revenue: 12.5, note: 'a "quoted", `code`\nsecond line', tags: ['a_b', 'c'] },
  },
  { type: 'company', name: '=1+1', fields: { city: '-2+3', revenue: -7, note: '-7', '=head': '@x' } },
  { type: 'company', name: 'Plain', fields: { city: 'Oslo', address: { zip: '1|2', links: '[a](b)' } } },
];

let home: given.Home;
let ids: string[];
let tableId: string;
let textId: string;
let cardId: string;

async function artifactsOf(body: Record<string, unknown>) {
  const { body: run } = await call('POST', '/runs', { key: home.key, body });
  return (await then.ended(home, run.id)).artifacts as { id: string; kind: string }[];
}

beforeAll(async () => {
  home = await given.workspace();
  ids = (await given.entities(home.workspace_id, records)).map(({ id }) => id);
  const fetched = { kind: 'fetch', params: { source: 'companies' } };
  const [made] = await artifactsOf({ input_type: 'plan', plan: when.plan(fetched, table) });
  tableId = made?.id ?? '';
  const params = { entity: { id: ids[0] }, sections: ['Overview'] };
  const written = await artifactsOf({ input_type: 'preset', preset: 'dossier', params });
  const idOf = (kind: string) => written.find((one) => one.kind === kind)?.id ?? '';
  [textId, cardId] = [idOf('text'), idOf('entity_card')];
});

const get = (id: string, query = '', headers: Record<string, string> = {}) =>
  call('GET', `/artifacts/${id}${query}`, { key: home.key, headers });
const csvOf = async (query: string) => parse((await get(tableId, `?format=csv${query}`)).body);
const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('a table', () => {
  test('as CSV has plain cells, CRLF, and the ids of its records in the last column', async () => {
    const { status, headers, body } = await get(tableId, '?format=csv');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    const [head = [], ...rows] = parse(body, { record_delimiter: '\r\n' });
    expect([head[0], head.at(-1)]).toEqual(['name', '_record']);
    const row = (id: string | undefined) => {
      const found = rows.find((cells) => cells.at(-1) === id) ?? [];
      return Object.fromEntries(head.map((name, i) => [name, found[i]]));
    };
    expect(row(ids[0])).toMatchObject({ name: 'Ärger & Söhne [x]', revenue: '12.5', tags: '["a_b","c"]' });
    expect(row(ids[0]).note).toBe('a "quoted", `code`\nsecond line');
    expect(row(ids[2])).toMatchObject({ address: '{"zip":"1|2","links":"[a](b)"}', revenue: '', note: '' });
  });

  test('as CSV disarms formulas in cells and headers, but no negative number', async () => {
    const disarmed = await csvOf('');
    expect(disarmed[0]).toContain("'=head");
    expect(disarmed.flat()).toEqual(expect.arrayContaining(["'=1+1", "'-2+3", '-7', "'@x"]));
    const kept = await csvOf('&formulas=keep');
    expect(kept[0]).toContain('=head');
    expect(kept.flat()).toEqual(expect.arrayContaining(['=1+1', '-2+3', '@x']));
  });

  test('as JSON lines has plain values of their own kinds', async () => {
    const { headers, body } = await get(tableId, '?format=jsonl');
    expect(headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    const rows = linesOf(body);
    expect(rows.find(({ _record }) => _record === ids[2])).toMatchObject({
      name: 'Plain',
      address: { zip: '1|2', links: '[a](b)' },
      revenue: null,
    });
    expect(rows.find(({ _record }) => _record === ids[1])).toMatchObject({ name: '=1+1', revenue: -7 });
  });

  test('as Markdown is one table with record links', async () => {
    const { headers, body } = await get(tableId, '?format=md');
    expect(headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    const { columns, rows } = markdownTable(body);
    expect([columns[0], columns.includes('=head'), rows]).toEqual([
      'name',
      true,
      Array(3).fill(columns.length),
    ]);
    expect(body).toContain(`(entity=${ids[0]})`);
  });

  test('of groups has no record ids', async () => {
    const grouped = { kind: 'fetch', params: { source: 'companies', group_by: ['city'] } };
    const [made] = await artifactsOf({ input_type: 'plan', plan: when.plan(grouped, table) });
    const rows = linesOf((await get(made?.id ?? '', '?format=jsonl')).body);
    expect(rows.map(({ _record }) => _record)).toEqual(['', '', '']);
  });
});

describe('a part of a table', () => {
  test.each(['json', 'jsonl', 'csv', 'md'])('is taken by columns and rows, as %s', async (format) => {
    const whole = (await get(tableId)).body;
    const { body } = await get(tableId, `?format=${format}&fields=city,name&offset=1&limit=1`);
    const { name, city } = whole.rows[1];
    if (format === 'json')
      expect(body).toEqual({ ...whole, columns: ['city', 'name'], rows: [{ city, name }] });
    else if (format === 'md') expect(markdownTable(body)).toMatchObject({ columns: ['city', 'name'] });
    else {
      const [, id] = /entity=([^)]+)/.exec(name) ?? [];
      const row = format === 'csv' ? parse(body, { columns: true })[0] : linesOf(body)[0];
      expect([Object.keys(row), row._record]).toEqual([['city', 'name', '_record'], id]);
    }
    if (format !== 'json')
      expect(body.trimEnd().split('\n')).toHaveLength({ jsonl: 1, csv: 2, md: 3 }[format] ?? 0);
  });

  test('after the last row is empty, and its row_count stays the whole', async () => {
    const { body } = await get(tableId, '?offset=3');
    expect([body.rows, body.row_count]).toEqual([[], 3]);
    expect(await csvOf('&offset=3')).toHaveLength(1);
  });

  test('comes with its links when they are asked for', async () => {
    const { body } = await get(tableId, '?limit=1&include=links');
    expect([body.entity_refs, body.rows.length]).toEqual([[], 1]);
  });
});

describe('a table without rows, or from its end (rules.md: exports 8)', () => {
  const url = (id: string, query: string) => `${sharedService().base_url}/artifacts/${id}${query}`;
  let noRows = '';
  beforeAll(async () => {
    const none = {
      kind: 'fetch',
      params: { source: 'companies', where: { field: 'city', op: '=', value: 'Nowhere' } },
    };
    const [made] = await artifactsOf({ input_type: 'plan', plan: when.plan(none, table) });
    noRows = made?.id ?? '';
  });

  test.each([
    ['by format', '?format=jsonl', {}],
    ['by the Accept header', '', { accept: 'application/x-ndjson' }],
  ])('as JSON lines %s is no lines', async (_, query, headers) => {
    const { status, headers: sent, body } = await get(noRows, query, headers);
    expect([status, sent.get('content-type'), body]).toEqual([
      200,
      'application/x-ndjson; charset=utf-8',
      '',
    ]);
    expect(sent.get('x-request-id')).not.toBeNull();
  });

  test('as JSON lines from an offset at its end is no lines', async () => {
    const { status, headers, body } = await get(tableId, '?format=jsonl&offset=3');
    expect([status, body]).toEqual([200, '']);
    expect(headers.get('content-disposition')).toContain('.jsonl');
  });

  test('as JSON lines by a link is no lines', async () => {
    const { body } = await call('POST', `/artifacts/${noRows}/links`, {
      key: home.key,
      body: { format: 'jsonl' },
    });
    const opened = await fetch(body.url);
    expect([opened.status, await opened.text()]).toEqual([200, '']);
  });

  test('as JSON lines by the SDK is an empty text', async () => {
    const client = new RunService({ apiKey: home.key, baseUrl: sharedService().base_url, maxRetries: 0 });
    expect(await client.artifacts.export(noRows, { format: 'jsonl' })).toBe('');
  });

  test.each(['json', 'csv', 'md'])('as %s has its head alone', async (format) => {
    const reply = await fetch(url(noRows, `?format=${format}`), {
      headers: { authorization: `Bearer ${home.key}` },
    });
    expect([reply.status, (await reply.text()).length > 0]).toEqual([200, true]);
  });
});

describe('bom=1 (rules.md: exports 7)', () => {
  const MARK = [0xef, 0xbb, 0xbf];
  const bytesOf = async (reply: Response) => [...new Uint8Array(await reply.arrayBuffer())];
  const fetched = (query: string, accept = '*/*') =>
    fetch(`${sharedService().base_url}/artifacts/${tableId}${query}`, {
      headers: { authorization: `Bearer ${home.key}`, accept },
    });

  test('begins CSV with a byte order mark, and changes nothing else', async () => {
    const plain = await bytesOf(await fetched('?format=csv'));
    expect(await bytesOf(await fetched('?format=csv&bom=1'))).toEqual([...MARK, ...plain]);
    expect(await bytesOf(await fetched('?bom=1', 'text/csv'))).toEqual([...MARK, ...plain]);
    expect(await bytesOf(await fetched('?format=csv&bom=0'))).toEqual(plain);
  });

  test('in the body of a link is signed with it', async () => {
    const { body } = await call('POST', `/artifacts/${tableId}/links`, {
      key: home.key,
      body: { format: 'csv', bom: 1 },
    });
    expect([...new URL(body.url).searchParams.keys()]).toEqual(['link']);
    expect((await bytesOf(await fetch(body.url))).slice(0, 3)).toEqual(MARK);
  });

  test.each([{ bom: 1 }, { format: 'md', bom: 1 }, { format: 'csv', bom: 2 }, { format: 'csv', bom: true }])(
    'in a link of %j is 422',
    async (body) => {
      const refused = await call('POST', `/artifacts/${tableId}/links`, { key: home.key, body });
      expect([refused.status, refused.body.error.param]).toEqual([422, 'bom']);
    },
  );
});

test.each(['CON', 'aux', 'Com1', 'lpt²'])(
  'a title that is %s, which Windows reserves, gives a name with a leading _ (rules.md: exports 6)',
  async (title) => {
    const reserved = { ...when.plan({ kind: 'fetch', params: { source: 'companies' } }, table), title };
    const [made] = await artifactsOf({ input_type: 'plan', plan: reserved });
    const { headers } = await get(made?.id ?? '', '?format=csv');
    const ascii = title.replace('²', '2');
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="_${ascii}.csv"; filename*=UTF-8''_${encodeURIComponent(title)}.csv`,
    );
  },
);

test('texts and cards as Markdown', async () => {
  const whole = (await get(textId)).body;
  const { headers, body } = await get(textId, '?format=md');
  expect([headers.get('content-type'), body]).toEqual([
    'text/markdown; charset=utf-8',
    `${whole.content.trimEnd()}\n`,
  ]);
  const card = (await get(cardId, '?format=md')).body;
  expect(card).toMatch(/^# Ärger & Söhne/);
  expect(card).toContain('## Attributes\n\n');
});

test('a download has a safe name, in every language, that browsers may read', async () => {
  const { headers } = await get(cardId, '?format=md');
  expect(headers.get('content-disposition')).toBe(
    `attachment; filename="Arger-Sohne-x.md"; filename*=UTF-8''%C3%84rger-S%C3%B6hne-x.md`,
  );
  expect(headers.get('access-control-expose-headers')).toContain('Content-Disposition');
  expect((await get(cardId)).headers.get('content-disposition')).toBeNull();
});

describe('the Accept header', () => {
  test.each([
    ['text/csv', 'text/csv'],
    ['application/x-ndjson', 'application/x-ndjson'],
    ['text/markdown', 'text/markdown'],
    ['text/csv; charset=utf-8', 'text/csv'],
    ['text/csv;header=present; charset="utf-8";q=0.9, text/markdown;q=0.1', 'text/csv'],
    ['text/markdown; charset=utf-8', 'text/markdown'],
    ['text/html, text/csv; charset=utf-8; q=0', 'application/json'],
    ['text/html, text/csv;q=0.2, text/markdown;q=0.9', 'text/markdown'],
    ['*/*', 'application/json'],
    ['text/html,application/xhtml+xml,*/*;q=0.8', 'application/json'],
    ['application/pdf', 'application/json'],
  ])('%s gives a table as %s', async (accept, type) => {
    const { headers } = await get(tableId, '?limit=1', { accept });
    expect(headers.get('content-type')).toMatch(`${type}`);
    expect(headers.get('vary')).toBe('Accept');
  });

  test('gives way to format, and to JSON where the kind does not have its format', async () => {
    const typeOf = async (reply: ReturnType<typeof get>) => (await reply).headers.get('content-type');
    expect(await typeOf(get(tableId, '?format=csv', { accept: 'text/markdown' }))).toMatch('text/csv');
    expect(await typeOf(get(textId, '', { accept: 'text/csv' }))).toBe('application/json');
  });
});

describe('is refused with the name of the parameter:', () => {
  test.each([
    ['an unknown format', 'table', 'format=xlsx', 'format'],
    ['CSV of a text', 'text', 'format=csv', 'format'],
    ['JSON lines of a card', 'card', 'format=jsonl', 'format'],
    ['an unknown column', 'table', 'fields=name,revnue', 'fields'],
    ['no column', 'table', 'format=csv&fields=', 'fields'],
    ['columns of a text', 'text', 'fields=name', 'fields'],
    ['an offset in a card', 'card', 'format=md&offset=0', 'offset'],
    ['a limit of a text', 'text', 'limit=1', 'limit'],
    ['no rows', 'table', 'limit=0', 'limit'],
    ['rows before the first', 'table', 'offset=-1', 'offset'],
    ['a number of rows that is none', 'table', 'format=csv&limit=1e3', 'limit'],
    ['another way with formulas', 'table', 'format=csv&formulas=drop', 'formulas'],
    ['a byte order mark in JSON', 'table', 'bom=1', 'bom'],
    ['a byte order mark in Markdown', 'text', 'format=md&bom=1', 'bom'],
    ['another byte order mark', 'table', 'format=csv&bom=2', 'bom'],
    ['a byte order mark that is a word', 'table', 'format=csv&bom=true', 'bom'],
    ['two formats', 'table', 'format=csv&format=md', 'format'],
  ])('%s', async (_, kind, query, param) => {
    const id = { table: tableId, text: textId, card: cardId }[kind] ?? '';
    const { status, body } = await get(id, `?${query}`);
    expect([status, body.error.code, body.error.param]).toEqual([422, 'schema_validation_failed', param]);
  });
});

test('HEAD has the headers of the export', async () => {
  const url = `${sharedService().base_url}/artifacts/${tableId}?format=csv`;
  const reply = await fetch(url, { method: 'HEAD', headers: { authorization: `Bearer ${home.key}` } });
  expect([reply.status, reply.headers.get('content-type'), await reply.text()]).toEqual([
    200,
    'text/csv; charset=utf-8',
    '',
  ]);
});
