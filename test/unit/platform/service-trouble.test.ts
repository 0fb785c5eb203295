// Which errors of AWS services pass by themselves, and the name under which a task hands them to its machine.
import { expect, test } from 'vitest';
import { RunKey } from '../../../functions/contract/run-keys.ts';
import { task } from '../../../functions/jobs/task.ts';
import { isServiceTrouble } from '../../../functions/platform/service-trouble.ts';

const awsError = (name: string, httpStatusCode?: number) =>
  Object.assign(new Error('m'), { name, $metadata: { attempts: 5, httpStatusCode } });

test.each([
  ['no answer at all', awsError('TimeoutError')],
  ['an error of the service', awsError('InternalServerError', 500)],
  ['a table that is throttled', awsError('ProvisionedThroughputExceededException', 400)],
  ['a key that is throttled', awsError('ThrottlingException', 400)],
  ['a transaction that met others again and again', awsError('TransactionCanceledException', 400)],
  ['a single write that met a transaction', awsError('TransactionConflictException', 400)],
])('%s is trouble that passes', (_, error) => {
  expect(isServiceTrouble(error)).toBe(true);
});

test.each([
  ['a request that is wrong', awsError('ValidationException', 400)],
  ['a right that is missing', awsError('AccessDeniedException', 400)],
  ['an error of our own', new TypeError('m')],
  ['no error', 'text'],
])('%s is not', (_, error) => {
  expect(isServiceTrouble(error)).toBe(false);
});

test('a task throws trouble under one name, and other errors unchanged', async () => {
  const handler = (error: Error) =>
    task(RunKey, () => Promise.reject(error))({ workspace_id: 'w', run_id: 'r' });
  await expect(handler(awsError('InternalServerError', 500))).rejects.toMatchObject({
    name: 'ServiceTrouble',
    message: 'InternalServerError: m',
  });
  await expect(handler(new TypeError('ours'))).rejects.toMatchObject({ name: 'TypeError' });
});
