// Address of the page that explains an error code.
import type { ErrorCode } from '#contract/errors.ts';
import { env } from '#platform/env.ts';

/** The `doc_url` of a code (rules.md: errors 4). */
export function docUrl(code: ErrorCode): string {
  return `${env('SITE_URL')}/docs/errors#${code}`;
}
