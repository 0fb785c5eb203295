// rules.md: console 5. The form of a new run: every kind of input, each issue shown at its field, and one run
// for one form.
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import * as given from '../support/given.ts';
import { call } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';
import { accessible } from './accessibility.ts';
import { journey } from './journey.ts';

/** Adds a step of a kind; its button also describes it. */
const addStep = (page: Page, kind: string) => page.getByRole('button', { name: new RegExp(`^${kind} `) });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const step = (page: Page, number: number) =>
  page.getByRole('group', { name: new RegExp(`^Step ${number}:`) });
const focused = (page: Page) => page.evaluate<string>('document.activeElement.id');
const addressOf = (body: object) => `#/new?${new URLSearchParams({ body: JSON.stringify(body) })}`;

/** The run that the form leads to, when it has ended. */
async function createdRun(home: given.Home, page: Page) {
  await expect.poll(() => page.url()).toMatch(/#\/runs\/[0-9a-f-]{36}$/);
  return then.ended(home, page.url().split('/').at(-1) ?? '');
}

const runsOf = async ({ key }: given.Home) => (await call('GET', '/runs', { key })).body.data;

async function home(options: Parameters<typeof given.workspace>[0] = {}): Promise<given.Home> {
  const made = await given.workspace(options);
  await given.companies(made.workspace_id);
  return made;
}

journey('a question becomes a run; before that, the form shows what it may cost', async ({ visit }) => {
  const mine = await home({ credits: 1000 });
  const page = await visit(mine, '#/new');
  await page.getByLabel('Question').fill('Which companies are in Berlin?');
  await page.getByText('Ready: the service plans the steps, at most 400 credits.').waitFor();
  await accessible(page);
  await press(page, 'Create run');
  const run = await createdRun(mine, page);
  expect(run).toMatchObject({ status: 'succeeded', input: { query: 'Which companies are in Berlin?' } });
});

journey('a plan is written, ordered and created with the keyboard alone', async ({ visit }) => {
  const mine = await home({ credits: 1000 });
  const page = await visit(mine, '#/new?kind=plan');
  const { keyboard } = page;
  await page.getByLabel('Title of the plan').focus();
  await keyboard.type('By keyboard');
  const add = async (kind: string, title: string) => {
    await addStep(page, kind).press('Enter');
    // The new step's title has the focus.
    await expect.poll(() => focused(page)).toMatch(/-title$/);
    await keyboard.press('ControlOrMeta+a');
    await keyboard.type(title);
  };
  await add('Reconstitute', 'Answer');
  await add('Fetch', 'Companies');
  await keyboard.press('Alt+ArrowUp');
  expect(await step(page, 1).getByLabel('Title').inputValue()).toBe('Companies');
  // The focus went along with the step.
  expect(await focused(page)).toBe('at-plan-steps-0-title');
  await keyboard.press('Alt+ArrowDown');
  await expect.poll(() => focused(page)).toBe('at-plan-steps-1-title');
  await keyboard.press('Alt+ArrowUp');
  await expect.poll(() => focused(page)).toBe('at-plan-steps-0-title');
  await step(page, 1).getByLabel('Source').focus();
  await keyboard.type('companies');
  await step(page, 1).getByRole('button', { name: 'Add a condition' }).press('Enter');
  await step(page, 1).getByLabel('Field', { exact: true }).focus();
  await keyboard.type('revenue_musd');
  await step(page, 1).getByLabel('Is', { exact: true }).selectOption('>');
  await step(page, 1).getByLabel('Value').focus();
  await keyboard.type('10');
  await page.getByText('Ready: 2 steps, at most 22 credits.').waitFor();
  await page.getByRole('button', { name: 'Create run' }).press('Enter');
  const run = await createdRun(mine, page);
  expect(run.input.plan).toEqual({
    title: 'By keyboard',
    steps: [
      {
        kind: 'fetch',
        title: 'Companies',
        params: { source: 'companies', where: { field: 'revenue_musd', op: '>', value: 10 } },
      },
      { kind: 'reconstitute', title: 'Answer' },
    ],
  });
  expect(run).toMatchObject({ status: 'succeeded', steps: [{ items_out: 2 }, {}] });
});

journey('a plan starts from an example about the records of the workspace', async ({ visit }) => {
  const mine = await home();
  const page = await visit(mine, '#/new?kind=plan');
  await page.getByRole('button', { name: 'Number of companies by' }).click();
  await page.getByText('Ready: 2 steps').waitFor();
  // What the workspace has is offered while typing; no model reads the instructions of a fetch.
  const offered = async (label: string) => {
    const list = await step(page, 1).getByLabel(label).getAttribute('list');
    return page.evaluate<string[]>(
      `[...document.querySelectorAll('#${list} option')].map(({ value }) => value)`,
    );
  };
  expect(await offered('Source')).toEqual(expect.arrayContaining(['company', 'person', 'entities']));
  expect(await offered('Group by')).toEqual(['city', 'industry', 'revenue_musd']);
  expect(await step(page, 1).getByLabel('Instructions').count()).toBe(0);
  await accessible(page);
  await press(page, 'Create run');
  expect((await createdRun(mine, page)).status).toBe('succeeded');
});

journey('every kind of step has its form, and every one of its fields is sent', async ({ visit }) => {
  const [acme] = await given.companies((await given.workspace()).workspace_id);
  const plan = {
    title: 'All',
    steps: [
      { kind: 'inject_context', title: 'a', params: { text: 't', entities: [{ id: acme?.id }] } },
      {
        kind: 'fetch',
        title: 'b',
        params: {
          ...{ source: 'companies', limit: 5, fields: ['city', 'revenue_musd'], group_by: ['city'] },
          where: {
            and: [
              { field: 'city', op: 'in', value: ['Oslo', '5', 5] },
              { not: { field: 'x', op: 'exists', value: true } },
            ],
          },
          sort: [{ field: 'sum', direction: 'desc' }],
          measures: [{ as: 'sum', op: 'sum', field: 'revenue_musd' }],
        },
      },
      {
        kind: 'vector_search',
        title: 'c',
        params: { query: 'q', min_score: 0.5, entity_types: ['company'] },
      },
      { kind: 'filter', title: 'd', instructions: 'i', params: { steps_to_filter: [1], limit_to: 3 } },
      { kind: 'transform', title: 'e', params: { steps_to_transform: [3], output_fields: ['x', 'y'] } },
      { kind: 'analyze', title: 'f', params: { focus: 'g', max_tokens: 300 } },
      { kind: 'discover', title: 'g', params: { depth: 2, context_step_ids: [1, 2] } },
      { kind: 'reconstitute', title: 'h', params: { expected_artifacts: ['table', 'NONE'] } },
    ],
  };
  const body = {
    input_type: 'plan',
    plan,
    config: { max_cost_usd: 1.5, strict_mode: false },
    metadata: { a: 'b:c' },
  };
  const page = await visit(await home(), addressOf(body));
  await expect.poll(() => page.getByRole('group', { name: /^Step \d/ }).count()).toBe(8);
  await accessible(page);
  await press(page, 'JSON');
  expect(JSON.parse(await page.getByLabel('Request').inputValue())).toEqual(body);
});

journey('a step that is taken away is referred to no more', async ({ visit }) => {
  const plan = {
    title: 'P',
    steps: [
      { kind: 'fetch', title: 'Left' },
      { kind: 'fetch', title: 'Kept' },
      { kind: 'analyze', title: 'Read', params: { context_step_ids: [0, 1] } },
    ],
  };
  const page = await visit(await home(), addressOf({ input_type: 'plan', plan }));
  await step(page, 1).getByRole('button', { name: 'Remove the step' }).click();
  await step(page, 2).getByRole('checkbox', { name: '1. Kept' }).waitFor();
  expect(await step(page, 2).getByRole('checkbox').count()).toBe(1);
  expect(await step(page, 2).getByRole('checkbox').isChecked()).toBe(true);
});

journey('a dossier is about a record that is found by its name', async ({ visit }) => {
  const mine = await home();
  const page = await visit(mine, '#/new?kind=dossier');
  await press(page, 'Create run');
  await page.getByText('needed', { exact: true }).waitFor();
  await page.getByLabel('Record', { exact: true }).fill('Acm');
  await page.getByRole('button', { name: 'Acme company · crm:acme' }).click();
  await page.getByText('About Acme').waitFor();
  await page.getByLabel('Sections').fill('Overview\nRisks, chances');
  await accessible(page);
  await press(page, 'Create run');
  const run = await createdRun(mine, page);
  expect(run.status).toBe('succeeded');
  expect(run.input.params).toMatchObject({ sections: ['Overview', 'Risks, chances'] });
});

journey('a request as JSON goes over into the other forms and back', async ({ visit }) => {
  const page = await visit(await home(), '#/new?kind=json');
  const request = page.getByLabel('Request');
  await request.fill('{"input_type": "query",');
  await page.getByText('This is not valid JSON').first().waitFor();
  await accessible(page);
  await press(page, 'Plan');
  await press(page, 'Query');
  await press(page, 'JSON');
  expect(await request.inputValue()).toBe('{"input_type": "query",');
  await request.fill('{"input_type":"plan","plan":{"title":"J","steps":[{"kind":"fetch"}]}}');
  await page.getByRole('alert').getByText('title').first().waitFor();
  await press(page, 'Plan');
  await step(page, 1).getByLabel('Title').fill('Now it has one');
  await page.getByText('Ready: 1 step').waitFor();
  await press(page, 'JSON');
  expect(JSON.parse(await request.inputValue()).plan.steps).toEqual([
    { kind: 'fetch', title: 'Now it has one' },
  ]);
});

journey('an issue is shown at its field, which gets the focus', async ({ visit }) => {
  const page = await visit(await home(), '#/new?kind=plan');
  await page.getByLabel('Title of the plan').fill('Wrong');
  await addStep(page, 'Filter').click();
  await press(page, 'Create run');
  await expect.poll(() => focused(page)).toBe('at-plan-steps-0-instructions');
  const instructions = step(page, 1).getByLabel('Instructions');
  expect(await instructions.getAttribute('aria-invalid')).toBe('true');
  expect(await page.locator(`#${await instructions.getAttribute('aria-describedby')}`).textContent()).toBe(
    'needed',
  );
  await accessible(page);
  await instructions.fill('in Berlin');
  await expect.poll(() => instructions.getAttribute('aria-invalid')).toBe('false');
});

journey('an issue that only the service finds is shown at the field it names', async ({ visit }) => {
  const plan = {
    title: 'Wrong',
    steps: [
      { kind: 'fetch', title: 'a', params: { limit: 3 } },
      { kind: 'filter', title: 'b', instructions: 'i', params: { steps_to_filter: [2] } },
      { kind: 'analyze', title: 'c' },
    ],
  };
  const mine = await home();
  const page = await visit(mine, addressOf({ input_type: 'plan', plan }));
  await page.getByText('plan.steps.1.params.steps_to_filter').waitFor();
  await press(page, 'Create run');
  await step(page, 2).getByText('No earlier step has this index').waitFor();
  const later = step(page, 2).getByRole('checkbox', { name: '3. c (comes later)' });
  await expect.poll(() => later.evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true);
  // A step that comes later cannot be chosen again.
  await later.click();
  await later.waitFor({ state: 'detached' });
  await page.getByText('Ready: 3 steps').waitFor();
  expect(await runsOf(mine)).toEqual([]);
});

journey('a limit that is reached shows how much is used', async ({ visit }) => {
  const mine = await home({ max_concurrent_runs: 1 });
  await when.createsPlanRun(mine, [
    when.fetchCompanies,
    { kind: 'filter', instructions: '[[delay:60000]] x' },
  ]);
  const page = await visit(mine, '#/new');
  await page.getByLabel('Question').fill('Which companies are in Berlin?');
  await press(page, 'Create run');
  await page.getByText('1 of 1 runs are in flight.').waitFor();
  await page.getByText('concurrent_runs_exceeded').waitFor();
});

journey('a daily cap that is reached shows when it resets', async ({ visit }) => {
  const mine = await home({ daily_cost_cap_usd: 0.5 });
  const costly = { kind: 'analyze', instructions: 'Sum up [[tokens:1000000,400000,500000,100000]]' };
  await then.ended(mine, (await when.createsPlanRun(mine, [costly])).body.id);
  const page = await visit(mine, '#/new');
  await page.getByLabel('Question').fill('Which companies are in Berlin?');
  await press(page, 'Create run');
  await page.getByText('The limit is reset on').waitFor();
  await page.getByText('workspace_cost_cap_exceeded').waitFor();
});

journey('a reply that was lost does not make a second run', async ({ visit }) => {
  const mine = await home();
  const page = await visit(mine, '#/new');
  await page.getByLabel('Question').fill('Which companies are in Berlin?');
  await page.getByText('Ready').waitFor();
  await page.route(
    '**/v1/runs',
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await press(page, 'Create run');
  await page.getByRole('alert').getByText('The service cannot be reached').waitFor();
  await press(page, 'Create run');
  await createdRun(mine, page);
  expect(await runsOf(mine)).toHaveLength(1);
});

journey('a new run begins from the input of another, and from a link that was shared', async ({ visit }) => {
  const mine = await home();
  const { id } = (await when.createsPlanRun(mine, [when.fetchCompanies], { metadata: { team: 'red' } })).body;
  await then.ended(mine, id);
  const page = await visit(mine, `#/new?from=${id}`);
  expect(await page.getByLabel('Title of the plan').inputValue()).toBe('Test plan');
  expect(await page.getByLabel('Metadata').inputValue()).toBe('team: red');
  await press(page, 'Copy a link to this form');
  const shared = await page.evaluate<string>('navigator.clipboard.readText()');
  await page.goto(shared);
  await expect.poll(() => page.getByLabel('Metadata').inputValue()).toBe('team: red');
  await press(page, 'Create run');
  const run = await createdRun(mine, page);
  expect(run).toMatchObject({ input: { plan: { title: 'Test plan' } }, metadata: { team: 'red' } });
  expect(run.id).not.toBe(id);
});

journey(
  'a key that may not create runs sees the form and learns why it cannot send it',
  async ({ visit }) => {
    const { workspace_id } = await given.workspace();
    const page = await visit(await given.key(workspace_id, ['runs:read']), '#/new');
    await page.getByText('This key has no scope runs:create.').waitFor();
    expect(await page.getByRole('button', { name: 'Create run' }).isDisabled()).toBe(true);
  },
);

journey('a schema of the data is written as JSON, and its issues name their parts', async ({ visit }) => {
  const mine = await home();
  const page = await visit(mine, '#/new');
  await page.getByLabel('Question').fill('Which companies are in Berlin?');
  await page.getByText('Options', { exact: true }).click();
  const schema = page.getByLabel('Schema of the data');
  await schema.fill('{"type":');
  await schema.blur();
  await page.getByText('must be a JSON object').waitFor();
  await schema.fill('{"type":"object","properties":{"total":{"type":"integer","pattern":"."}}}');
  await page.getByText('properties.total.pattern: there is no such field').waitFor();
  await accessible(page);
  await schema.fill('{"type":"object","properties":{"total":{"type":"integer"}}}');
  await press(page, 'Create run');
  expect(await createdRun(mine, page)).toMatchObject({ status: 'succeeded', output: { data: { total: 2 } } });
});
