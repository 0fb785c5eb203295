// The kinds of tests: `unit` is pure, `infra` synthesizes, `store` starts the table's engine, `local` and `e2e` the machine.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Most tests wait for the service, so more of them than cores run at once.
    maxWorkers: 3,
    projects: [
      { test: { name: 'unit', include: ['test/unit/**/*.test.ts'], pool: 'threads', testTimeout: 30_000 } },
      // Nothing here keeps state but the templates, which are synthesized once for all suites of a worker.
      { test: { name: 'infra', include: ['test/infra/**/*.test.ts'], isolate: false, testTimeout: 60_000 } },
      {
        test: {
          name: 'store',
          include: ['test/store/**/*.test.ts', 'test/money/**/*.test.ts'],
          globalSetup: ['test/support/store-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'local',
          include: ['test/local/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // Processes and threads start slowly on a loaded machine.
          expect: { poll: { timeout: 30_000 } },
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: ['test/support/e2e-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
