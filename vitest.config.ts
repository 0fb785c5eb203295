// The kinds of tests: `unit` is pure, `infra` synthesizes, `store` opens a table, `local` and `e2e` the machine, `browser` also Chromium; `-alone` has a process for each file.
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { filesBy } from './test/support/files.ts';
import { LongestFirst } from './test/support/order.ts';

/** What the hundreds of processes and workers of a run have compiled, so that each need not do it again. */
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/node');

/**
 * What a test writes that outlasts it: a module, a client or a table in place of another, variables, readers that wait in
 * virtual time. Clocks, globals and spies are taken back.
 */
const OUTLASTS =
  /\bvi\.(mock|doMock|hoisted|resetModules)\(|mockClient|(memory|watched)-table|process\.env(\.\w+ = |, )|delete process/;

/** What an end-to-end test does that opens a service's table itself: the store's client is made once for a process. */
const OPENS_TABLE = /\bopenService\(/;

/** Those unit tests have a process each; all others share theirs, and the modules in it. */
const { alone = [], unit = [] } = Object.groupBy(filesBy('test/{unit,sdk,console}/**/*.test.ts'), (file) =>
  OUTLASTS.test(readFileSync(file, 'utf8')) ? 'alone' : 'unit',
);

/** The same of the tests that open a table. */
const { stores = [], storesAlone = [] } = Object.groupBy(
  filesBy('test/{store,proofs}/**/*.test.ts'),
  (file) => (OUTLASTS.test(readFileSync(file, 'utf8')) ? 'storesAlone' : 'stores'),
);
const store = {
  globalSetup: ['test/support/store-setup.ts'],
  setupFiles: ['test/support/store-before-tests.ts'],
};

/** The same of the local runtime's. */
const { locals = [], localsAlone = [] } = Object.groupBy(filesBy('test/local/**/*.test.ts'), (file) =>
  OUTLASTS.test(readFileSync(file, 'utf8')) ? 'localsAlone' : 'locals',
);
/** One assembly for all that start a service of their own. */
const local = { globalSetup: ['test/support/assembly-setup.ts'] };

/** A file that opens the table itself has a process; the others share theirs, and all of them the service. */
const { apart = [], shared = [] } = Object.groupBy(filesBy('test/{e2e,cli}/**/*.test.ts'), (file) =>
  OPENS_TABLE.test(readFileSync(file, 'utf8')) ? 'apart' : 'shared',
);
const e2e = { globalSetup: ['test/support/e2e-setup.ts', 'test/support/deployed-setup.ts'] };

/** Where no file replaces a module: Node loads the modules itself, from its cache of what it has compiled. */
const native = { experimental: { viteModuleRunner: false } };

/** Tests that compute: more at once than cores would only load the same modules more often. */
const computing = { maxWorkers: availableParallelism() + 1, sequence: { groupOrder: 0 } };
/** Tests that wait for the service, so more of them than cores run at once. */
const waiting = { maxWorkers: Math.max(8, availableParallelism()), sequence: { groupOrder: 1 } };

export default defineConfig({
  test: {
    // Far beyond what any test takes, so that a loaded machine fails none.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    setupFiles: ['test/support/properties.ts'],
    sequence: { sequencer: LongestFirst },
    reporters: ['default', './test/support/slowest-files.ts'],
    projects: [
      {
        extends: true,
        test: { ...native, ...computing, name: 'unit', include: unit, pool: 'threads', isolate: false },
      },
      { extends: true, test: { ...computing, name: 'unit-alone', include: alone, pool: 'threads' } },
      // Nothing here keeps state but the templates, which are synthesized once for all suites of a worker.
      {
        extends: true,
        test: {
          ...native,
          ...computing,
          name: 'infra',
          globalSetup: ['test/support/deployed-setup.ts'],
          include: ['test/infra/**/*.test.ts'],
          isolate: false,
        },
      },
      {
        extends: true,
        test: { ...native, ...computing, ...store, name: 'store', include: stores, isolate: false },
      },
      { extends: true, test: { ...computing, ...store, name: 'store-alone', include: storesAlone } },
      {
        extends: true,
        test: {
          ...native,
          ...computing,
          ...local,
          name: 'local',
          include: locals,
          isolate: false,
        },
      },
      { extends: true, test: { ...computing, ...local, name: 'local-alone', include: localsAlone } },
      {
        extends: true,
        test: {
          ...native,
          ...waiting,
          ...e2e,
          name: 'e2e',
          // A test here changes only what it made itself; the modules of a file serve the next one.
          isolate: false,
          include: shared,
        },
      },
      {
        extends: true,
        test: {
          ...waiting,
          ...e2e,
          name: 'e2e-alone',
          include: apart,
          setupFiles: ['test/support/store-before-tests.ts'],
        },
      },
      {
        extends: true,
        test: {
          ...native,
          ...waiting,
          name: 'browser',
          isolate: false,
          include: ['test/browser/**/*.test.ts'],
          globalSetup: ['test/browser/browser-setup.ts'],
        },
      },
    ],
  },
});
