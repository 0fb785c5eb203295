// The refusal of a parameter that has the right shape, but no meaning here.
import { fail } from '#contract/errors.ts';

/** The error of a parameter whose value only the stored data shows to be wrong. */
export function wrongParam(param: string, expected: string, received: string, message: string): Error {
  const path = param.split('.').map((key) => (/^\d+$/.test(key) ? Number(key) : key));
  const issue = { code: 'custom', expected, received, path, message };
  return fail('schema_validation_failed', { param, details: { issues: [issue] } });
}
