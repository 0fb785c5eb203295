// Loaded before the tests of a file: lets the store of this process use a table that a test opens, in place of an address.
import type { ClientSettings } from '#platform/aws-client.ts';
import type { TableService } from '../../lib/local/dynamodb/engine/table-service.ts';
import { tableClient } from '../../lib/local/lambda/host/in-process-client.ts';

type Perform = TableService['perform'];

let present: Perform | undefined;

/** Lets the store use the table named `Table` from now on; `perform` carries its operations out. */
export function storeOn(perform: Perform): void {
  present = perform;
  Object.assign(process.env, {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    TABLE_NAME: 'Table',
  });
}

const table: ClientSettings = Object(
  tableClient(async (operation, input) => {
    if (!present) throw new Error('no test has opened a table');
    return present(operation, input);
  }),
);

// The client of the store is made when its module is loaded, which is before a test can say anything.
globalThis.awsInProcess = (service) => (service === 'dynamodb' ? table : {});
