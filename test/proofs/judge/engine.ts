// `npm run prove -- judge:engine [--operations 100000] [--seed 1] [FILE…]`: AWS's own DynamoDB Local beside the
// embedded engine, then in its place. First random requests of the forms that the store sends, to both; then everything over HTTP, with DynamoDB Local as the engine. Either part alone: `--operations 0` leaves out the
// first, `--only differences` the second; files limit the second to them. Prints JSON; exit code 0 only when all of it
// passes.
import { parseArgs } from 'node:util';
import { startDynamoDbLocal, VERSION } from './dynamodb-local.ts';
import { dynamoDbLocal, embedded } from './engine-forms/engines.ts';
import { judgeForms, type Verdict } from './engine-forms/judge-forms.ts';
import { suiteOn } from './suite.ts';

const { values, positionals: files } = parseArgs({
  allowPositionals: true,
  options: {
    operations: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
  },
});

async function differences(operations: number, seed: number): Promise<Verdict> {
  const [reference, candidate] = [await dynamoDbLocal(), embedded()];
  return judgeForms({ reference, candidate, operations, seed });
}

const operations = Number(values.operations);
const differing = operations > 0 ? await differences(operations, Number(values.seed)) : undefined;
const overHttp =
  values.only === 'differences'
    ? undefined
    : await suiteOn(await startDynamoDbLocal(), { project: 'e2e*', files, workers: 2 });
const verdict = { engine: `DynamoDB Local ${VERSION}`, differences: differing, suite: overHttp };
process.stdout.write(`${JSON.stringify(verdict, undefined, 2)}\n`);
const isAlike = (differing?.differences.length ?? 0) === 0;
const hasPassed = overHttp === undefined || (overHttp.exit_code === 0 && overHttp.failed.length === 0);
process.exitCode = isAlike && hasPassed ? 0 : 1;
