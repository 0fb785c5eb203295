// An item as a step saves it: a checkpoint stores its items, so only those of a run that asks keep outside names.
import type { OutputSchema } from '#contract/output-schema.ts';
import { sameName } from './output/read-field.ts';
import type { Item, StepContext } from './step.ts';

/** The item without its outside names, but with `external_uri` if the run's `output_schema` has such a property. */
export function savedItem<T extends Item>(
  { external_uri, external_id, source, ...item }: T,
  { output_schema }: Pick<StepContext['run'], 'output_schema'>,
): Omit<T, 'external_uri' | 'external_id' | 'source'> & Pick<Item, 'external_uri'> {
  const keeps = external_uri !== undefined && output_schema && asksForUri(output_schema);
  return keeps ? { ...item, external_uri } : item;
}

function asksForUri({ properties = {}, items }: OutputSchema): boolean {
  const asked = Object.entries(properties).some(
    ([name, inner]) => sameName(name, 'external_uri') || asksForUri(inner),
  );
  return asked || (items !== undefined && asksForUri(items));
}
