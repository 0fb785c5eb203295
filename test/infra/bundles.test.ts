// What goes into the functions' bundles, as esbuild reports it.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { bundleFunctions } from '../../lib/app.ts';

/** Bundling all functions takes seconds. */
const BUNDLE_TIMEOUT_MS = 120_000;

test('only functions that call a model carry the offline one, and only steps a client of MCP servers, as files loaded on demand', {
  timeout: BUNDLE_TIMEOUT_MS,
}, async () => {
  const files = await bundleFunctions(mkdtempSync(join(tmpdir(), 'bundles-')));
  const carriers = Object.entries(files).filter(([, { inputs }]) =>
    Object.hasOwn(inputs, 'functions/models/offline/offline-model.ts'),
  );
  const names = carriers.map(([file]) => `${basename(dirname(file))}/${basename(file).split('-')[0]}`);
  expect(names.toSorted()).toEqual(['CreateRun/offline', 'ExecuteSteps/offline']);
  const clients = Object.entries(files).filter(([, { inputs }]) =>
    Object.keys(inputs).some((input) => input.includes('@modelcontextprotocol/client/')),
  );
  // Only a step that reads an MCP server loads its client.
  expect(clients.map(([file]) => basename(dirname(file)))).toEqual(clients.map(() => 'ExecuteSteps'));
  expect(clients.map(([file]) => basename(file))).not.toContain('index.mjs');
  expect(clients.length).toBeGreaterThan(0);
});
