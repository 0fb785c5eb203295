// The error table as a type: `fail` takes the details of the code's own row, no fewer and no others.
import { expect, test } from 'vitest';
import { errorCodes, errors, fail } from '../../../functions/contract/errors.ts';

test('the compiler asks for the details of a code, and refuses those of another', () => {
  fail('plan_too_large', { details: { max_steps: 50, received: 51 } });
  fail('run_not_found', { message: 'No such run.' });
  // @ts-expect-error the details are missing
  fail('plan_too_large');
  // @ts-expect-error a detail is missing
  fail('plan_too_large', { details: { max_steps: 50 } });
  // @ts-expect-error a detail belongs to another code
  fail('plan_too_large', { details: { max_steps: 50, received: 51, limit: 50 } });
  // @ts-expect-error this code has no details
  fail('run_not_found', { details: { run_id: 'r' } });
  // @ts-expect-error one of the two codes needs details
  fail<'run_not_found' | 'plan_too_large'>('plan_too_large');
});

test('an error has the message of its row unless it has its own', () => {
  expect(fail('run_not_found').message).toBe(errors.run_not_found.message);
  expect(fail('run_not_found', { message: 'Gone.' }).message).toBe('Gone.');
});

test('every error of a type has a status of that type', () => {
  const statuses = new Map<string, Set<number>>();
  for (const code of errorCodes)
    statuses.set(errors[code].type, (statuses.get(errors[code].type) ?? new Set()).add(errors[code].status));
  expect(Object.fromEntries([...statuses].map(([type, found]) => [type, [...found]]))).toEqual({
    invalid_request: [400, 408, 413, 415, 421, 422],
    plan_error: [422],
    authentication: [401],
    permission: [403],
    not_found: [404],
    conflict: [409],
    rate_limit: [429],
    internal: [500],
    unavailable: [503],
    timeout: [504],
  });
});
