// The places of an `output_schema` as JSON Pointers.
import { type OutputSchema, outputLimits, typeOf } from '#contract/output-schema.ts';

/** Stands for the index of any element. */
export const ANY = '*';
const INDEX = /^(0|[1-9]\d{0,3})$/;

/** The index of an element; undefined for what is none, and beyond the most elements. */
export function indexOf(key: string): number | undefined {
  const index = INDEX.test(key) ? Number(key) : undefined;
  return index !== undefined && index < outputLimits.elements_max ? index : undefined;
}

/** The schema of a place; undefined if the schema has no such place. `any`: an index is `*`. */
export function schemaAt(root: OutputSchema, keys: string[], any: boolean): OutputSchema | undefined {
  let here: OutputSchema | undefined = root;
  for (const key of keys) {
    if (!here) return undefined;
    if (typeOf(here) === 'array')
      here = (any ? key === ANY : indexOf(key) !== undefined) ? here.items : undefined;
    else here = here.properties && Object.hasOwn(here.properties, key) ? here.properties[key] : undefined;
  }
  return here;
}
