// One local service and one browser for all tests of the console.
import type { TestProject } from 'vitest/node';
import startService from '../support/e2e-setup.ts';
import { launchBrowser } from './chromium.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where tests connect to the browser. */
    browser: string;
  }
}

/** Starts both, hands their addresses to the tests, and stops them after the last one. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const browser = await launchBrowser();
  project.provide('browser', browser.wsEndpoint());
  const stopService = await startService(project);
  return async () => {
    await browser.close();
    await stopService();
  };
}
