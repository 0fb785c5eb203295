// The items in the body of a message about a job.
import { memberOf } from '#contract/json.ts';
import type { SourceItem } from '#contract/live-sources.ts';
import { itemsFault } from '#domain/sources/source-pages.ts';
import { invalid } from '#edge/check-schema.ts';

/** Throws schema_validation_failed with the place of the first item that could be no record (rules.md: jobs 6). */
export function checkItems(body: unknown, items: readonly SourceItem[] = []): void {
  const fault = itemsFault(memberOf(body, 'items'), items);
  if (!fault) return;
  const message = fault.message.replace(/^[\s:.]+/, '');
  const expected = 'an item that a record could be';
  throw invalid(fault.path.join('.'), {
    code: 'custom',
    expected,
    received: 'another one',
    message,
    path: fault.path,
  });
}
