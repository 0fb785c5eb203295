// Data that tries to be more than data, everywhere that the console shows any: nothing of it is executed, followed or
// asked for.
import { expect } from 'vitest';
import * as given from '../support/given.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';
import { accessible, fits } from './accessibility.ts';
import { journey } from './journey.ts';

const hostile = [
  '<script>window.pwn=1</script>',
  '<img src=x onerror="window.pwn=2">',
  '<svg onload="window.pwn=3"><a xlink:href="javascript:window.pwn=4">x</a></svg>',
  '[a](javascript:window.pwn=5)',
  '[a](JaVaScRiPt:window.pwn=6)',
  '[a](data:text/html,<script>window.pwn=7</script>)',
  '[a](vbscript:window.pwn=8)',
  '[a](&#106;avascript:window.pwn=9)',
  '[a](//other.invalid/x)',
  '![a](https://other.invalid/pixel.png)',
  '<https://other.invalid/auto> https://other.invalid/bare',
  '[a]: https://other.invalid/definition',
  '<iframe srcdoc="<script>parent.pwn=10</script>"></iframe>',
  '<style>@import "https://other.invalid/a.css"</style>',
  '"><button autofocus onfocus="window.pwn=11">',
  '[x](entity=<script>window.pwn=12</script>)',
  '\u202e\u0000=HYPERLINK("https://other.invalid")',
];
const all = hostile.join('\n\n');
const ARTIFACT = '01a1fef7-b719-7ed6-a718-8589119636a6';

const asArtifact = (more: object) => ({
  ...{ id: ARTIFACT, object: 'artifact', title: 'Hostile', run_id: ARTIFACT, created_at: 0, entity_refs: [] },
  ...more,
});

journey('hostile records, titles, metadata and cells stay text', async ({ visit }) => {
  const home = await given.workspace();
  await given.entities(
    home.workspace_id,
    hostile.map((name, i) => ({ type: 'company', name, fields: { city: name, size: i } })),
  );
  const steps = [when.fetchCompanies, when.answer].map((step, i) => ({
    ...step,
    title: hostile[i],
    description: all,
  }));
  const metadata = { '<img src=x onerror="window.pwn=20">': hostile[1] ?? '' };
  const { id } = (await when.createsPlanRun(home, steps, { metadata, plan: { title: hostile[1], steps } }))
    .body;
  const run = await then.ended(home, id);
  const page = await visit(home, `#/runs/${id}`);
  await page.getByRole('region', { name: 'Answer' }).waitFor();
  await page.getByText('Events', { exact: true }).click();
  await page.getByText('Input as sent').click();
  for (const step of await page.locator('.opens').all()) await step.click();
  await page.locator('.step-details').nth(1).waitFor();
  const foreign = page.locator(
    'main script, main img, main svg, main iframe, main style, main [onerror], main a:not([href^="#/"]):not([href^="docs/"])',
  );
  expect(await foreign.count()).toBe(0);
  for (const { id: artifact } of run.artifacts) {
    await page.evaluate(`location.hash = '#/artifacts/${artifact}'`);
    await page
      .getByRole('button', { name: /^Download/ })
      .first()
      .waitFor();
    expect(await foreign.count()).toBe(0);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page
        .getByRole('button', { name: /^Download/ })
        .first()
        .click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^[\w-]+\.(csv|md)$/);
  }
  await page.evaluate(`location.hash = '#/runs'`);
  await page.getByRole('link', { name: 'onerror' }).first().waitFor();
  expect(await foreign.count()).toBe(0);
  await page.evaluate(`location.hash = '#/records'`);
  const records = page.locator('.lead').getByRole('link');
  expect(await records.first().innerText()).toMatch(/\W/);
  expect(await foreign.count()).toBe(0);
  await records.first().click();
  await page.getByRole('link', { name: 'Open the record' }).click();
  await page.getByRole('link', { name: 'Write a dossier' }).waitFor();
  expect(await foreign.count()).toBe(0);
});

journey('hostile Markdown that the service would never write stays text too', async ({ visit }) => {
  const page = await visit(await given.workspace(), '#/runs');
  const content = `${all}\n\n| a | b |\n|---|---|\n| <b onclick=window.pwn=1>x</b> | [a](javascript:x) |\n\n- [ ] ${hostile[1]}\n\n# ${hostile[0]}\n\n#### deep`;
  await page.route(`**/artifacts/${ARTIFACT}**`, (route) =>
    route.fulfill({ json: asArtifact({ kind: 'text', title: all, content }) }),
  );
  await page.evaluate(`location.hash = '#/artifacts/${ARTIFACT}'`);
  const text = page.locator('.markdown');
  await text.getByText('window.pwn=1</script>').first().waitFor();
  expect(await text.locator('script, img, svg, iframe, style, a, button, b').count()).toBe(0);
  await accessible(page);
});

const slowCell = '*a_'.repeat(20_000);

journey.for([
  [
    'a cell of 60 KB',
    { kind: 'table', columns: ['name'], row_count: 1, rows: [{ name: slowCell }] },
    slowCell,
  ],
  ['a paragraph of 60 KB', { kind: 'text', content: slowCell }, slowCell],
  ['10,000 quotes in each other', { kind: 'text', content: `${'> '.repeat(10_000)}x` }, '> '.repeat(9_000)],
  ['10,000 lists in each other', { kind: 'text', content: `${'1. '.repeat(10_000)}x` }, '1. '.repeat(9_000)],
] as const)(
  'the page stays with its reader: %s (rules.md: console 9)',
  async ([, more, whole], { visit }) => {
    const page = await visit(await given.workspace(), '#/runs');
    await page.route(`**/artifacts/${ARTIFACT}**`, (route) => route.fulfill({ json: asArtifact(more) }));
    await page.evaluate(`location.hash = '#/artifacts/${ARTIFACT}'`);
    const main = page.locator('main');
    await main.getByRole('button', { name: 'show all' }).click();
    await expect.poll(() => main.textContent()).toContain(whole);
    await page.getByRole('link', { name: 'Records' }).first().click();
    await expect.poll(() => page.url()).toContain('#/records');
  },
);

journey('fifty steps with long titles fit a phone', async ({ visit }) => {
  const home = await given.workspace();
  const long = 'Unbreakable'.repeat(18);
  const steps = Array.from({ length: 50 }, (_, i) => ({
    kind: 'analyze',
    instructions: 'x',
    title: i % 2 ? long : `Step ${i}`,
  }));
  const { id } = (await when.createsPlanRun(home, steps, { metadata: { [long.slice(0, 40)]: long } })).body;
  const page = await visit(home, `#/runs/${id}`, { width: 390 });
  await page.locator('h1 + p').getByText('succeeded').waitFor({ timeout: 30_000 });
  expect(await page.getByRole('region', { name: 'Steps' }).getByRole('listitem').count()).toBe(50);
  await fits(page);
});
