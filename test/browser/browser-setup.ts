// One browser for all tests of the console, and the service of the test run.
import type { TestProject } from 'vitest/node';
import startService from '../support/e2e-setup.ts';
import { launchBrowser } from './chromium.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where tests connect to the browser, or why there is none: then they fail, and only they. */
    browser: { address: string } | { missing: string };
  }
}

/** Starts both, hands their addresses to the tests, and stops them after the last one. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const browser = await launchBrowser().catch((error: unknown) => String(error));
  if (typeof browser === 'string') {
    project.provide('browser', { missing: browser });
    return async () => {};
  }
  project.provide('browser', { address: browser.wsEndpoint() });
  const stopService = await startService(project);
  return async () => {
    await browser.close();
    await stopService();
  };
}
