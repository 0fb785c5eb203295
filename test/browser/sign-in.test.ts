// rules.md: console 3, console 15. Signing in, by the address in the start banner and by the form; where the key is stored, and
// where it never is.
import type { Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { DEMO_KEY_PATH } from '../../lib/local/api-gateway/demo-key.ts';
import * as given from '../support/given.ts';
import { ownService } from '../support/own-service.ts';
import { admin, sharedService } from '../support/service.ts';
import { accessible } from './accessibility.ts';
import { journey } from './journey.ts';

const signedIn = (page: Page) => page.getByRole('button', { name: 'Sign out' }).waitFor();
const asksForKey = (page: Page) => page.getByLabel('API key').waitFor();
const storedKeys = (page: Page) =>
  page.evaluate<[number, number]>('[Object.keys(sessionStorage).length, Object.keys(localStorage).length]');

/** Another tab of the same browser. */
async function anotherTab(page: Page, address: string): Promise<Page> {
  const tab = await page.context().newPage();
  await tab.goto(address);
  return tab;
}

journey.for(['/console', '/api/console'])(
  '%s takes the key from its address and wipes it',
  async (path, { open }) => {
    const { key } = await given.workspace();
    const address = `${sharedService().site_url}${path}`;
    const page = await open(`${address}#key=${key}`);
    await signedIn(page);
    expect(page.url()).toBe(`${address}#/runs`);
    expect(await storedKeys(page)).toEqual([1, 0]);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    const reloaded = await page.reload();
    expect(reloaded?.headers()['cross-origin-opener-policy']).toBe('same-origin');
    await signedIn(page);
    expect(requests.length).toBeGreaterThan(2);
    expect(requests.filter((url) => url.includes(key))).toEqual([]);
    await page.goBack();
    expect(page.url()).not.toContain(key);
  },
);

journey(
  'another key in the address of an open tab signs in with that one, and is wiped too',
  async ({ open }) => {
    const address = `${sharedService().site_url}/console`;
    const page = await open(`${address}#key=sk_wrong`);
    await page.getByText('auth_invalid').waitFor();
    expect(page.url()).toBe(`${address}#/runs`);
    const { key } = await given.workspace();
    await page.goto(`${address}#key=${key}`);
    await signedIn(page);
    await expect.poll(() => page.url()).toBe(`${address}#/runs`);
    await page.getByRole('heading', { name: 'No run yet' }).waitFor();
  },
);

/** Follows a link with a key, as a page elsewhere can place one. */
const follows = (page: Page, key: string) =>
  page.evaluate(`location.hash = ${JSON.stringify(`#key=${key}`)}`);

journey(
  'a key in the address asks before it takes the place of another, and staying changes nothing',
  async ({ visit }) => {
    const [mine, theirs] = [
      await given.workspace({ name: 'Mine' }),
      await given.workspace({ name: 'Theirs' }),
    ];
    const page = await visit(mine, '#/new');
    const field = page.getByLabel('Question');
    await field.fill('my secret question');
    await follows(page, theirs.key);
    const question = page.getByRole('dialog', { name: 'Use another key?' });
    await question.getByText('Mine', { exact: true }).waitFor();
    await question.getByText('Theirs', { exact: true }).waitFor();
    expect(page.url()).not.toContain(theirs.key);
    await accessible(page);
    await question.getByRole('button', { name: 'Stay' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await field.inputValue()).toBe('my secret question');
    expect(page.url()).toMatch(/#\/new$/);
    expect(await page.evaluate(`Object.values(sessionStorage).join()`)).toBe(mine.key);
  },
);

journey('a switch to another key leaves the unsent request behind', async ({ visit }) => {
  const [mine, theirs] = [await given.workspace({ name: 'Mine' }), await given.workspace({ name: 'Theirs' })];
  const page = await visit(mine, '#/new');
  await page.getByLabel('Question').fill('my secret question');
  await follows(page, theirs.key);
  await page.getByRole('button', { name: 'Switch' }).click();
  await page.getByRole('heading', { name: 'No run yet' }).waitFor();
  await page.getByText('Theirs', { exact: true }).waitFor();
  await page.evaluate(`location.hash = '#/new'`);
  await page.getByLabel('Question').waitFor();
  expect(await page.getByLabel('Question').inputValue()).toBe('');
});

journey(
  'a key that is kept on the device is not replaced by a link in a new tab either',
  async ({ open }) => {
    const [mine, theirs] = [await given.workspace(), await given.workspace()];
    const address = `${sharedService().site_url}/console`;
    const page = await open(address);
    await page.getByLabel('API key').fill(mine.key);
    await page.getByLabel('Keep on this device').check();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await signedIn(page);
    const tab = await anotherTab(page, `${address}#key=${theirs.key}`);
    await tab.getByRole('dialog', { name: 'Use another key?' }).getByText(mine.workspace_id).waitFor();
    await tab.keyboard.press('Escape');
    await tab.getByRole('dialog').waitFor({ state: 'detached' });
    await signedIn(tab);
    expect(await tab.evaluate('Object.keys(sessionStorage).length')).toBe(0);
  },
);

journey('an invalid key in the address is reported, and the current key stays in use', async ({ visit }) => {
  const page = await visit(await given.workspace(), '#/usage');
  await follows(page, 'sk_wrong');
  const note = page.getByRole('dialog', { name: 'The key in the address cannot be used' });
  await note.getByText('auth_invalid').waitFor();
  await note.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor();
});

journey('the key is kept for the tab, not for the next one', async ({ open }) => {
  const { key } = await given.workspace();
  const address = `${sharedService().site_url}/console`;
  const page = await open(`${address}#key=${key}`);
  await signedIn(page);
  await asksForKey(await anotherTab(page, address));
});

journey(
  'an invalid key is refused with a reason; a valid one is stored on the device on request',
  async ({ open }) => {
    const { key } = await given.workspace();
    const address = `${sharedService().site_url}/console#/usage`;
    const page = await open(address);
    await page.getByLabel('API key').fill('sk_wrong');
    await page.getByLabel('API key').press('Enter');
    await page.getByText('auth_invalid').waitFor();
    await accessible(page);
    await page.getByLabel('API key').fill(key);
    await page.getByLabel('Keep on this device').check();
    await page.getByRole('button', { name: 'Sign in' }).click();
    // The page that was asked for, not another one.
    await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor();
    const tab = await anotherTab(page, address);
    await tab.getByRole('heading', { level: 1, name: 'Usage' }).waitFor();
    await tab.getByRole('button', { name: 'Sign out' }).click();
    await asksForKey(tab);
    expect(await storedKeys(tab)).toEqual([0, 0]);
  },
);

journey('a revoked key leads back to the sign-in form, which shows why', async ({ open }) => {
  const { key, key_id } = await given.workspace();
  const page = await open(`${sharedService().site_url}/console#key=${key}`);
  await signedIn(page);
  await admin({ command: 'key.revoke', key_id });
  await expect
    .poll(async () => {
      // A reload after the refusal would lose why there is one.
      if ((await storedKeys(page))[0] !== 0) await page.reload({ waitUntil: 'networkidle' });
      return page.getByText('auth_invalid').count();
    })
    .toBe(1);
  expect(await storedKeys(page)).toEqual([0, 0]);
});

journey('where the service offers its demo workspace, a button opens it', async ({ open }) => {
  const demo: { key?: string } = {};
  const service = await ownService({ DEMO_KEY_PATH }, {}, { demoKey: () => demo.key });
  onTestFinished(() => service.stop());
  demo.key = (await service.home()).key;
  await service.restart();
  const page = await open(`${service.runtime.site_url}/console`);
  await page.getByRole('button', { name: 'Open the demo workspace' }).waitFor();
  await accessible(page);
  await page.getByRole('button', { name: 'Open the demo workspace' }).click();
  await signedIn(page);
  expect(await storedKeys(page)).toEqual([1, 0]);
});

journey('no other service has such a button', async ({ open }) => {
  const page = await open(`${sharedService().site_url}/console`);
  await asksForKey(page);
  expect(await page.getByRole('button').allInnerTexts()).toEqual(['Skip to content', 'Sign in']);
});
