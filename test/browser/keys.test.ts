// The pages of keys, audit and deliveries.
import { expect } from 'vitest';
import { customer, status } from '../e2e/webhook-receiver.ts';
import * as given from '../support/given.ts';
import { call, until } from '../support/service.ts';
import * as when from '../support/when.ts';
import { accessible } from './accessibility.ts';
import { journey } from './journey.ts';

journey('a key is created, rotated and revoked; its text is shown once', async ({ visit }) => {
  const home = await given.workspace();
  const page = await visit(home, '#/keys');
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByLabel('Name').fill('Nightly');
  const reads = page.getByRole('checkbox', { name: /^Read runs, records/ });
  const creates = page.getByRole('checkbox', {
    name: /^Create, resume and rerun runs.* may spend runs:create/,
  });
  expect([await reads.isChecked(), await creates.isChecked()]).toEqual([true, false]);
  await page.getByRole('button', { name: 'Agent' }).click();
  await expect.poll(() => creates.isChecked()).toBe(true);
  await accessible(page);
  await page.getByRole('button', { name: 'Create the key' }).click();
  const shown = page.getByRole('dialog', { name: 'Key Nightly' });
  expect(await shown.locator('code').innerText()).toMatch(/^sk_\w+$/);
  await shown.getByRole('button', { name: 'Close' }).click();
  const entry = page.getByRole('listitem').filter({ hasText: 'Nightly' }).first();
  await entry.getByRole('button', { name: 'Rotate' }).click();
  await page.getByRole('button', { name: 'Rotate the key' }).click();
  await shown.getByRole('button', { name: 'Close' }).click();
  await page.getByText(/^Never used · expires /).waitFor();
  await entry.getByText('May use 4 scopes').click();
  await entry.getByText('Cancel runs').waitFor();
  await entry.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('button', { name: 'Revoke the key' }).click();
  await page.getByText('key.revoke').waitFor();
  await accessible(page);
  const { data } = (await call('GET', '/keys', { key: home.key })).body;
  expect(data).toMatchObject([{ name: 'Nightly' }, { name: 'Nightly' }, { name: 'API key' }]);
});

journey('failed deliveries of the workspace are filtered and sent again', async ({ visit }) => {
  const [home, server] = await Promise.all([given.workspace(), customer(status(410), status(200))]);
  const steps = [{ kind: 'inject_context', params: { text: 'x' } }];
  await when.createsPlanRun(home, steps, { callback_url: server.url });
  // What the receiver has is not in the list before its answer is recorded.
  const delivery = (status: string) =>
    until(`a ${status} delivery`, async () => {
      const { body } = await call('GET', `/webhook-deliveries?status=${status}`, { key: home.key });
      return body.data[0];
    });
  await delivery('failed');
  let page = await visit(await given.workspace(), '#/deliveries');
  await page.getByRole('link', { name: 'How to receive webhooks' }).waitFor();
  expect(await page.getByRole('button', { name: 'Deliver all failed again' }).isDisabled()).toBe(true);
  await accessible(page);
  page = await visit(home, '#/deliveries');
  await page.getByLabel('State').selectOption('failed');
  await page.getByText('run.succeeded').waitFor();
  await accessible(page);
  await page.getByRole('button', { name: 'Deliver all failed again' }).click();
  await delivery('delivered');
  await page.getByLabel('State').selectOption('delivered');
  await page.getByText('2 attempts').waitFor();
});
