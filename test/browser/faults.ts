// What no page of ours may ever do: errors, violations of the content policy, requests to others, scripts from its
// data.
import type { BrowserContext, ConsoleMessage, Page } from 'playwright-core';

/** Collects the faults of every page of a context from now on; an answer of the API that is an error is none. */
export function collectFaults(context: BrowserContext, siteUrl: string): string[] {
  const faults: string[] = [];
  const site = new URL(siteUrl).origin;
  context.on('request', (request) => {
    const { origin, protocol, href } = new URL(request.url());
    if (origin !== site && protocol !== 'data:' && protocol !== 'blob:') faults.push(`request to ${href}`);
  });
  context.on('weberror', (error) => faults.push(`error: ${error.error().stack}`));
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !isAnswer(message, site))
      faults.push(`${message.type()}: ${message.text()}`);
  });
  return faults;
}

/**
 * The browser reports every reply of 400 and more, and every lost connection; only the console's own files must always
 * come.
 */
function isAnswer(message: ConsoleMessage, site: string): boolean {
  const { url } = message.location();
  return message.text().startsWith('Failed to load resource:') && !url.startsWith(`${site}/console`);
}

/** Whether data of the page were executed: hostile data set `pwn`. */
export function isTakenOver(page: Page): Promise<boolean> {
  return page.evaluate<boolean>('window.pwn !== undefined');
}
