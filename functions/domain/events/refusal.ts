// How a place in a log that this service never named is refused.
import { fail } from '#contract/errors.ts';

/** schema_validation_failed for one query parameter (Spec: Errors). */
export function notOfThisRun(param: 'cursor' | 'last_event_id', message: string): Error {
  const expected = param === 'cursor' ? 'a cursor of this run' : 'the id of an event of this run';
  const issue = { code: 'custom', expected, received: 'string', path: [param], message };
  return fail('schema_validation_failed', { param, message, details: { issues: [issue] } });
}
