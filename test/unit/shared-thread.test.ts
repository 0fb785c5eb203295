// The modules that local bundles replace, and what replaces them.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import * as observations from '#platform/observations.ts';
import * as logGrowth from '#store/runs/log-growth.ts';
import * as sharedLogGrowth from '../../lib/local/shared-thread/broadcast-growth.ts';
import * as sharedObservations from '../../lib/local/shared-thread/broadcast-observations.ts';
import { sharedThread } from '../../lib/local/shared-thread/replacements.ts';
import { filesBy } from '../support/files.ts';

test.each([
  ['observations', observations, sharedObservations satisfies typeof observations],
  ['log-growth', logGrowth, sharedLogGrowth satisfies Pick<typeof logGrowth, 'announceGrowth' | 'onGrowth'>],
])('the replacement of %s exports all that the module does', (_, module, replacement) => {
  expect(Object.keys(replacement)).toEqual(expect.arrayContaining(Object.keys(module)));
});

test('functions import these modules by the name that a build replaces, never by a relative path', () => {
  const replaced = Object.keys(sharedThread).map((name) => join('functions', name.slice(1)));
  const relative = filesBy('functions/**/*.ts').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/from '(\.[^']+)'/g)]
      .map(([, target = '']) => join(dirname(file), target))
      .filter((target) => replaced.includes(target))
      .map((target) => `${file} -> ${target}`),
  );
  expect(relative).toEqual([]);
});
