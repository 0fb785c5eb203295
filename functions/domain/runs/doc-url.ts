// Address of the page that explains an error code.
import type { ErrorCode } from '#contract/errors.ts';
import { env } from '#platform/env.ts';

/** The `doc_url` of a code (Contract 4.1). */
export function docUrl(code: ErrorCode): string {
  return `${env('SITE_URL')}/docs/errors#${code}`;
}
