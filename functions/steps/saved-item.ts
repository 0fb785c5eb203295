// An item as a step saves it: a checkpoint stores its items, so only those of a run that asks keep outside names.
import type { OutputSchema } from '#contract/output-schema.ts';
import { sameName } from './output/read-field.ts';
import type { Item, StepContext } from './step.ts';

type OutsideName = 'external_uri' | 'external_id' | 'source';

/**
 * The item without its outside names, but with `external_uri` if the run's `output_schema` has such a property; that of
 * a live source with all of them.
 */
export function savedItem<T extends Item>(
  whole: T,
  { output_schema }: Pick<StepContext['run'], 'output_schema'>,
): Omit<T, OutsideName> & Pick<Item, OutsideName> {
  if (whole.kind === 'external') return whole;
  const { external_uri, external_id, source, ...item } = whole;
  const keeps = external_uri !== undefined && output_schema && asksForUri(output_schema);
  return keeps ? { ...item, external_uri } : item;
}

function asksForUri({ properties = {}, items }: OutputSchema): boolean {
  const asked = Object.entries(properties).some(
    ([name, inner]) => sameName(name, 'external_uri') || asksForUri(inner),
  );
  return asked || (items !== undefined && asksForUri(items));
}
