// `journey`: a browser test. `visit` opens the console for a key, `open` any page of the site; each in its own context.
// Whatever a page does that no page may do (see faults.ts) fails the test that opened it. Elements are found by role
// and name, as people find them; `expect.poll` and `locator.waitFor` wait. `accessible` and `fits` (accessibility.ts)
// judge a page at all widths, light and dark.
//
//   journey('a run is canceled with the keyboard', async ({ visit }) => {
//     const home = await workspace();
//     const page = await visit(home, '#/runs');
//     await page.getByRole('link', { name: 'Companies in Berlin' }).press('Enter');
//     await accessible(page);
//   });
import { type Browser, chromium, type Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import type { Caller } from '../support/given.ts';
import { sharedService } from '../support/service.ts';
import { collectFaults, isTakenOver } from './faults.ts';

export interface Look {
  /** Pixels; 1280. */
  width?: number;
  colorScheme?: 'light' | 'dark';
}

/** Far less than a test's timeout, so that the error names what never appears. */
const APPEARS_WITHIN_MS = 25_000;

/** The system has one clipboard for the pages of all tests, so that a page would read what another one has copied. */
const OWN_CLIPBOARD = `{
  let copied = '';
  const clipboard = { writeText: async (text) => { copied = String(text); }, readText: async () => copied };
  Object.defineProperty(navigator, 'clipboard', { value: clipboard });
}`;

/** The browser of all tests. Throws when this machine has none. */
export function connectedBrowser(): Promise<Browser> {
  const browser = inject('browser');
  if ('missing' in browser) throw new Error(browser.missing);
  return chromium.connect(browser.address);
}

export const journey = test
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads from the pattern what a fixture needs
  .extend('browser', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const browser = await connectedBrowser();
    onCleanup(() => browser.close());
    return browser;
  })
  .extend('open', async ({ browser }, { onCleanup }) => {
    const opened: { page: Page; faults: string[] }[] = [];
    onCleanup(async () => {
      const taken = await Promise.all(opened.map(({ page }) => isTakenOver(page)));
      await Promise.all(opened.map(({ page }) => page.context().close()));
      expect({ faults: opened.flatMap(({ faults }) => faults), taken }).toEqual({
        faults: [],
        taken: opened.map(() => false),
      });
    });
    return async (address: string, { width = 1280, colorScheme = 'light' }: Look = {}): Promise<Page> => {
      const context = await browser.newContext({
        viewport: { width, height: 800 },
        colorScheme,
        reducedMotion: 'reduce',
        locale: 'en-US',
        timezoneId: 'UTC',
      });
      await context.addInitScript(OWN_CLIPBOARD);
      context.setDefaultTimeout(APPEARS_WITHIN_MS);
      const faults = collectFaults(context, address);
      const page = await context.newPage();
      opened.push({ page, faults });
      await page.goto(address);
      return page;
    };
  })
  .extend('visit', ({ open }) => async (home: Caller, route: string, look: Look = {}): Promise<Page> => {
    const { site_url } = home.access ?? sharedService();
    const page = await open(`${site_url}/console#key=${home.key}`, look);
    await page.getByRole('navigation').first().waitFor();
    await page.evaluate(`location.assign(${JSON.stringify(route)})`);
    return page;
  });
