// Which params of a step come first, and what a schema's values are.
import * as z from 'zod';
import type { ParamsOf, StepKind } from '../contract.ts';

/** The params of each kind that most steps need; the others are shown on request. */
export const mainFields: { [K in StepKind]: readonly (keyof ParamsOf<K>)[] } = {
  fetch: ['source', 'where', 'limit'],
  vector_search: ['query', 'source', 'limit'],
  filter: ['limit_to'],
  transform: ['output_fields'],
  analyze: ['focus'],
  discover: ['query', 'limit'],
  reconstitute: ['expected_artifacts'],
  inject_context: ['text', 'entities'],
};

/** The kinds whose instructions a model reads. */
export const readsInstructions: ReadonlySet<StepKind> = new Set([
  'filter',
  'transform',
  'analyze',
  'reconstitute',
]);

/** What the values of a schema are: the schema's own name, else their type; `number[]` for lists of numbers. */
export function valuesOf(schema: z.core.$ZodType): string {
  if (schema instanceof z.ZodOptional) return valuesOf(schema.unwrap());
  const { id } = z.globalRegistry.get(schema) ?? {};
  if (id !== undefined) return id;
  return schema instanceof z.ZodArray ? `${valuesOf(schema.element)}[]` : schema._zod.def.type;
}
