// Whether everybody can use a page: axe finds nothing and nothing is cut off, at every width, light and dark.
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const WIDTHS = [1280, 390, 320];
const SCHEMES = ['light', 'dark'] as const;

/** Fails when axe finds a violation, or the page scrolls sideways. Leaves the page as wide as it was. */
export async function accessible(page: Page): Promise<void> {
  const before = page.viewportSize() ?? { width: 1280, height: 800 };
  const judge = await axeIn(page);
  for (const width of WIDTHS) {
    await page.setViewportSize({ ...before, width });
    expect(await page.evaluate('document.documentElement.scrollWidth'), `${page.url()} at ${width}`).toBe(
      width,
    );
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      expect(await judge(), `${page.url()} at ${width}, ${colorScheme}`).toEqual([]);
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(before);
}

/** Axe in a world of its own in the page: it sees what is drawn, and the page's policy for scripts stays whole. */
async function axeIn(page: Page): Promise<() => Promise<string[]>> {
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send('Page.getFrameTree');
  const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
  });
  await session.send('Runtime.evaluate', { expression: `${axe.source};0`, contextId });
  const expression = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html, any }) => id + ': ' + html + ' ' + any.map(({ message }) => message))))`;
  return async () => {
    const { result } = await session.send('Runtime.evaluate', {
      expression,
      contextId,
      awaitPromise: true,
      returnByValue: true,
    });
    return result.value;
  };
}
