// Whether a write changes a record: its content without its times.
import type { Entity } from '#contract/entities.ts';
import { canonicalJson } from '#platform/crypto.ts';

/** Whether a record has the content of another one. */
export const hasContentOf = (before: Entity | undefined, record: Entity): boolean =>
  before !== undefined && contentOf(before) === contentOf(record);

/** Text that is equal for equal content. */
function contentOf({ type, name, fields, external_uri, external_id, source }: Entity): string {
  return canonicalJson({ type, name, fields, external_uri, external_id, source });
}
