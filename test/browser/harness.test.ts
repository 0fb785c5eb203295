// The judges of the browser tests see what they are there to see.
import { expect, test } from 'vitest';
import { accessible } from './accessibility.ts';
import { collectFaults, isTakenOver } from './faults.ts';
import { connectedBrowser } from './journey.ts';

const SITE = 'http://127.0.0.1:9';
const page = `<!doctype html><title>Bad</title><meta name="viewport" content="width=device-width">
<script>window.pwn = 1; console.error('told'); setTimeout(() => { throw new Error('thrown'); });</script>
<script src="http://other.invalid/a.js"></script><button></button><div></div>`;

test('a page that does what no page may do is found out', async () => {
  const browser = await connectedBrowser();
  const context = await browser.newContext();
  const faults = collectFaults(context, SITE);
  await context.route('**', (route) => {
    const isPage = route.request().url() === `${SITE}/`;
    return isPage
      ? route.fulfill({
          contentType: 'text/html',
          headers: { 'content-security-policy': "img-src 'none'" },
          body: page,
        })
      : route.abort();
  });
  const visited = await context.newPage();
  await visited.goto(SITE);
  await visited.evaluate(`document.body.append(Object.assign(new Image(), { src: '/a.png' }))`);
  await expect.poll(() => faults.length).toBeGreaterThanOrEqual(4);
  expect(faults.join('\n')).toMatch(/request to http:\/\/other.invalid\/a.js/);
  expect(faults.join('\n')).toMatch(/told/);
  expect(faults.join('\n')).toMatch(/thrown/);
  expect(faults.join('\n')).toMatch(/Content Security Policy/);
  expect(await isTakenOver(visited)).toBe(true);
  await expect(accessible(visited)).rejects.toMatchObject({
    actual: expect.arrayContaining([expect.stringMatching(/^button-name/)]),
  });
  await visited.evaluate(`document.body.style.width = '2000px'`);
  await expect(accessible(visited)).rejects.toThrow(/at 1280/);
  await browser.close();
});
