// A live source as a type of the outline, for those who read conditions.
import type { DescribedSource } from '#contract/live-sources.ts';
import type { Outline } from '#contract/record-queries.ts';

const kinds = { string: 'text', number: 'number', boolean: 'boolean' } as const;

/** The outline of a source alone: its items may have fields besides those that it describes. */
export function shapeOfSource({ entity_type, fields }: DescribedSource): Outline {
  const described = fields.map(({ name, kind }) => ({ path: name, kinds: [kinds[kind]], samples: [] }));
  return { types: [{ type: entity_type, count: 0, fields: described }] };
}

/** The live source of an outline by its name. */
export const sourceNamed = ({ sources = [] }: Outline, name: unknown): DescribedSource | undefined =>
  sources.find((source) => source.name === name);
