// Runs one function on an event file against a running local service: `npm run invoke -- CreateRun events/….json`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { messageOf, objectAt, optionalString, parseObject, SetupError, stringAt } from '../lib/local/json.ts';

const USAGE = 'usage: npm run invoke -- <FunctionName> <event.json> [--data-dir D]';

/** Prints the function's answer as JSON on stdout; a failure of the function goes to stderr and gives exit code 1. */
async function invoke(functionName: string, eventFile: string, dataDir: string): Promise<void> {
  const access = parseObject(
    read(join(dataDir, 'aws.json'), 'is the service running? (npm start)'),
    'aws.json',
  );
  const event = parseObject(read(eventFile, 'the event cannot be read'), eventFile);
  const physicalName = optionalString(objectAt(access.functions, 'aws.json functions')[functionName]);
  if (physicalName === undefined) throw new SetupError(`there is no function ${functionName}`);
  const client = new LambdaClient({
    endpoint: stringAt(access.lambda_endpoint, 'aws.json'),
    region: stringAt(access.region, 'aws.json'),
    credentials: {
      accessKeyId: stringAt(access.access_key_id, 'aws.json'),
      secretAccessKey: stringAt(access.secret_access_key, 'aws.json'),
    },
  });
  const reply = await client.send(
    new InvokeCommand({ FunctionName: physicalName, Payload: JSON.stringify(event) }),
  );
  const text = Buffer.from(reply.Payload ?? []).toString();
  if (reply.FunctionError === undefined) process.stdout.write(`${text}\n`);
  else {
    process.stderr.write(`${text}\n`);
    process.exitCode = 1;
  }
}

function read(file: string, otherwise: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new SetupError(`${file}: ${otherwise}`);
  }
}

try {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { 'data-dir': { type: 'string', default: '.local' } },
  });
  const [functionName, eventFile] = positionals;
  if (functionName === undefined || eventFile === undefined || positionals.length > 2)
    throw new SetupError(USAGE);
  await invoke(functionName, eventFile, values['data-dir']);
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 2;
}
