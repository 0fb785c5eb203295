// rules.md: sources 1. What a source file may say, and where it is wrong.
import { expect, test } from 'vitest';
import { ImportSource, issueLines } from '../../../functions/admin/commands.ts';

const file = { name: 'crm', kind: 'http', url: 'https://crm.example.com/records' };

/** The places of the faults of a file. */
function placesOf(change: object): string[] {
  const { error } = ImportSource.safeParse({ ...file, ...change });
  return error ? issueLines(error).map((line) => line.split(': ')[0] ?? '') : [];
}

test('what a file leaves out has a default', () => {
  expect(ImportSource.parse(file)).toEqual({
    ...file,
    description: '',
    entity_type: 'crm',
    headers: {},
    fields: [],
    timeout_ms: 10_000,
  });
});

const headers = (names: string[]) => ({ headers: Object.fromEntries(names.map((name) => [name, 'x'])) });
const numbered = <T>(n: number, make: (i: number) => T) => Array.from({ length: n }, (_, i) => make(i));

const wrong: [string, object, string[]][] = [
  ['a name in capitals', { name: 'CRM' }, ['name']],
  ['a name that begins with a digit', { name: '1crm' }, ['name']],
  ['a name of 65 characters', { name: 'a'.repeat(65) }, ['name']],
  ...['entities', 'notes', 'relationships', 'artifacts', 'global'].map((name): [string, object, string[]] => [
    `the name ${name}`,
    { name },
    ['name'],
  ]),
  ['another kind', { kind: 'ftp' }, ['kind']],
  ['no address', { url: undefined }, ['url']],
  ['a description of 501 characters', { description: 'x'.repeat(501) }, ['description']],
  ['mcp without a tool', { kind: 'mcp' }, ['tool']],
  ['http with a tool', { tool: 'find' }, ['tool']],
  ['eleven headers', headers(numbered(11, (i) => `X-${i}`)), ['headers']],
  ...[
    'Host',
    'connection',
    'Content-Length',
    'content-type',
    'Transfer-Encoding',
    'X-Request-Id',
    'x-service-signature',
  ].map((name): [string, object, string[]] => [`the header ${name}`, headers([name]), [`headers.${name}`]]),
  ['a header with a space', headers(['X y']), ['headers.X y']],
  ['a header with a line break', { headers: { 'X-A': 'a\r\nX-B: b' } }, ['headers.X-A']],
  ['a header that is a number', { headers: { 'X-A': 1 } }, ['headers.X-A']],
  ['a header twice', headers(['X-A', 'x-a']), ['headers.X-A', 'headers.x-a']],
  ['headers of 5 KB', { headers: { 'X-A': 'x'.repeat(5000) } }, ['headers']],
  ['51 fields', { fields: numbered(51, (i) => ({ name: `f${i}`, kind: 'string' })) }, ['fields']],
  ['a field of another kind', { fields: [{ name: 'a', kind: 'date' }] }, ['fields.0.kind']],
  ['a field without a name', { fields: [{ kind: 'string' }] }, ['fields.0.name']],
  ['a timeout of 99 ms', { timeout_ms: 99 }, ['timeout_ms']],
  ['a timeout of 30,001 ms', { timeout_ms: 30_001 }, ['timeout_ms']],
  ['an unknown member', { password: 'x' }, ['Unrecognized key']],
];

test.each(wrong)('%s is refused with its place', (_, change, places) => {
  expect(placesOf(change)).toEqual(places);
});
