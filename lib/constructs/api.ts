// The REST API: the routes of the contract, the functions behind them, and the gateway's own responses and access log.
import { Aws, Duration, Fn } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  EndpointType,
  LambdaIntegration,
  LogGroupLogDestination,
  type MethodDeploymentOptions,
  MethodLoggingLevel,
  ResponseTransferMode,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import type { Key } from 'aws-cdk-lib/aws-kms';
import { type FunctionUrl, FunctionUrlAuthType, InvokeMode } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import {
  type HttpFunction,
  httpFunctions,
  type Route,
  routeNames,
  routes,
} from '../../functions/contract/routes.ts';
import { permissions } from '../permissions.ts';
import type { Stage } from '../stage.ts';
import { acknowledge } from './acknowledge.ts';
import { Firewall } from './firewall.ts';
import { addGatewayResponses } from './gateway-responses.ts';
import { fixLogicalId } from './logical-id.ts';
import { logGroupProps } from './logs.ts';
import { ServiceFunction, type ServiceFunctionProps } from './service-function.ts';

/** The stage's name is the first segment of every path of the contract. */
const STAGE_NAME = 'api';
/** The gateway times out later than a streaming function, so the function ends first. */
const GATEWAY_SLACK_SECONDS = 5;

/** No headers and no raw URI: its query may contain an event token. */
const accessLogFormat = AccessLogFormat.custom(
  JSON.stringify({
    request_id: '$context.requestId',
    xray_trace_id: '$context.xrayTraceId',
    method: '$context.httpMethod',
    path: '$context.resourcePath',
    status: '$context.status',
    error: '$context.error.responseType',
    latency_ms: '$context.responseLatency',
    integration_latency_ms: '$context.integration.latency',
    response_bytes: '$context.responseLength',
    ip: '$context.identity.sourceIp',
    at: '$context.requestTimeEpoch',
  }),
);

const reasons = {
  APIG2: 'The functions check requests themselves: the gateway would answer outside the published errors.',
  APIG3:
    'A firewall is a setting: without one, throttling bounds the load, and every body is checked before it costs anything.',
  APIG4:
    'Bearer keys, event tokens and signatures are checked by the functions, which answer in the error envelope.',
  APIG6:
    'Execution logs would write queries, and with them event tokens; the access log has what operation needs.',
  COG4: 'Callers are programs with API keys, not users of a Cognito pool.',
  'IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]':
    'The account-wide role by which API Gateway writes logs is defined by AWS.',
};

/** The REST API. It is created before the functions, which need its URL; `addRoutes` connects them. */
export class Api extends Construct {
  readonly rest: RestApi;
  /** URL of the service without a trailing slash: `{siteUrl}/v1`, `{siteUrl}/docs`. */
  readonly siteUrl: string;
  /** The same URL on AWS's domain, whatever domain is in front of it. */
  private readonly stageUrl: string;
  private readonly firewall: Firewall | undefined;

  constructor(scope: Construct, id: string, stage: Stage, dataKey: Key) {
    super(scope, id);
    const accessLog = new LogGroup(this, 'AccessLog', logGroupProps(stage, dataKey));
    this.rest = new RestApi(this, 'Rest', {
      restApiName: Aws.STACK_NAME,
      endpointTypes: [EndpointType.REGIONAL],
      binaryMediaTypes: ['*/*'],
      cloudWatchRole: stage.api_gateway_log_role,
      deployOptions: {
        stageName: STAGE_NAME,
        accessLogDestination: new LogGroupLogDestination(accessLog),
        accessLogFormat,
        tracingEnabled: true,
        ...throttledAt(stage.requests_per_second),
        methodOptions: routeThrottles(stage),
      },
    });
    // Clients know a URL that contains it.
    fixLogicalId(this.rest, 'RestApi');
    const host = Fn.join('.', [this.rest.restApiId, 'execute-api', Aws.REGION, Aws.URL_SUFFIX]);
    this.stageUrl = `https://${host}/${STAGE_NAME}`;
    this.siteUrl = stage.site_url ?? this.stageUrl;
    addGatewayResponses(this.rest, this.siteUrl);
    acknowledge(this.rest, reasons);
    if (stage.waf_requests_per_5_minutes !== undefined)
      this.firewall = new Firewall(this, 'Firewall', this.rest.deploymentStage, {
        requestsPer5Minutes: stage.waf_requests_per_5_minutes,
        addressHeader: stage.waf_address_header,
      });
  }

  /** Connects the routes of the contract with functions; returns the URL at which browsers read the event stream. */
  addRoutes(props: ServiceFunctionProps): FunctionUrl {
    const made = new Map(httpFunctions.map((name) => [name, new ServiceFunction(this, name, props)]));
    const functionOf = (name: HttpFunction) => {
      const fn = made.get(name);
      if (!fn) throw new Error(`there is no function ${name}`);
      return fn;
    };
    const integrations = new Map(httpFunctions.map((name) => [name, integrationOf(name, functionOf(name))]));
    for (const [folder, methods] of methodsByFolder())
      for (const [method, name] of methods)
        this.rest.root.resourceForPath(folder).addMethod(method, integrations.get(name));
    const stream = functionOf('Stream').addFunctionUrl({
      authType: FunctionUrlAuthType.NONE,
      invokeMode: InvokeMode.RESPONSE_STREAM,
    });
    // The reply to a request for an event token has the URL; the console's policy lets browsers connect to it.
    for (const name of ['Read', 'Site'] as const) functionOf(name).addEnvironment('STREAM_URL', stream.url);
    const mcp = functionOf('Mcp');
    mcp.addEnvironment('BASE_URL', `${this.stageUrl}/v1`);
    if (this.firewall) mcp.addEnvironment('FIREWALL_PASS', this.firewall.pass);
    return stream;
  }
}

function integrationOf(name: HttpFunction, fn: ServiceFunction): LambdaIntegration {
  const seconds = (permissions[name].timeout_seconds ?? 10) + GATEWAY_SLACK_SECONDS;
  return new LambdaIntegration(fn.called, {
    // One permission per method would exceed the 20 KB of the function's policy.
    scopePermissionToMethod: false,
    ...(streams(name) && {
      responseTransferMode: ResponseTransferMode.STREAM,
      timeout: Duration.seconds(Math.max(seconds, 29)),
    }),
  });
}

/** Whether a function streams its replies: all of its routes do, or none. */
const streams = (name: HttpFunction) =>
  routeNames.some((route) => routes[route].function === name && 'streaming' in routes[route]);

/**
 * The methods of each path and the functions behind them. `ANY` takes what no route has, because the gateway's own
 * response could not carry the caller's request id (rules.md: request 3): to the function of the path's GET, whose HEAD
 * it is, below the base address to the one that reads, else to the site.
 */
function methodsByFolder(): Map<string, Map<string, HttpFunction>> {
  const folders = new Map<string, Map<string, HttpFunction>>();
  const add = (folder: string, method: string, name: HttpFunction) =>
    folders.set(folder, new Map(folders.get(folder)).set(method, name));
  for (const folder of foldersOf(['/', '/{proxy+}', ...declared().map(({ folder }) => folder)]))
    add(folder, 'ANY', folder.startsWith('/v1/') ? 'Read' : 'Site');
  for (const { folder, route } of declared()) {
    const { method, function: name } = route;
    if (method === 'GET' || route.any_method) add(folder, 'ANY', name);
    if (name !== 'Site' && !route.any_method) add(folder, method, name);
  }
  return folders;
}

/** Every path of the contract, below the stage. */
const declared = () =>
  Object.values<Route>(routes).flatMap((route) =>
    [route.path, ...(route.also ?? [])].map((path) => ({ folder: resourcePath(path), route })),
  );

/** These paths and the ones above them. */
function foldersOf(paths: readonly string[]): Set<string> {
  return new Set(
    paths.flatMap((path) => {
      const parts = path.split('/').slice(1);
      return parts.map((_, depth) => `/${parts.slice(0, depth + 1).join('/')}`);
    }),
  );
}

/** Method settings. Those of a single method replace the stage's entirely. */
function throttledAt(requestsPerSecond: number): MethodDeploymentOptions {
  return {
    loggingLevel: MethodLoggingLevel.OFF,
    dataTraceEnabled: false,
    // Metrics by method are billed each, over 70 methods; alarms and the dashboard use those of the whole stage.
    metricsEnabled: false,
    throttlingRateLimit: requestsPerSecond,
    throttlingBurstLimit: 2 * requestsPerSecond,
  };
}

/** The throttles of single routes. What a path has besides, like HEAD, counts in a bucket of the same size. */
function routeThrottles(stage: Stage): Record<string, MethodDeploymentOptions> {
  const throttled = routeNames.flatMap((name) => {
    const route: Route = routes[name];
    const rate = stage.route_requests_per_second[name];
    return rate === undefined
      ? []
      : [route.path, ...(route.also ?? [])].flatMap((path) =>
          methodsOf(route).map((method) => [`${resourcePath(path)}/${method}`, throttledAt(rate)] as const),
        );
  });
  return Object.fromEntries(throttled);
}

/** The methods by which the gateway knows a route. */
function methodsOf({ method, any_method, function: name }: Route): string[] {
  if (any_method || name === 'Site') return ['ANY'];
  return method === 'GET' ? ['GET', 'ANY'] : [method];
}

/** A route's path below the stage. */
const resourcePath = (path: string) => path.replace(`/${STAGE_NAME}/`, '/');
