// rules.md: console 20, console 21, console 22. Questions to people: the list, the page of one by its own link, and the run that waits.
import type { Page, Route } from 'playwright-core';
import { expect } from 'vitest';
import * as given from '../support/given.ts';
import { sharedService } from '../support/service.ts';
import { accessible } from './accessibility.ts';
import { journey } from './journey.ts';

const RUN = '01a1fef7-b719-7ed6-a718-8589119636a6';
const JOB = `${RUN}-1-0-1`;
const TOKEN = 'eyJqb2IiOiJ4In0.c2lnbmF0dXJl';

const schema = {
  type: 'object',
  required: ['approved', 'grade'],
  properties: {
    approved: { type: 'boolean', title: 'May the letters go out?' },
    grade: { type: 'integer', minimum: 1, maximum: 5 },
    due: { type: 'string', format: 'date' },
    tone: { type: 'string', enum: ['warm', 'plain', 'formal', 'brief', 'long', 'none'] },
    leave_out: { type: 'array', items: { type: 'string', enum: ['Acme', 'Beta'] } },
    remarks: { type: 'array', items: { type: 'string' }, description: 'What to change.' },
    comment: { type: ['string', 'null'] },
  },
};

export const job = {
  ...{
    object: 'job',
    job_id: JOB,
    run_id: RUN,
    step_index: 1,
    attempt: 1,
    source: 'approval',
    kind: 'person',
  },
  ...{ status: 'open', created_at: Date.now() - 60_000, deadline_at: Date.now() + 86_400_000 },
  ...{
    title: 'May these letters go out?',
    instructions: 'Read each letter.\nThen decide.',
    query: '',
    limit: 100,
  },
  ...{ entity_type: 'decision', schema, traceparent: '' },
  items_in: ['Acme', 'Beta'].map((name, i) => ({
    ...{ id: `0b2a4c6e-0000-4000-8000-00000000000${i}`, name, type: 'company' },
    fields: { letter: `Dear ${name}`, total: 10 * i },
  })),
};

interface Sent {
  path: string;
  bearer: string | undefined;
  body: unknown;
}

/** Answers for the routes of jobs: with `job` while nothing has been sent, then as told in `reply`. */
export async function answersJobs(
  page: Page,
  shown: object,
  reply: (route: Route) => Promise<void>,
): Promise<Sent[]> {
  const sent: Sent[] = [];
  await page.route('**/v1/jobs**', async (route) => {
    const request = route.request();
    const { pathname } = new URL(request.url());
    if (request.method() !== 'POST') {
      const isList = pathname.endsWith('/jobs');
      return route.fulfill({
        json: isList ? { object: 'list', data: [shown], has_more: false, next_cursor: null } : shown,
      });
    }
    sent.push({ path: pathname, bearer: request.headers().authorization, body: request.postDataJSON() });
    return reply(route);
  });
  return sent;
}

export const accepts = (accepted: boolean) => (route: Route) => route.fulfill({ json: { accepted } });
const refuses = (status: number, error: object) => (route: Route) =>
  route.fulfill({ status, json: { error: { message: 'x', request_id: 'r', doc_url: '/docs', ...error } } });

export const ownLink = (path = '/console') => `${sharedService().site_url}${path}/jobs/${JOB}#token=${TOKEN}`;

journey.for(['/console', '/api/console'])(
  '%s: a question is answered by its own link, without a key',
  async (path, { open }) => {
    const page = await open(`${sharedService().site_url}${path}`);
    const sent = await answersJobs(page, job, accepts(true));
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.goto(ownLink(path));
    await page.getByRole('heading', { level: 1, name: job.title }).waitFor();
    expect(page.url()).toBe(`${sharedService().site_url}${path}#/jobs/${JOB}`);
    // Nothing else of the workspace, and no way to it.
    expect(await page.getByRole('navigation').count()).toBe(0);
    expect(await page.locator('main a').count()).toBe(0);
    expect(await page.getByText('Then decide.').innerText()).toBe(job.instructions);
    expect(await page.getByRole('region', { name: 'Items' }).getByRole('row').allInnerTexts()).toHaveLength(
      3,
    );
    await accessible(page);
    const form = page.getByRole('form', { name: 'Answer' });
    await form.getByRole('radio', { name: 'Yes' }).check();
    await form.getByLabel('Grade').fill('4');
    await form.getByLabel(/^Due/).fill('2026-12-01');
    await form.getByLabel(/^Tone/).selectOption('formal');
    await form.getByLabel('Beta').check();
    await form.getByLabel(/^Remarks/).fill('shorter\n\nwarmer');
    await page.getByRole('button', { name: 'Answer' }).press('Enter');
    await page.getByText('Your answer has been taken').waitFor();
    expect(await page.locator(':focus').innerText()).toContain('Your answer has been taken');
    expect(await form.count()).toBe(0);
    const answer = {
      approved: true,
      grade: 4,
      due: '2026-12-01',
      tone: 'formal',
      leave_out: ['Beta'],
      remarks: ['shorter', 'warmer'],
    };
    expect(sent).toEqual([
      {
        path: expect.stringMatching(`/v1/jobs/${JOB}/complete$`),
        bearer: `Bearer ${TOKEN}`,
        body: { answer },
      },
    ]);
    expect(requests.filter((url) => url.includes(TOKEN))).toEqual([]);
    await accessible(page);
  },
);

/** Opens the question by its own link. */
async function opened(page: Page): Promise<Page> {
  await page.goto(ownLink());
  await page.getByRole('heading', { level: 1, name: job.title }).waitFor();
  return page;
}

journey('a person declines with words, and may read the page again', async ({ open }) => {
  const page = await open(`${sharedService().site_url}/console`);
  const sent = await answersJobs(page, job, accepts(true));
  await opened(page);
  // The token stays in the tab, so that the page can be loaded again.
  await page.reload();
  await page.getByRole('button', { name: 'Decline' }).click();
  const dialog = page.getByRole('dialog');
  await accessible(page);
  await dialog.getByLabel('Why').fill('Beta has left us.');
  await dialog.getByRole('button', { name: 'Decline' }).click();
  await page.getByText('You have declined').waitFor();
  expect(sent).toMatchObject([{ body: { message: 'Beta has left us.', retry: false } }]);
  expect(await page.evaluate('localStorage.length')).toBe(0);
});

/** Chooses what is needed, and sends it. */
async function answers(page: Page): Promise<void> {
  await page.getByRole('radio', { name: 'No', exact: true }).check();
  await page.getByLabel('Grade').fill('1');
  await page.getByRole('button', { name: 'Answer' }).click();
}

journey('what is needed is asked for before anything is sent', async ({ open }) => {
  const page = await open(`${sharedService().site_url}/console`);
  const sent = await answersJobs(page, job, accepts(true));
  await opened(page);
  await page.getByRole('radio', { name: 'No', exact: true }).check();
  await page.getByLabel('Grade').fill('6');
  await page.getByRole('button', { name: 'Answer' }).click();
  expect(await page.getByLabel('Grade').evaluate((field) => field.matches(':invalid:focus'))).toBe(true);
  expect(sent).toEqual([]);
});

journey('what the service refuses is said at its field, and the question stays open', async ({ open }) => {
  const page = await open(`${sharedService().site_url}/console`);
  const issue = {
    path: ['answer', 'grade'],
    code: 'too_big',
    message: 'Too big: expected at most 5',
    received: '1',
  };
  await answersJobs(
    page,
    job,
    refuses(422, {
      ...{ code: 'schema_validation_failed', type: 'invalid_request', param: 'answer.grade' },
      ...{ message: '`answer.grade` is at most 5.', details: { issues: [issue] } },
    }),
  );
  await opened(page);
  await answers(page);
  const grade = page.getByLabel('Grade');
  await expect.poll(() => grade.getAttribute('aria-invalid')).toBe('true');
  expect(await page.getByText('is at most 5.').count()).toBe(1);
  expect(await page.getByRole('alert').count()).toBe(0);
  expect(await grade.inputValue()).toBe('1');
});

journey.for([
  ['answered meanwhile', accepts(false), 'the first answer holds'],
  [
    'canceled',
    refuses(409, { code: 'job_over', type: 'conflict', details: { status: 'canceled' } }),
    'None is needed',
  ],
  [
    'timed out',
    refuses(409, { code: 'job_over', type: 'conflict', details: { status: 'timed_out' } }),
    'is over',
  ],
  [
    'declined',
    refuses(409, { code: 'job_over', type: 'conflict', details: { status: 'failed' } }),
    'has been declined',
  ],
] as const)('an answer that comes too late says why: %s', async ([, reply, text], { open }) => {
  const page = await open(`${sharedService().site_url}/console`);
  await answersJobs(page, job, reply);
  await opened(page);
  await answers(page);
  await page.getByText(text).waitFor();
  expect(await page.getByRole('button', { name: 'Answer' }).count()).toBe(0);
});

journey('the link of a question that is over, or one that is forged, opens nothing', async ({ open }) => {
  const page = await open(`${sharedService().site_url}/console`);
  const over = { code: 'job_over', type: 'conflict', details: { status: 'completed' } };
  await page.route('**/v1/jobs/**', refuses(409, over));
  await page.goto(ownLink());
  await page.getByRole('heading', { name: 'This question is over' }).waitFor();
  await page.getByText('has been answered').waitFor();
  await accessible(page);
  await page.unroute('**/v1/jobs/**');
  await page.route('**/v1/jobs/**', refuses(401, { code: 'auth_invalid', type: 'authentication' }));
  await page.reload();
  await page.getByRole('heading', { name: 'This link opens no question' }).waitFor();
  expect(await page.getByRole('form').count()).toBe(0);
  await accessible(page);
});

journey('a question is answered with the keyboard alone', async ({ open }) => {
  const page = await open(`${sharedService().site_url}/console`);
  const { approved, grade } = schema.properties;
  const sent = await answersJobs(
    page,
    { ...job, items_in: [], schema: { ...schema, properties: { approved, grade } } },
    accepts(true),
  );
  await opened(page);
  const focused = () => page.evaluate<string>('document.activeElement.tagName');
  await page.keyboard.press('Tab');
  while ((await focused()) !== 'INPUT') await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Tab');
  await page.keyboard.type('3');
  await page.keyboard.press('Enter');
  await page.getByText('Your answer has been taken').waitFor();
  expect(sent).toMatchObject([{ body: { answer: { approved: false, grade: 3 } } }]);
});

journey('the link of a question asks with its token, also where a key is signed in', async ({ visit }) => {
  const page = await visit(await given.workspace(), '#/runs');
  const sent = await answersJobs(page, job, accepts(true));
  await opened(page);
  expect(await page.getByRole('navigation').count()).toBe(0);
  await answers(page);
  await page.getByText('Your answer has been taken').waitFor();
  expect(sent).toMatchObject([{ bearer: `Bearer ${TOKEN}` }]);
  await page.getByRole('link', { name: 'Run service' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
});

journey('a question from elsewhere stays text', async ({ open }) => {
  const page = await open(`${sharedService().site_url}/console`);
  const hostile = '<img src=x onerror="window.pwn=1"> [a](javascript:window.pwn=2) [b](entity=x)';
  const properties = {
    [hostile]: { type: 'string', title: hostile, description: hostile },
    pick: { enum: [hostile, 'b'], title: `pick ${hostile}` },
    constructor: { type: 'string' },
  };
  const items_in = [
    { id: 'x', name: hostile, type: hostile, fields: { [hostile]: hostile, list: [hostile] } },
  ];
  await answersJobs(
    page,
    {
      ...job,
      title: hostile,
      instructions: hostile,
      query: hostile,
      items_in,
      schema: { type: 'object', properties },
    },
    accepts(true),
  );
  await page.goto(ownLink());
  await page.getByRole('button', { name: 'Answer' }).waitFor();
  expect(await page.locator('main img, main a, main script, main [onerror]').count()).toBe(0);
  await accessible(page);
});

journey('the questions are listed and counted for a key, which answers them too', async ({ visit }) => {
  const home = await given.workspace();
  const page = await visit(home, '#/runs');
  const sent = await answersJobs(page, job, accepts(true));
  await page.evaluate(`location.hash = '#/questions'`);
  const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Questions/ });
  await expect.poll(() => link.innerText()).toMatch(/^Questions\s*1/);
  await accessible(page);
  await page.getByRole('table').getByRole('link', { name: 'approval' }).click();
  await page.getByRole('heading', { level: 1, name: job.title }).waitFor();
  await accessible(page);
  // With a key, names lead to records.
  const record = page.getByRole('region', { name: 'Items' }).getByRole('link', { name: 'Acme' });
  await record.click();
  await page.getByRole('dialog', { name: 'Record' }).getByRole('button', { name: 'Close' }).click();
  await answers(page);
  await page.getByText('Your answer has been taken').waitFor();
  expect(sent).toMatchObject([
    { bearer: `Bearer ${home.key}`, body: { answer: { approved: false, grade: 1 } } },
  ]);
});

journey('all jobs are listed by status, kind and source', async ({ visit }) => {
  const page = await visit(await given.workspace(), '#/runs');
  const over = { ...job, status: 'timed_out', completed_at: job.created_at + 5000, items: 3, cost_usd: 0.25 };
  await answersJobs(page, over, accepts(true));
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).search));
  await page.evaluate(`location.hash = '#/jobs'`);
  const row = page.getByRole('row').nth(1);
  await expect
    .poll(() => row.innerText())
    .toMatch(/timed out\s+approval\s+Question\s+step 2 of a run[^$]*5\.0 s\s+3\s+\$0\.25/);
  await accessible(page);
  await page.getByLabel('Status').selectOption('timed out');
  await page.getByLabel('Kind').selectOption('Question');
  await expect.poll(() => asked.at(-1)).toBe('?status=timed_out&kind=person');
});
