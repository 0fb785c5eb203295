// Runs one function, named itself or by one of its routes, on an event file against a running local service:
// `npm run invoke -- CreateRun events/….json`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { messageOf, objectAt, optionalString, parseObject, stringAt } from '../lib/local/json-values.ts';
import { SetupError } from '../lib/local/setup-error.ts';
import { fillEvent, readableAnswer } from './invoke/event-file.ts';
import { functionNamed } from './invoke/function-named.ts';

const USAGE = 'usage: npm run invoke -- <RouteOrFunction> <event.json> [--set NAME=VALUE]… [--data-dir D]';
const HELP = `${USAGE}

Runs one function of the running local service on an event, and prints its answer.

  <RouteOrFunction>   such as CreateRun or DeliverWebhook; npm run routes lists the routes
  <event.json>        a file of events/, such as events/api-gateway/create-run-plan.json
  --set NAME=VALUE    a value for {{NAME}} in the event; API_KEY and WORKSPACE_ID are those of the demo workspace
  --data-dir D        the data folder of the service; default .local
`;

interface Asked {
  /** Of a route, or of a function. */
  name: string;
  eventFile: string;
  dataDir: string;
  /** `NAME=VALUE` for the event's `{{NAME}}`; the demo workspace and its key need no value. */
  set: string[];
}

/** Prints the function's answer as JSON on stdout. An error of the function goes to stderr, with exit code 1. */
async function invoke({ name, eventFile, dataDir, set }: Asked): Promise<void> {
  const access = parseObject(
    read(join(dataDir, 'aws.json'), 'is the service running? (npm start)'),
    'aws.json',
  );
  const text = fillEvent(read(eventFile, 'the event cannot be read'), { ...demoOf(dataDir), ...pairs(set) });
  const event = parseObject(text, eventFile);
  const physicalName = optionalString(objectAt(access.functions, 'aws.json functions')[functionNamed(name)]);
  if (physicalName === undefined) throw new SetupError(`there is no route or function ${name}`);
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
  const answer = readableAnswer(Buffer.from(reply.Payload ?? []).toString());
  if (reply.FunctionError === undefined) process.stdout.write(`${answer}\n`);
  else {
    process.stderr.write(`${answer}\n`);
    process.exitCode = 1;
  }
}

/** The demo workspace and its key, if there is one. */
function demoOf(dataDir: string): Record<string, string> {
  const local = parseObject(
    read(join(dataDir, 'local.json'), 'is the service running? (npm start)'),
    'local.json',
  );
  const key = optionalString(local.api_key);
  const workspace = optionalString(local.workspace_id);
  return { ...(key && { API_KEY: key }), ...(workspace && { WORKSPACE_ID: workspace }) };
}

function pairs(set: string[]): Record<string, string> {
  const found = set.map((pair) => {
    const at = pair.indexOf('=');
    if (at < 1) throw new SetupError(`--set ${pair}: write NAME=VALUE`);
    return [pair.slice(0, at), pair.slice(at + 1)] as const;
  });
  return Object.fromEntries(found);
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
    options: {
      'data-dir': { type: 'string', default: '.local' },
      set: { type: 'string', multiple: true, default: [] },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const [name, eventFile] = positionals;
  if (values.help) process.stdout.write(HELP);
  else if (name === undefined || eventFile === undefined || positionals.length > 2)
    throw new SetupError(USAGE);
  else await invoke({ name, eventFile, dataDir: values['data-dir'], set: values.set });
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 2;
}
