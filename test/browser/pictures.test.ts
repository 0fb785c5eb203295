// The pictures of the console: `npm run pictures` takes them, the suite checks that they are there and small.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Home } from '../support/given.ts';
import { admin, call } from '../support/service.ts';
import * as then from '../support/then.ts';
import { journey } from './journey.ts';

const FOLDER = fileURLToPath(new URL('../../docs/pictures/', import.meta.url));
const MOST_BYTES = 90_000;
const MOST_BYTES_IN_ALL = 1_500_000;
const SCHEMES = ['light', 'dark'] as const;
/** Those whose colours differ most. */
const DARK_TOO: readonly string[] = ['runs', 'run', 'answer', 'table', 'new-plan'];
const PAGES = [
  ...(['sign-in', 'runs', 'run', 'answer', 'step', 'table', 'card', 'records', 'record'] as const),
  ...(['new-plan', 'usage', 'runs-phone', 'answer-phone', 'table-phone'] as const),
];
type Name = (typeof PAGES)[number];
const pathOf = (name: Name, scheme: (typeof SCHEMES)[number]) => `${FOLDER}${name}-${scheme}.png`;
const schemesOf = (name: Name) => SCHEMES.filter((scheme) => scheme === 'light' || DARK_TOO.includes(name));
const paths = PAGES.flatMap((name) => schemesOf(name).map((scheme) => pathOf(name, scheme)));

const fetch = { kind: 'fetch', title: 'Companies', params: { source: 'companies' } };
const inBerlin = { kind: 'filter', title: 'In Berlin', instructions: 'companies in Berlin' };
const answer = { kind: 'reconstitute', title: 'Answer', params: { expected_artifacts: ['table', 'text'] } };
const planOf = (title: string, ...steps: object[]) => ({ input_type: 'plan', plan: { title, steps } });

async function creates({ key }: Home, body: object): Promise<string> {
  return (await call('POST', '/runs', { key, body })).body.id;
}

/** The demo's workspace, in which some runs have ended. */
async function lived() {
  const { workspace_id, api_key: key, key_id } = await admin({ command: 'seed_demo' });
  const home = { workspace_id, key, key_id };
  const ended = async (body: object) => then.ended(home, await creates(home, body));
  await ended(planOf('Companies in Berlin', fetch, inBerlin, answer));
  const entity = { external_uri: 'crm:norddata' };
  const dossier = await ended({ input_type: 'preset', preset: 'dossier', params: { entity } });
  await ended(
    planOf(
      'Payments companies',
      fetch,
      { ...inBerlin, title: 'Payments', instructions: '[[fail]] x' },
      answer,
    ),
  );
  const query = await ended({
    input_type: 'query',
    query: 'Which companies in Germany have more than 100 employees?',
  });
  const card = dossier.artifacts.find(({ kind }: { kind: string }) => kind === 'entity_card');
  const table = query.artifacts.find(({ kind }: { kind: string }) => kind === 'table');
  return { home, query: query.id, table: table.id, card: card.id };
}

async function taken(page: Page, name: Name): Promise<void> {
  await expect.poll(() => page.locator('.skeleton').count()).toBe(0);
  for (const colorScheme of schemesOf(name)) {
    await page.emulateMedia({ colorScheme });
    writeFileSync(pathOf(name, colorScheme), await page.screenshot());
  }
}

const SCREEN = { width: 1000, height: 640 };
const PHONE = { width: 390, height: 780 };

journey.runIf(process.env.RECORD)('the pictures are taken', async ({ visit }) => {
  mkdirSync(FOLDER, { recursive: true });
  const { home, query, table, card } = await lived();
  const [found] = (await call('GET', '/entities?query=norddata', { key: home.key })).body.data;
  const page = await visit(home, '#/runs');
  const shows = async (name: Name, hash: string, heading: string | RegExp) => {
    await page.setViewportSize(name.endsWith('-phone') ? PHONE : SCREEN);
    await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    await taken(page, name);
  };
  await page.setViewportSize(SCREEN);
  const larger = {
    kind: 'filter',
    title: 'More than 100 employees',
    instructions: 'companies with more than 100 employees [[transient:1]] [[delay:400]]',
  };
  // Eight at a time, so some are seen to be open.
  const describe = {
    kind: 'transform',
    title: 'Describe each',
    instructions: 'initials of the name [[delay:2000]]',
  };
  const id = await creates(home, planOf('Larger companies, described', fetch, larger, describe, answer));
  await page.getByRole('link', { name: 'Larger companies, described' }).waitFor();
  await taken(page, 'runs');
  await page.evaluate(`location.hash = '#/runs/${id}'`);
  await page.getByText(/(9|17) of \d+ items/).waitFor();
  await page.getByText('live', { exact: true }).waitFor();
  await taken(page, 'run');
  await then.ended(home, id);
  await shows('answer', `#/runs/${query}`, /^Which companies/);
  await page.getByRole('region', { name: 'Steps' }).getByRole('button').first().click();
  await page.getByRole('heading', { name: 'Steps' }).evaluate((steps) => steps.scrollIntoView());
  await taken(page, 'step');
  await shows('table', `#/artifacts/${table}`, /^Which companies/);
  await shows('card', `#/artifacts/${card}`, 'Norddata');
  await shows('records', '#/records', 'Records');
  await shows('record', `#/records/${found.entity_id}`, 'Norddata');
  await shows('usage', '#/usage', 'Usage');
  await shows('runs-phone', '#/runs', 'Runs');
  await shows('answer-phone', `#/runs/${query}`, /^Which companies/);
  await shows('table-phone', `#/artifacts/${table}`, /^Which companies/);
  const body = JSON.stringify(planOf('Companies in Berlin', fetch, inBerlin, answer));
  await page.setViewportSize(SCREEN);
  await page.evaluate(`location.hash = '#/new?${new URLSearchParams({ body })}'`);
  await page.getByText('Ready').waitFor();
  await taken(page, 'new-plan');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('API key').waitFor();
  await taken(page, 'sign-in');
});

test.each(paths)('%s is a small picture', (path) => {
  const picture = readFileSync(path);
  expect(picture.subarray(1, 4).toString()).toBe('PNG');
  expect(picture.length).toBeLessThan(MOST_BYTES);
});

test('the folder has these pictures alone, and all of them are light', () => {
  const files = readdirSync(FOLDER).map((file) => `${FOLDER}${file}`);
  expect(files.toSorted()).toEqual(paths.toSorted());
  const bytes = files.reduce((sum, file) => sum + readFileSync(file).length, 0);
  expect(bytes).toBeLessThan(MOST_BYTES_IN_ALL);
});
