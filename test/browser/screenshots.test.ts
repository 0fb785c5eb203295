// The screenshots of the console: `npm run screenshots` records them, the suite checks that they exist and are small.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Home } from '../support/given.ts';
import { admin, call } from '../support/service.ts';
import * as then from '../support/then.ts';
import { journey } from './journey.ts';

const FOLDER = fileURLToPath(new URL('../../clients/console/screenshots/', import.meta.url));
const MOST_BYTES = 60_000;
const SCHEMES = ['light', 'dark'] as const;
const SCREENS = ['runs', 'run', 'new'] as const;
const pathOf = (screen: (typeof SCREENS)[number], scheme: string) => `${FOLDER}${screen}-${scheme}.png`;

const inBerlin = {
  kind: 'filter',
  title: 'In Berlin',
  instructions: 'companies in Berlin',
};
const answer = { kind: 'reconstitute', title: 'Answer', params: { expected_artifacts: ['table', 'text'] } };
const fetch = { kind: 'fetch', title: 'Companies', params: { source: 'companies' } };
const planOf = (title: string, ...steps: object[]) => ({ input_type: 'plan', plan: { title, steps } });

async function creates({ key }: Home, body: object): Promise<string> {
  return (await call('POST', '/runs', { key, body })).body.id;
}

/** A workspace with the demo's records, in which some runs have ended. */
async function lived(): Promise<Home> {
  const { workspace_id, api_key: key, key_id } = await admin({ command: 'seed_demo' });
  const home = { workspace_id, key, key_id };
  const query = 'Which companies in Berlin have more than 100 employees?';
  const bodies = [
    planOf('Companies in Berlin', fetch, inBerlin, answer),
    { input_type: 'preset', preset: 'dossier', params: { entity: { external_uri: 'crm:norddata' } } },
    planOf(
      'Payments companies',
      fetch,
      { ...inBerlin, title: 'Payments', instructions: '[[fail]] payments' },
      answer,
    ),
    { input_type: 'query', query },
  ];
  for (const body of bodies) await then.ended(home, await creates(home, body));
  return home;
}

async function taken(page: Page, screen: (typeof SCREENS)[number]): Promise<void> {
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    writeFileSync(pathOf(screen, colorScheme), await page.screenshot());
  }
}

journey.runIf(process.env.RECORD)('the screenshots are taken', async ({ visit }) => {
  mkdirSync(FOLDER, { recursive: true });
  const home = await lived();
  const page = await visit(home, '#/runs', { width: 1000 });
  await page.setViewportSize({ width: 1000, height: 520 });
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
  const body = JSON.stringify(planOf('Companies in Berlin', fetch, inBerlin, answer));
  await page.evaluate(`location.hash = '#/new?${new URLSearchParams({ body })}'`);
  await page.getByRole('heading', { name: 'New run' }).waitFor();
  await page.getByText('Ready').waitFor();
  await taken(page, 'new');
});

test.each(SCREENS.flatMap((screen) => SCHEMES.map((scheme) => pathOf(screen, scheme))))(
  '%s is a small picture',
  (path) => {
    const picture = readFileSync(path);
    expect(picture.subarray(1, 4).toString()).toBe('PNG');
    expect(picture.length).toBeLessThan(MOST_BYTES);
  },
);
