// The REST API: one function per route of the contract, and the gateway's own responses and access log.
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
import { type Route, type RouteName, routeNames, routes } from '../../functions/contract/routes.ts';
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
      cloudWatchRole: true,
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

  /** Creates one function per route of the contract; returns the URL at which browsers read the event stream. */
  addRoutes(props: ServiceFunctionProps): FunctionUrl {
    const made = new Map(routeNames.map((name) => [name, this.addRoute(name, props)]));
    const stream = functionOf(made, 'StreamEvents').addFunctionUrl({
      authType: FunctionUrlAuthType.NONE,
      invokeMode: InvokeMode.RESPONSE_STREAM,
    });
    this.answerTheRest(functionOf(made, 'Console'));
    // CreateEventToken returns the URL to clients; the console's policy lets browsers connect to it.
    for (const name of ['CreateEventToken', 'Console'] as const)
      functionOf(made, name).addEnvironment('STREAM_URL', stream.url);
    const door = functionOf(made, 'Mcp');
    door.addEnvironment('BASE_URL', `${this.stageUrl}/v1`);
    if (this.firewall) door.addEnvironment('FIREWALL_PASS', this.firewall.pass);
    return stream;
  }

  /**
   * Routes unknown paths and methods to a function: the gateway's own response could not carry the caller's request id
   * (rules.md: request 3).
   */
  private answerTheRest(fn: ServiceFunction): void {
    // One permission per method would exceed the 20 KB of the function's policy.
    const integration = new LambdaIntegration(fn, { scopePermissionToMethod: false });
    const folders = new Set(['/', '/{proxy+}']);
    for (const { path, also = [] } of Object.values<Route>(routes)) {
      for (const route of [path, ...also]) {
        const parts = route.split('/').slice(2);
        for (let depth = 1; depth <= parts.length; depth += 1)
          folders.add(`/${parts.slice(0, depth).join('/')}`);
      }
    }
    for (const { path, any_method } of Object.values<Route>(routes))
      if (any_method) folders.delete(resourcePath(path));
    for (const folder of folders) this.rest.root.resourceForPath(folder).addMethod('ANY', integration);
  }

  private addRoute(name: RouteName, props: ServiceFunctionProps): ServiceFunction {
    const route: Route = routes[name];
    const fn = new ServiceFunction(this, name, props);
    const seconds = (permissions[name].timeout_seconds ?? 10) + GATEWAY_SLACK_SECONDS;
    const integration = new LambdaIntegration(fn.called, {
      scopePermissionToMethod: false,
      ...(route.streaming && {
        responseTransferMode: ResponseTransferMode.STREAM,
        timeout: Duration.seconds(Math.max(seconds, 29)),
      }),
    });
    for (const path of [route.path, ...(route.also ?? [])]) {
      const resource = this.rest.root.resourceForPath(resourcePath(path));
      for (const method of route.any_method ? ['ANY'] : methodsOf(route))
        resource.addMethod(method, integration);
    }
    return fn;
  }
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

function routeThrottles(stage: Stage): Record<string, MethodDeploymentOptions> {
  const throttled = routeNames.flatMap((name) => {
    const route: Route = routes[name];
    const { path, also = [] } = route;
    const rate = stage.route_requests_per_second[name];
    return rate === undefined
      ? []
      : [path, ...also].flatMap((one) =>
          methodsOf(route).map((method) => [`${resourcePath(one)}/${method}`, throttledAt(rate)] as const),
        );
  });
  return Object.fromEntries(throttled);
}

/** GET's function answers HEAD; the gateway drops the body. */
const methodsOf = ({ method }: Route) => (method === 'GET' ? ['GET', 'HEAD'] : [method]);

/** A route's path below the stage. */
const resourcePath = (path: string) => path.replace(`/${STAGE_NAME}/`, '/');

function functionOf(made: Map<RouteName, ServiceFunction>, name: RouteName): ServiceFunction {
  const fn = made.get(name);
  if (!fn) throw new Error(`the contract has no route ${name}`);
  return fn;
}
