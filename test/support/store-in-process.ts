// Loaded before the tests of a file, by store-before-tests.ts: makes this process's store use a table that the test
// opens, instead of an address.
import type { ClientSettings } from '#platform/aws-client.ts';
import type { TableService } from '../../lib/local/dynamodb/engine/table-service.ts';
import { tableClient, textClient } from '../../lib/local/lambda/host/in-process-client.ts';

type Perform = TableService['perform'];

let present: Perform | undefined;

/** Makes the store use the table named `Table` from now on; `perform` executes its operations. */
export function storeOn(perform: Perform): void {
  present = perform;
  Object.assign(process.env, {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    TABLE_NAME: 'Table',
    RECORDS_FUNCTION: 'Records',
  });
}

const table: ClientSettings = Object(
  tableClient(async (operation, input) => {
    if (!present) throw new Error('no test has opened a table');
    return present(operation, input);
  }),
);

/** The function that reads records, in the test's own process. */
const records: ClientSettings = Object(
  textClient(async ({ body }) => {
    const { handler } = await import('../../functions/jobs/answer-questions.ts');
    return { status: 200, headers: {}, body: JSON.stringify(await handler(JSON.parse(body))) };
  }),
);

// Clients are created when their modules load, before any test code runs.
globalThis.awsInProcess = (service) => {
  if (service === 'dynamodb') return table;
  return service === 'lambda' ? records : {};
};
