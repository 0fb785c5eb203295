// The kinds of tests: `unit` is pure, `infra` synthesizes, `store` starts the table's engine, `local` and `e2e` the machine.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Most tests wait for the service, so more of them than cores run at once.
    maxWorkers: 3,
    // Far beyond what any test takes, so that a loaded machine fails none.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    projects: [
      { extends: true, test: { name: 'unit', include: ['test/unit/**/*.test.ts'], pool: 'threads' } },
      // Nothing here keeps state but the templates, which are synthesized once for all suites of a worker.
      { extends: true, test: { name: 'infra', include: ['test/infra/**/*.test.ts'], isolate: false } },
      {
        extends: true,
        test: {
          name: 'store',
          include: ['test/{store,money,sim}/**/*.test.ts'],
          globalSetup: ['test/support/store-setup.ts'],
        },
      },
      { extends: true, test: { name: 'local', include: ['test/local/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: ['test/support/e2e-setup.ts'],
        },
      },
    ],
  },
});
