// The guide to people's files: its commands import what they say, and the questions over the rows are answered.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { EntityType } from '../../functions/contract/entities.ts';
import * as given from '../support/given.ts';
import { isPosix } from '../support/platform.ts';
import { call, sharedService } from '../support/service.ts';
import { codeBlocks, sh } from '../support/snippets.ts';

const [companies = '', tickets = '', excel = '', postgres = '', texts = ''] = codeBlocks(
  'functions/contract/document/guides/data.md',
  'sh',
);

/** What the commands of a block print, in a folder and a workspace of their own. */
async function printed(block: string): Promise<{ output: string; home: given.Home }> {
  const home = await given.workspace();
  const env = { RUNS_API_KEY: home.key, RUNS_BASE_URL: sharedService().base_url };
  const program = resolve('clients/cli/runs.ts');
  const prepared = `cd '${mkdtempSync(join(tmpdir(), 'guide-'))}'
    runs() { "$NODE" '${program}' "$@"; }
    node() { "$NODE" "$@"; }
`;
  return { output: await sh(prepared + block, env), home };
}

/** The types of a workspace, with the kind of each of their fields. */
async function typesOf({ key }: given.Home) {
  const { data }: { data: EntityType[] } = (await call('GET', '/entities/types', { key })).body;
  return data.map(({ type, count, fields }) => ({
    ...{ type, count },
    fields: Object.fromEntries(fields.map(({ field, kinds }) => [field, kinds])),
  }));
}

test.runIf(isPosix)('a CSV is imported and asked about', async () => {
  const { output, home } = await printed(companies);
  expect(output).toMatch(/^3 created, 0 left as they were\n[\s\S]*- Brno Mills[\s\S]*- Norddata/);
  expect(await typesOf(home)).toEqual([
    {
      ...{ type: 'company', count: 3 },
      fields: {
        ...{ city: ['string'], employees: ['number'], founded: ['date'] },
        ...{ listed: ['boolean'], revenue_musd: ['number'] },
      },
    },
  ]);
});

test.runIf(isPosix)('the same file again changes what it is asked to', async () => {
  const { output } = await printed(tickets);
  expect(output).toBe('2 created, 0 left as they were\n0 created, 1 updated, 1 unchanged\n');
});

test.runIf(isPosix)('a sheet with decimal commas and dates with dots has numbers and dates', async () => {
  const { home } = await printed(excel);
  expect(await typesOf(home)).toEqual([
    { type: 'article', count: 2, fields: { Ab: ['date'], Preis: ['number'] } },
  ]);
});

test.runIf(isPosix)('rows of a database keep their numbers, booleans and times', async () => {
  const { output, home } = await printed(postgres);
  expect(output).toMatch(/Count: 1/);
  expect(await typesOf(home)).toEqual([
    { type: 'request', count: 2, fields: { hours: ['number'], opened_at: ['date'], urgent: ['boolean'] } },
  ]);
});

test.runIf(isPosix)('paragraphs are found by what they are about', async () => {
  const { output, home } = await printed(texts);
  expect(output).toMatch(/^3 created/);
  expect(output).toContain('Customers ask for invoices in their own currency.');
  expect(output).not.toContain('steel');
  expect(await typesOf(home)).toMatchObject([{ type: 'passage', count: 3 }]);
});
