// The local cloud: starts everything a synthesized stack needs on one machine, in order, and stops it all once.
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGateway, type Served } from '../api-gateway/gateway.ts';
import { readRestApi } from '../api-gateway/rest-api.ts';
import { closeServer, type EndpointOptions, openEndpoint } from '../aws-endpoint/endpoint-server.ts';
import { connectDynamoDb, startDynamoDb } from '../dynamodb/dynamodb-engine.ts';
import { startSchedules } from '../eventbridge/schedules.ts';
import { messageOf, SetupError } from '../json-values.ts';
import { startEventSources } from '../sqs/event-source.ts';
import { loadStack, type Stack } from '../template/template.ts';
import { type Services, type Stop, startServices } from './open-services.ts';

export interface RuntimeOptions {
  /** Folder of all state; must exist. */
  dataDir: string;
  /** Resolves to the folder of a cloud assembly with `<stackName>.template.json`; called once the port is taken. */
  cloudAssembly: () => Promise<string>;
  stackName?: string;
  host?: string;
  /** 0: any free port. */
  port?: number;
  /** Check every SDK call against the calling function's role, and count it. Costs a hop per DynamoDB call. */
  checkRoles?: boolean;
  dynamodbEndpoint?: string | undefined;
  /** Variables that every function gets beyond the template's. */
  extraEnv?: Record<string, string>;
  /** Functions that are started before the runtime says it is ready. */
  warm?: string[];
}

export interface Runtime extends Services {
  /** `http://HOST:PORT`, and the same with `/api/v1`. */
  site_url: string;
  base_url: string;
  stack: Stack;
  /** Ends everything within moments; unfinished executions go on after the next start. Safe to repeat. */
  stop(): Promise<void>;
}

const DRAIN_MS = 1_000;

/** Starts the runtime. Throws SetupError for whatever a person can mend; nothing is left running then. */
export async function startRuntime(options: RuntimeOptions): Promise<Runtime> {
  const stops: Stop[] = [];
  const stop = once(async () => {
    for (const end of stops.reverse()) await end();
  });
  try {
    return { ...(await startParts(options, stops)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startParts(options: RuntimeOptions, stops: Stop[]): Promise<Omit<Runtime, 'stop'>> {
  const { dynamodbEndpoint, dataDir, checkRoles: guarded = false, extraEnv = {} } = options;
  const { promise: served, resolve: serve } = Promise.withResolvers<Served>();
  const gateway = createGateway(served);
  const siteUrl = await listen(gateway, options);
  stops.push(() => closeServer(gateway));
  const assembly = options.cloudAssembly();
  // Heard of below: a failed synth must not leave an engine behind that is just starting.
  assembly.catch(() => {});
  const foreignEngine = dynamodbEndpoint !== undefined;
  const dynamodb = foreignEngine ? connectDynamoDb(dynamodbEndpoint) : await startDynamoDb(dataDir);
  stops.push(dynamodb.stop);
  const { promise: doorOptions, resolve: openFor } = Promise.withResolvers<EndpointOptions>();
  const door = await openEndpoint(doorOptions);
  stops.push(door.close);
  const endpointUrl = door.url;
  const stack = loadStack(await assembly, options.stackName ?? 'RunService', {
    siteUrl,
    endpointUrl,
  });
  const api = readRestApi(stack);
  const started = await startServices(
    { stack, dataDir, dynamodb, endpointUrl, guarded, foreignEngine, extraEnv },
    stops,
  );
  const { services } = started;
  openFor(started.door);
  await Promise.all((options.warm ?? []).filter(services.lambda.has).map(services.lambda.warm));
  serve({ api, lambda: services.lambda, urls: urlFunctions(stack) });
  services.states.resume();
  stops.push(
    startEventSources(stack, services.queues, services.lambda),
    startSchedules(stack, services.lambda),
  );
  stops.push(() => drain(gateway));
  return { site_url: siteUrl, base_url: `${siteUrl}/${api.stage}/v1`, stack, ...services };
}

/** Names of the functions that have a URL. Throws SetupError for settings that the runtime does not know. */
function urlFunctions(stack: Stack): Set<string> {
  const urls = stack.ofType('AWS::Lambda::Url');
  const other = urls.find(
    ({ properties }) => properties.Cors !== undefined || properties.InvokeMode !== 'RESPONSE_STREAM',
  );
  if (other)
    throw new SetupError(
      `${other.id}: the local runtime knows function URLs only in RESPONSE_STREAM mode without Cors`,
    );
  return new Set(urls.map(({ attributes }) => attributes.ref.split(':').at(-1) ?? ''));
}

/** Takes no new connection and gives requests in hand a moment to be answered; open streams are cut after it. */
async function drain(gateway: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  gateway.close(() => resolve());
  gateway.closeIdleConnections();
  const timer = setTimeout(resolve, DRAIN_MS);
  await promise;
  clearTimeout(timer);
}

/** Takes the port first: a port in use must be told before anything else is done. */
async function listen(gateway: Server, options: RuntimeOptions): Promise<string> {
  const { host = '127.0.0.1', port = 0 } = options;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  gateway.once('error', reject).listen(port, host, resolve);
  try {
    await promise;
  } catch (error) {
    const inUse = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    throw new SetupError(
      inUse
        ? `port ${port} on ${host} is in use: pass another --port`
        : `cannot listen on ${host} port ${port}: ${messageOf(error)}`,
    );
  }
  const taken = gateway.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${taken.port}`;
}

function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= work();
    return running;
  };
}
