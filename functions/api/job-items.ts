// The items in the body of a message about a job.
import type * as z from 'zod';
import { memberOf } from '#contract/json.ts';
import type { SourceItem } from '#contract/live-sources.ts';
import { itemsFault } from '#domain/sources/source-pages.ts';
import { check, invalid, shownAt } from '#edge/check-schema.ts';

/**
 * The body, checked. Throws as `check` does, and schema_validation_failed with the place of the first item that could
 * be no record (rules.md: jobs 6).
 */
export function withItems<T extends { items?: SourceItem[] | undefined }>(
  schema: z.ZodType<T>,
  body: unknown,
): T {
  const sent = check(schema, body);
  const fault = itemsFault(memberOf(body, 'items'), sent.items ?? []);
  if (!fault) return sent;
  const message = fault.message.replace(/^[\s:.]+/, '');
  const expected = 'an item that a record could be';
  throw invalid(fault.path.join('.'), {
    code: 'custom',
    expected,
    received: shownAt(body, fault.path),
    message,
    path: fault.path,
  });
}
