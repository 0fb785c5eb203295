// What the models say of themselves: the protections they can do without, and the states to reach.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SpecName } from './promises.ts';

/** The text of a model. */
export const textOf = (spec: SpecName): string =>
  readFileSync(join(import.meta.dirname, `${spec}.tla`), 'utf8');

/** The names of the states that the checker has to find. */
export function statesToReach(spec: SpecName): string[] {
  const [, states = ''] = /^Reached ==(.*?)^Watch ==/ms.exec(textOf(spec)) ?? [];
  return [...states.matchAll(/(\w+) \|->/g)].map(([, name = '']) => name);
}

/** Everything that can be taken out of a model. */
export function protections(spec: SpecName): string[] {
  const named = [...textOf(spec).matchAll(/Has\("([^"]+)"\)/g)].map(([, name = '']) => name);
  return [...new Set(named)].filter((name) => name !== 'nothing').toSorted();
}
