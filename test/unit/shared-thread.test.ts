// The modules that local bundles replace, and what replaces them.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as fewInFlight from '#domain/commands/few-in-flight.ts';
import * as json from '#platform/json.ts';
import * as observations from '#platform/observations.ts';
import * as turns from '#platform/turns.ts';
import * as logGrowth from '#store/runs/log-growth.ts';
import * as sharedFewInFlight from '../../lib/local/shared-thread/few-in-flight.ts';
import * as sharedJson from '../../lib/local/shared-thread/json.ts';
import * as sharedLogGrowth from '../../lib/local/shared-thread/log-growth.ts';
import * as sharedObservations from '../../lib/local/shared-thread/observations.ts';
import { sharedThread } from '../../lib/local/shared-thread/replacements.ts';
import * as sharedTurns from '../../lib/local/shared-thread/turns.ts';
import { filesBy } from '../support/files.ts';

test.each([
  ['few-in-flight', fewInFlight, sharedFewInFlight satisfies Record<keyof typeof fewInFlight, number>],
  ['json', json, sharedJson satisfies typeof json],
  ['turns', turns, sharedTurns satisfies typeof turns],
  ['observations', observations, sharedObservations satisfies typeof observations],
  ['log-growth', logGrowth, sharedLogGrowth satisfies typeof logGrowth],
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

test('each version of the JSON module reads what the other wrote', async () => {
  const rows = fc.tuple(fc.string(), fc.integer({ min: 0, max: 500 }));
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.string(), rows), async (of) => {
      const lists = Object.entries(of).map(([name, [text, count]]) => [name, Array(count).fill(text)]);
      const value = JSON.parse(JSON.stringify(Object.fromEntries(lists)));
      expect(await json.parseJson(await sharedJson.writeJson(value))).toEqual(value);
      expect(await sharedJson.parseJson(await json.writeJson(value))).toEqual(value);
    }),
  );
});

test('both versions of turns map in order, and reject when an item fails', async () => {
  const failing = () => {
    throw new Error('no such item');
  };
  for (const { mapInTurns } of [turns, sharedTurns]) {
    expect(await mapInTurns([1, 2, 3], (n) => n * 2)).toEqual([2, 4, 6]);
    await expect(mapInTurns([1], failing)).rejects.toThrow('no such item');
  }
});
