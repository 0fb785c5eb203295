// Tables by the SDK: as rows, as plain rows, and as text.
import { expect, test } from 'vitest';
import { type ExportArtifact, RunService } from '../../clients/sdk/index.ts';
import { BASE_URL } from './fake-service.ts';

type Answer = () => Response;

const ok =
  (body: object): Answer =>
  () =>
    new Response(JSON.stringify(body));

/** A client whose requests get these answers, the last one for all further ones. */
function client(answers: [Answer, ...Answer[]]) {
  const sent: { url: URL }[] = [];
  const fetcher: typeof fetch = async (url) => {
    sent.push({ url: new URL(String(url)) });
    const [first, ...others] = answers;
    if (others[0]) answers = [others[0], ...others.slice(1)];
    return first();
  };
  return { sent, service: new RunService({ apiKey: 'k', baseUrl: BASE_URL, fetch: fetcher }) };
}

test('a table comes as rows, and as text in the format that is asked for', async () => {
  const rows = [{ name: 'Acme, "Inc"', count: 5 }];
  const csv = () => new Response('name,_record\r\n');
  const { service, sent } = client([ok({ kind: 'table', columns: ['name', 'count'], rows }), csv]);
  const read: unknown[] = [];
  for await (const row of service.artifacts.rows('1')) read.push(row);
  expect(read).toEqual(rows);
  expect(await service.artifacts.csv('1')).toBe('name,_record\r\n');
  const part: ExportArtifact = { format: 'csv', fields: ['name', 'a b'], offset: 1, formulas: 'keep' };
  expect(await service.artifacts.export('1', part)).toBe('name,_record\r\n');
  expect(sent.slice(1).map(({ url }) => url.search)).toEqual([
    '?format=csv',
    '?format=csv&fields=name%2Ca+b&offset=1&formulas=keep',
  ]);
  const { service: text } = client([ok({ kind: 'text', content: '' })]);
  await expect(text.artifacts.rows('1').next()).rejects.toThrow(TypeError);
});

test('plain rows are read as JSON lines, each as it is, and nothing else ends a line', async () => {
  const rows = [
    { name: 'Acme\u2028\r', _record: 'id-1' },
    { name: '', _record: '' },
  ];
  const lines = () => new Response(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  const { service, sent } = client([lines]);
  const read: unknown[] = [];
  for await (const row of service.artifacts.rows('1', { plain: true })) read.push(row);
  expect(read).toEqual(rows);
  expect(sent.map(({ url }) => url.search)).toEqual(['?format=jsonl']);
});
