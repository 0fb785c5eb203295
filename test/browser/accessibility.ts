// Pages are accessible: axe finds nothing on a desk and on a phone, light and dark, and nothing is cut off at any width.
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Of the widths; the page is laid out as for the next one, so it must fit and no more. */
const NARROWEST = 320;
const WIDTHS = [1280, 390, NARROWEST];
/** What axe looks at when nothing but the colours has changed. */
const RULES_OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** Fails when axe finds a violation, or the page scrolls sideways. Restores the page's width. */
export async function accessible(page: Page): Promise<void> {
  const judge = await axeIn(page);
  await atEachWidth(page, async (width) => {
    if (width === NARROWEST) return;
    expect(await judge(), `${page.url()} at ${width}, light`).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await judge(RULES_OF_COLOURS), `${page.url()} at ${width}, dark`).toEqual([]);
    await page.emulateMedia({ colorScheme: 'light' });
  });
}

/** Fails when the page scrolls sideways at any width. Restores its width. */
export async function fits(page: Page): Promise<void> {
  await atEachWidth(page, async () => {});
}

async function atEachWidth(page: Page, judge: (width: number) => Promise<void>): Promise<void> {
  const before = page.viewportSize() ?? { width: 1280, height: 800 };
  for (const width of WIDTHS) {
    await page.setViewportSize({ ...before, width });
    const needed = await page.evaluate('document.documentElement.scrollWidth');
    expect(needed, `${page.url()} at ${width}`).toBe(width);
    await judge(width);
  }
  await page.setViewportSize(before);
}

/** Axe in an isolated world of the page: it sees what is rendered, and the page's script policy stays intact. */
async function axeIn(page: Page): Promise<(rules?: string[]) => Promise<string[]>> {
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send('Page.getFrameTree');
  const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
  });
  await session.send('Runtime.evaluate', { expression: `${axe.source};0`, contextId });
  return async (rules) => {
    const options = {
      resultTypes: ['violations'],
      preload: false,
      iframes: false,
      ...(rules ? { runOnly: rules } : { rules: { 'target-size': { enabled: true } } }),
      // Of WCAG 2.2, and not among what axe looks at by itself.
      ...(!rules && { rules: { 'target-size': { enabled: true } } }),
    };
    const { result } = await session.send('Runtime.evaluate', {
      expression: `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations.flatMap(
        ({ id, nodes }) => nodes.map(({ html, any }) => id + ': ' + html + ' ' + any.map(({ message }) => message))))`,
      contextId,
      awaitPromise: true,
      returnByValue: true,
    });
    return result.value;
  };
}
