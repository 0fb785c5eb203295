// An index that cannot catch up with the table in time, and what a request replies then.
import { fail } from '#contract/errors.ts';

/** The index could not apply all changes in time. A retry helps: it continues where this attempt ended. */
export class RecordsBehind extends Error {
  constructor(workspaceId: string) {
    super(`the record index of workspace ${workspaceId} is behind the table`);
    this.name = 'RecordsBehind';
  }
}

/**
 * How long a request waits for the index. A step can be retried, a request cannot, and the rest of its 45 s may be a
 * model's.
 */
export const REQUEST_WAIT_MS = 15_000;

/** The error of a request whose wait failed: 504 upstream_timeout when the index is behind, else the error itself. */
export function requestError(error: unknown): unknown {
  if (!(error instanceof RecordsBehind)) return error;
  return fail('upstream_timeout', { details: { dependency: 'records', timeout_ms: REQUEST_WAIT_MS } });
}
