// An answer as data in the form in which people read it: a tree whose leaves know what they are based on.
import type { BasisEntry, RunOutput } from '../../sdk/index.ts';
import { isObject } from './draft.ts';
import { labelOf } from './figures.ts';

/** A part of the data. */
export type OutputNode =
  | { kind: 'leaf'; value: string | number | boolean | null; basis: BasisEntry | undefined }
  | { kind: 'list'; elements: readonly OutputNode[] }
  | { kind: 'object'; members: readonly { name: string; label: string; node: OutputNode }[] };

/** The tree of an output. */
export function outputTree({ data, basis }: RunOutput): OutputNode {
  const known = new Map(basis.map((entry) => [entry.path, entry]));
  return nodeOf(data, '', known);
}

function nodeOf(value: unknown, path: string, known: ReadonlyMap<string, BasisEntry>): OutputNode {
  if (Array.isArray(value))
    return { kind: 'list', elements: value.map((inner, i) => nodeOf(inner, `${path}/${i}`, known)) };
  if (isObject(value)) {
    const members = Object.entries(value).map(([name, inner]) => {
      const key = name.replaceAll('~', '~0').replaceAll('/', '~1');
      return { name, label: labelOf(name), node: nodeOf(inner, `${path}/${key}`, known) };
    });
    return { kind: 'object', members };
  }
  const isScalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return { kind: 'leaf', value: isScalar ? value : null, basis: known.get(path) };
}

/** What a value is based on, without the name of its record. */
export function basisText({ kind, field, step_index }: BasisEntry): string {
  const step = step_index === undefined ? '' : ` step ${step_index + 1}`;
  switch (kind) {
    case 'record':
      return `field ${field} of the record, as the run read it`;
    case 'group':
      return `${field} of a group of records, from${step}`;
    case 'count':
      return step === '' ? 'counted by the service' : `the number of items of${step}, counted by the service`;
    case 'model':
      return field === undefined ? 'written by a model' : `field ${field}, written by a model in${step}`;
  }
}
