// The kinds of tests: `unit` is pure, `infra` synthesizes, `store` opens a table, `local` and `e2e` the machine, `browser` also Chromium; `-alone` has a process for each file.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { filesBy } from './test/support/files.ts';

/** What the hundreds of processes and workers of a run have compiled, so that each need not do it again. */
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/node');

/** What a test writes that replaces something of its process: a module, a variable, a client, a clock. */
const REPLACES = /\bvi\.\w+\(|mockClient|process\.env|support\/(fakes|objects|memory-table)|watched-table/;

/** What an end-to-end test does that opens a service's table itself: the store's client is made once for a process. */
const OPENS_TABLE = /\bopenService\(/;

/** The unit tests that replace something have a process of their own; all others share theirs, and the modules in it. */
const { alone = [], unit = [] } = Object.groupBy(filesBy('test/{unit,sdk,console}/**/*.test.ts'), (file) =>
  REPLACES.test(readFileSync(file, 'utf8')) ? 'alone' : 'unit',
);

/** What a test of the store writes that outlasts it: fakes are reset by each test, clocks and spies taken back. */
const KEEPS = /\bvi\.(mock|hoisted|resetModules)\(|mockClient|process\.env|support\/memory-table/;

/** The same of the tests that open a table. */
const { stores = [], storesAlone = [] } = Object.groupBy(
  filesBy('test/{store,proofs}/**/*.test.ts'),
  (file) => (KEEPS.test(readFileSync(file, 'utf8')) ? 'storesAlone' : 'stores'),
);
const store = {
  globalSetup: ['test/support/store-setup.ts'],
  setupFiles: ['test/support/store-before-tests.ts'],
};

/** The same of the local runtime's. */
const { locals = [], localsAlone = [] } = Object.groupBy(filesBy('test/local/**/*.test.ts'), (file) =>
  REPLACES.test(readFileSync(file, 'utf8')) ? 'localsAlone' : 'locals',
);
const local = { globalSetup: ['test/support/assembly-setup.ts'] };

const { apart = [], shared = [] } = Object.groupBy(filesBy('test/{e2e,cli}/**/*.test.ts'), (file) =>
  OPENS_TABLE.test(readFileSync(file, 'utf8')) ? 'apart' : 'shared',
);
const e2e = { globalSetup: ['test/support/e2e-setup.ts', 'test/support/deployed-setup.ts'] };

/** Where no file replaces a module: Node loads the modules itself, from its cache of what it has compiled. */
const native = { experimental: { viteModuleRunner: false } };

export default defineConfig({
  test: {
    // Most tests wait for the service, so more of them than cores run at once.
    maxWorkers: 6,
    // Far beyond what any test takes, so that a loaded machine fails none.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    setupFiles: ['test/support/properties.ts'],
    reporters: ['default', './test/support/slowest-files.ts'],
    projects: [
      { extends: true, test: { ...native, name: 'unit', include: unit, pool: 'threads', isolate: false } },
      { extends: true, test: { name: 'unit-alone', include: alone, pool: 'threads' } },
      // Nothing here keeps state but the templates, which are synthesized once for all suites of a worker.
      {
        extends: true,
        test: {
          ...native,
          name: 'infra',
          globalSetup: ['test/support/deployed-setup.ts'],
          include: ['test/infra/**/*.test.ts'],
          isolate: false,
        },
      },
      { extends: true, test: { ...native, ...store, name: 'store', include: stores, isolate: false } },
      { extends: true, test: { ...store, name: 'store-alone', include: storesAlone } },
      { extends: true, test: { ...native, ...local, name: 'local', include: locals, isolate: false } },
      { extends: true, test: { ...local, name: 'local-alone', include: localsAlone } },
      {
        extends: true,
        test: {
          ...native,
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
          name: 'browser',
          isolate: false,
          include: ['test/browser/**/*.test.ts'],
          globalSetup: ['test/browser/browser-setup.ts'],
        },
      },
    ],
  },
});
