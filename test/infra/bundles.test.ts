// What goes into the functions' bundles, as their source maps say.
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { expect, inject, test } from 'vitest';
import { localCallbacks } from '../../lib/local/cli/local-callbacks.ts';
import { BUNDLED_WITHIN_MS, deployedOnce } from '../support/deployed-assembly.ts';
import { withSlashes } from '../support/files.ts';

/** The sources of each file of the bundles, from the project's folder. */
function sourcesIn(bundles: string): [string, string[]][] {
  return globSync('*/*.mjs.map', { cwd: bundles }).map((map) => {
    const { sources }: { sources: string[] } = JSON.parse(readFileSync(join(bundles, map), 'utf8'));
    const folder = dirname(join(bundles, map));
    return [
      map.slice(0, -'.map'.length),
      sources.map((source) => withSlashes(relative('.', resolve(folder, source)))),
    ];
  });
}

test('only functions that call a model carry the offline one, and only steps a client of MCP servers, as files loaded on demand', {
  timeout: BUNDLED_WITHIN_MS,
}, async () => {
  const files = sourcesIn(join(await deployedOnce(inject('deployed')), 'bundles'));
  const carriers = files.filter(([, sources]) =>
    sources.includes('functions/models/offline/offline-model.ts'),
  );
  const names = carriers.map(([file]) => `${basename(dirname(file))}/${basename(file).split('-')[0]}`);
  expect(names.toSorted()).toEqual([
    'Admin/offline',
    'ExecuteSteps/offline',
    'FireMonitors/offline',
    'Start/offline',
  ]);
  const clients = files.filter(([, sources]) =>
    sources.some((source) => source.includes('@modelcontextprotocol/client/')),
  );
  // Only a step that reads an MCP server loads its client.
  expect(clients.map(([file]) => basename(dirname(file)))).toEqual(clients.map(() => 'ExecuteSteps'));
  expect(clients.map(([file]) => basename(file))).not.toContain('index.mjs');
  expect(clients.length).toBeGreaterThan(0);
});

test('no deployed bundle has the switch that allows loopback (rules.md: local 5)', {
  timeout: BUNDLED_WITHIN_MS,
}, async () => {
  const bundles = join(await deployedOnce(inject('deployed')), 'bundles');
  const [name = ''] = Object.keys(localCallbacks);
  const files = globSync('*/*.mjs', { cwd: bundles });
  expect(files.filter((file) => readFileSync(join(bundles, file), 'utf8').includes(name))).toEqual([]);
  expect(files.length).toBeGreaterThan(0);
});
