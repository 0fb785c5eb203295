// The local cloud: starts everything that a synthesized stack needs, in order, and stops it.
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFunctionUrls } from '../api-gateway/function-urls.ts';
import { createGateway, type Served } from '../api-gateway/gateway.ts';
import { localResponses } from '../api-gateway/gateway-response.ts';
import { type RestApi, readRestApi } from '../api-gateway/rest-api.ts';
import { closeServer, type EndpointOptions, openEndpoint } from '../aws-endpoint/endpoint-server.ts';
import type { AwsService } from '../aws-service.ts';
import { awsServices } from '../aws-services.ts';
import { messageOf } from '../json-values.ts';
import { collectMetrics } from '../metrics/metrics.ts';
import { SetupError } from '../setup-error.ts';
import type { StageSettings } from '../template/settings.ts';
import { loadStack, type Stack } from '../template/template.ts';
import { openServices, type Services, type Stop } from './open-services.ts';

export interface RuntimeOptions {
  /** Folder of all state; must exist. */
  dataDir: string;
  /** Resolves to the folder of a cloud assembly; called once the port is bound. */
  cloudAssembly: () => Promise<string>;
  /** What the template is to say of models and traces; by default the offline model, and no collector. */
  settings?: StageSettings;
  host?: string;
  /** 0: any free port. */
  port?: number;
  dynamodbEndpoint?: string | undefined;
  /** Variables for every function, in addition to the template's. */
  extraEnv?: Record<string, string>;
  /**
   * Beyond this many threads, idle ones end, and the others collect their garbage; by default recently used ones stay
   * as they are, which costs memory and saves the processor.
   */
  threadLimit?: number;
  /** Serves `GET /metrics`, which has these endpoints of models from the start. */
  metrics?: { models: readonly string[] } | undefined;
  /** The AWS services; all of them by default. */
  services?: readonly AwsService[];
  /** Completes the start once everything runs. No request is answered before; when it rejects, the start fails. */
  prepare?: (started: Started) => Promise<void>;
  /** The key of a demo workspace, once the start is complete; for the console alone (rules.md: local 19). */
  demoKey?: () => string | undefined;
  /** Called when a service's data is lost for good: nothing can be served any more. */
  lost?: (reason: string) => void;
}

/** A runtime, but for its end. */
export interface Started extends Services {
  /** `http://HOST:PORT`, and the same with `/api/v1`. */
  site_url: string;
  base_url: string;
  stack: Stack;
}

export interface Runtime extends Started {
  /** Stops everything within moments. Unfinished executions start again with the service. Safe to repeat. */
  stop(): Promise<void>;
}

const DEFAULT_HOST = '127.0.0.1';
/** Time for requests in flight while the service stops; the whole stop takes at most 5 s. */
const DRAIN_MS = 4_000;

/** Starts the runtime. Throws SetupError for what the user can correct, with nothing left running. */
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

async function startParts(options: RuntimeOptions, stops: Stop[]): Promise<Started> {
  const { extraEnv = {}, services = awsServices, settings = {} } = options;
  const { threadLimit = Number.POSITIVE_INFINITY, lost = () => {} } = options;
  const { promise: loaded, resolve: setLoaded } = Promise.withResolvers<Served>();
  const { server, drain } = createGateway(loaded);
  const siteUrl = await listen(server, options);
  stops.push(() => closeServer(server));
  const { promise: endpointOptions, resolve: setEndpointOptions } = Promise.withResolvers<EndpointOptions>();
  const { url: endpointUrl, close } = await openEndpoint(endpointOptions);
  stops.push(close);
  const assembly = await options.cloudAssembly();
  const addresses = { siteUrl, endpointUrl };
  const stack = loadStack(assembly, addresses, services, settings);
  const api = withLocalResponses(readRestApi(stack), siteUrl);
  const urls = readFunctionUrls(stack);
  const { endpoint, ...opened } = await openServices(
    { ...options, services, stack, endpointUrl, extraEnv, threadLimit, lost },
    stops,
  );
  const { lambda } = opened;
  setEndpointOptions(endpoint);
  const metrics = options.metrics && collectMetrics(lambda.open, options.metrics.models);
  stops.push(async () => metrics?.stop());
  const running = [...opened.services.values()];
  const answers = async () =>
    (await Promise.all(running.map((one) => one.answers?.() ?? true))).every(Boolean);
  for (const { begin, halt } of running) {
    begin?.();
    if (halt) stops.push(halt);
  }
  stops.push(() => drain(DRAIN_MS));
  const started = {
    site_url: siteUrl,
    base_url: `${siteUrl}/${api.stage}/v1`,
    stack,
    ...opened,
  };
  await options.prepare?.(started);
  setLoaded({
    api,
    lambda,
    urls,
    host: options.host ?? DEFAULT_HOST,
    answers,
    metrics: metrics?.page,
    demoKey: options.demoKey?.(),
  });
  return started;
}

function withLocalResponses(api: RestApi, siteUrl: string): RestApi {
  return { ...api, responses: new Map([...api.responses, ...localResponses(siteUrl)]) };
}

/** Binds the port first, so that a port in use is reported at once. */
async function listen(server: Server, options: RuntimeOptions): Promise<string> {
  const { host = DEFAULT_HOST, port = 0 } = options;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject).listen(port, host, resolve);
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
  const taken = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${taken.port}`;
}

function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= work();
    return running;
  };
}
