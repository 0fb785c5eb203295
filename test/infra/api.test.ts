// The gateway in the template: routes, streaming, the gateway's own answers, its logs.
import { Stack } from 'aws-cdk-lib';
import { Template as AwsTemplate, Match } from 'aws-cdk-lib/assertions';
import { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { ErrorEnvelope, errors } from '../../functions/contract/errors.ts';
import { httpFunctions, type Route, routes } from '../../functions/contract/routes.ts';
import { Firewall } from '../../lib/constructs/firewall.ts';
import { functionNames } from '../../lib/entries.ts';
import project from '../../package.json' with { type: 'json' };
import {
  fields,
  functionOf,
  list,
  ofType,
  only,
  synthesize,
  type Template,
  text,
} from '../support/synthesize.ts';

const template = synthesize();
/** A stage that sets all that concerns the API. */
const set = synthesize({
  requests_per_second: '50',
  route_requests_per_second: '{"CreateRun":5,"GetRun":6,"Console":7,"Mcp":8}',
  waf_requests_per_5_minutes: '3000',
  site_url: 'https://runs.example',
});

const Method = z.object({
  HttpMethod: z.string(),
  AuthorizationType: z.literal('NONE'),
  ResourceId: z.unknown(),
  Integration: z.object({
    Type: z.literal('AWS_PROXY'),
    Uri: z.unknown().transform(text),
    ResponseTransferMode: z.string().optional(),
    TimeoutInMillis: z.number().optional(),
  }),
});

/** Full path of a gateway resource, stage first. */
function pathOf(of: Template, id: string): string {
  if (id === '<RestApi.RootResourceId>') return '/api';
  const { Properties = {} } = of.Resources[id.slice(1, -1)] ?? {};
  return `${pathOf(of, text(Properties.ParentId))}/${Properties.PathPart}`;
}

const methods = Object.values(ofType(template, 'AWS::ApiGateway::Method')).map(({ Properties }) => {
  const { HttpMethod, ResourceId, Integration } = Method.parse(Properties);
  const target = /<(\w+)\.Arn>/.exec(Integration.Uri)?.[1];
  return { route: `${HttpMethod} ${pathOf(template, text(ResourceId))}`, target, ...Integration };
});
const methodsOf = (name: string) => methods.filter(({ target }) => target === name);

describe('routes', () => {
  const named = Object.values<Route>(routes).flatMap((route) =>
    [route.path, ...(route.also ?? [])].map((path) => ({ ...route, path: path.replace(/\/$/, '') })),
  );
  const others = methods.filter(({ route }) => route.startsWith('ANY '));

  test('the API has exactly the routes of the contract, each at its function; the site takes every method of its paths', () => {
    const declared = named
      .filter(({ any_method, function: name }) => !any_method && name !== 'Site')
      .map(({ method, path, function: name }) => `${method} ${path} ${name}`);
    const routed = methods.map(({ route, target }) => `${route} ${target}`);
    expect(routed.filter((route) => !route.startsWith('ANY ')).sort()).toEqual(declared.sort());
  });

  test('every path has ANY, which answers HEAD, OPTIONS and 404 in the envelope: at the function of its GET, at that of reads below the base address, else at the site', () => {
    const resources = Object.keys(ofType(template, 'AWS::ApiGateway::Resource'));
    expect(others.length).toBe(resources.length + 1);
    const getAt = new Map(
      named.filter(({ method }) => method === 'GET').map((one) => [one.path, one.function]),
    );
    for (const { route, target } of others) {
      const path = route.slice('ANY '.length);
      const rest = path.startsWith('/api/v1/') ? 'Read' : 'Site';
      expect(target, route).toBe(path === '/api/mcp' ? 'Mcp' : (getAt.get(path) ?? rest));
    }
    expect(others.map(({ route }) => route)).toContain('ANY /api/{proxy+}');
  });

  test('all routes of a function stream, or none', () => {
    for (const name of httpFunctions) {
      const modes = Object.values<Route>(routes)
        .filter((route) => route.function === name)
        .map((route) => route.streaming);
      expect(new Set(modes).size, name).toBe(1);
    }
  });

  test('streaming routes stream, and wait longer than the function behind them runs', () => {
    for (const [name, milliseconds] of [
      ['Start', 60_000],
      ['Download', 60_000],
      ['Stream', 665_000],
      ['Mcp', 80_000],
    ] as const) {
      for (const method of methodsOf(name))
        expect(method).toMatchObject({
          ResponseTransferMode: 'STREAM',
          TimeoutInMillis: milliseconds,
          Uri: `arn:<AWS::Partition>:apigateway:<AWS::Region>:lambda:path/2021-11-15/functions/<${name}.Arn>/response-streaming-invocations`,
        });
      expect(methodsOf(name).length).toBeGreaterThan(0);
    }
  });

  test('other routes are buffered and keep the 29 s of the gateway', () => {
    const buffered = methods.filter(({ ResponseTransferMode }) => ResponseTransferMode === undefined);
    // Two POSTs, five reads with their ANY, and the MCP endpoint.
    expect(buffered.length).toBe(methods.length - 13);
    for (const { Uri, TimeoutInMillis } of buffered) {
      expect(Uri).toMatch(/2015-03-31\/functions\/.*\/invocations$/);
      expect(TimeoutInMillis).toBeUndefined();
    }
  });

  test('no function without a route can be reached through the gateway', () => {
    const permitted = Object.values(ofType(template, 'AWS::Lambda::Permission'))
      .filter(({ Properties }) => Properties.Principal === 'apigateway.amazonaws.com')
      .map(({ Properties }) => text(Properties.FunctionName).slice(1, -'.Arn>'.length));
    expect([...new Set(permitted)].sort()).toEqual([...httpFunctions].sort());
  });

  test('the API is regional, hands bodies over byte by byte and bounds its load', () => {
    expect(only(template, 'AWS::ApiGateway::RestApi').Properties).toMatchObject({
      BinaryMediaTypes: ['*/*'],
      EndpointConfiguration: { Types: ['REGIONAL'] },
    });
    const stage = only(template, 'AWS::ApiGateway::Stage').Properties;
    expect(stage.StageName).toBe('api');
    expect(stage.MethodSettings).toMatchObject([
      {
        HttpMethod: '*',
        ResourcePath: '/*',
        DataTraceEnabled: false,
        LoggingLevel: 'OFF',
        ThrottlingRateLimit: 1000,
      },
    ]);
  });

  test('a stage sets its rate limits, overall and by route', () => {
    const { MethodSettings } = only(set, 'AWS::ApiGateway::Stage').Properties;
    const limits = list(MethodSettings).map((setting) => {
      const { ResourcePath, HttpMethod, ThrottlingRateLimit, ThrottlingBurstLimit } = fields(setting);
      return `${HttpMethod} ${ResourcePath} ${ThrottlingRateLimit} ${ThrottlingBurstLimit}`;
    });
    expect(limits).toEqual([
      '* /* 50 100',
      'POST /~1v1~1runs 5 10',
      'GET /~1v1~1runs~1{id} 6 12',
      'ANY /~1v1~1runs~1{id} 6 12',
      'ANY /~1mcp 8 16',
      ...[
        '~1docs',
        '',
        '~1console',
        '~1console~1{page}',
        '~1console~1jobs~1{id}',
        '~1docs~1{page}',
        '~1docs.md',
        '~1llms.txt',
        '~1openapi.json',
        '~1health',
      ].map((path) => `ANY /${path} 7 14`),
    ]);
  });

  test('a stage may put a firewall that counts requests by address before the API', () => {
    expect(ofType(template, 'AWS::WAFv2::WebACL')).toEqual({});
    expect(only(set, 'AWS::WAFv2::WebACL').Properties).toMatchObject({
      Scope: 'REGIONAL',
      Rules: [{ Statement: { RateBasedStatement: { Limit: 3000, AggregateKeyType: 'IP' } } }],
    });
    const association = only(set, 'AWS::WAFv2::WebACLAssociation').Properties;
    expect(text(association.ResourceArn)).toContain('/restapis/<RestApi>/stages/');
  });

  test('what the MCP endpoint asks of the API passes the firewall uncounted, by what no template contains (rules.md: agents 10)', () => {
    const [rule] = list(only(set, 'AWS::WAFv2::WebACL').Properties.Rules);
    const { RateBasedStatement } = fields(fields(rule).Statement);
    const { NotStatement } = fields(fields(RateBasedStatement).ScopeDownStatement);
    const { ByteMatchStatement } = fields(fields(NotStatement).Statement);
    const { SearchString, FieldToMatch, PositionalConstraint } = fields(ByteMatchStatement);
    expect([FieldToMatch, PositionalConstraint]).toEqual([
      { SingleHeader: { Name: 'x-firewall-pass' } },
      'EXACTLY',
    ]);
    // CloudFormation inserts the random part of the stack's id at both ends.
    expect(SearchString).toEqual({ 'Fn::Select': [2, { 'Fn::Split': ['/', { Ref: 'AWS::StackId' }] }] });
    const { Variables } = fields(functionOf(set, 'Mcp').Environment);
    expect(fields(Variables).FIREWALL_PASS).toEqual(SearchString);
    const others = functionNames.filter((name) => name !== 'Mcp');
    for (const name of others)
      expect(functionOf(set, name).Environment, name).not.toHaveProperty('Variables.FIREWALL_PASS');
    expect(functionOf(template, 'Mcp').Environment).not.toHaveProperty('Variables.FIREWALL_PASS');
  });

  test('behind a proxy, the firewall counts by the address in its header', () => {
    const stack = new Stack();
    const rest = new RestApi(stack, 'Rest');
    rest.root.addMethod('GET');
    const props = { requestsPer5Minutes: 3000, addressHeader: 'X-Forwarded-For' };
    new Firewall(stack, 'Firewall', rest.deploymentStage, props);
    AwsTemplate.fromStack(stack).hasResourceProperties('AWS::WAFv2::WebACL', {
      Rules: [
        {
          Statement: {
            RateBasedStatement: {
              AggregateKeyType: 'FORWARDED_IP',
              ForwardedIPConfig: { HeaderName: 'X-Forwarded-For', FallbackBehavior: 'MATCH' },
              ScopeDownStatement: { NotStatement: Match.anyValue() },
            },
          },
        },
      ],
    });
  });

  test('the policy of a function stays far below the 20 KB that Lambda allows', () => {
    const permitted = Object.values(ofType(template, 'AWS::Lambda::Permission')).map(({ Properties }) =>
      text(Properties.FunctionName),
    );
    const most = Math.max(
      ...Object.values(Object.groupBy(permitted, (name) => name)).map((all) => all?.length ?? 0),
    );
    expect(most).toBeLessThanOrEqual(3);
  });

  test('requests are traced from the gateway on', () => {
    expect(only(template, 'AWS::ApiGateway::Stage').Properties).toMatchObject({ TracingEnabled: true });
  });

  test('the access log holds the path of the route, never the query', () => {
    const stage = only(template, 'AWS::ApiGateway::Stage').Properties;
    const { Format } = z.object({ Format: z.string() }).parse(stage.AccessLogSetting);
    expect(JSON.parse(Format)).toMatchObject({
      path: '$context.resourcePath',
      request_id: '$context.requestId',
      xray_trace_id: '$context.xrayTraceId',
    });
    expect(Format).not.toMatch(/\$context\.(path|authorizer)\b|querystring/);
  });

  test('the event stream has its own URL, in streaming mode; its token is the only credential', () => {
    const url = only(template, 'AWS::Lambda::Url').Properties;
    expect(url).toMatchObject({ AuthType: 'NONE', InvokeMode: 'RESPONSE_STREAM' });
    expect(text(url.TargetFunctionArn)).toBe('<Stream.Arn>');
    expect(url).not.toHaveProperty('Cors');
  });

  test('addresses are outputs of the stack', () => {
    const site = 'https://<RestApi>.execute-api.<AWS::Region>.<AWS::URLSuffix>/api';
    expect(text(template.Outputs.SiteUrl?.Value)).toBe(site);
    expect(text(template.Outputs.BaseUrl?.Value)).toBe(`${site}/v1`);
    expect(template.Outputs.Release?.Value).toBe(project.version);
    expect(Object.keys(template.Outputs)).toEqual(
      expect.arrayContaining([
        'StreamUrl',
        'AdminFunctionName',
        'StateMachineArn',
        'TableName',
        'AlarmTopicArn',
      ]),
    );
  });

  test('a site URL of the settings replaces that of the stage', () => {
    expect(set.Outputs.BaseUrl?.Value).toBe('https://runs.example/v1');
  });
});

describe('gateway responses', () => {
  const Answer = z.object({
    ResponseType: z.string(),
    StatusCode: z.string(),
    ResponseTemplates: z.object({ 'application/json': z.unknown().transform(text) }),
    ResponseParameters: z.record(z.string(), z.string()),
  });
  const answers = Object.values(ofType(template, 'AWS::ApiGateway::GatewayResponse')).map(({ Properties }) =>
    Answer.parse(Properties),
  );

  test.each(answers)('$ResponseType is an envelope of a published error', (answer) => {
    const { error } = ErrorEnvelope.parse(JSON.parse(answer.ResponseTemplates['application/json']));
    expect(answer.StatusCode).toBe(String(errors[error.code].status));
    expect(error.type).toBe(errors[error.code].type);
    expect(error.request_id).toBe('$context.requestId');
    expect(error.doc_url).toMatch(new RegExp(`/api/docs/errors#${error.code}$`));
  });

  test.each(answers)('$ResponseType repeats nothing of the caller', (answer) => {
    const variables = answer.ResponseTemplates['application/json'].match(/\$[\w.]+/g);
    expect(variables).toEqual(['$context.requestId']);
  });

  test.each(answers)('$ResponseType may be read by pages of any origin', ({ ResponseParameters }) => {
    expect(ResponseParameters['gatewayresponse.header.Access-Control-Allow-Origin']).toBe("'*'");
    expect(ResponseParameters['gatewayresponse.header.Access-Control-Expose-Headers']).toContain(
      'Retry-After',
    );
  });

  test.each(answers)('$ResponseType carries the request id, and when to retry', (answer) => {
    const header = (name: string) => answer.ResponseParameters[`gatewayresponse.header.${name}`];
    expect(header('X-Request-Id')).toBe('context.requestId');
    expect(header('Retry-After') !== undefined).toBe(['429', '503', '504'].includes(answer.StatusCode));
  });

  test('each way to fail has its own answer', () => {
    const codes = Object.fromEntries(
      answers.map((answer) => {
        const { error } = ErrorEnvelope.parse(JSON.parse(answer.ResponseTemplates['application/json']));
        return [answer.ResponseType, error.code];
      }),
    );
    expect(codes).toEqual({
      MISSING_AUTHENTICATION_TOKEN: 'not_found',
      RESOURCE_NOT_FOUND: 'not_found',
      ACCESS_DENIED: 'not_found',
      INVALID_SIGNATURE: 'not_found',
      EXPIRED_TOKEN: 'not_found',
      BAD_REQUEST_BODY: 'schema_validation_failed',
      BAD_REQUEST_PARAMETERS: 'schema_validation_failed',
      UNSUPPORTED_MEDIA_TYPE: 'schema_validation_failed',
      DEFAULT_4XX: 'schema_validation_failed',
      REQUEST_TOO_LARGE: 'payload_too_large',
      THROTTLED: 'rate_limit_exceeded',
      QUOTA_EXCEEDED: 'rate_limit_exceeded',
      WAF_FILTERED: 'rate_limit_exceeded',
      INTEGRATION_TIMEOUT: 'upstream_timeout',
      INTEGRATION_FAILURE: 'service_unavailable',
      DEFAULT_5XX: 'internal_error',
    });
  });
});
