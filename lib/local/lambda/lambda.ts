// Lambda: the template's functions, and Invoke for the operator's tools.
import { AwsError, type AwsReply } from '../aws-endpoint/aws-protocol.ts';
import type { AwsRequest } from '../aws-endpoint/aws-request.ts';
import type { AwsService } from '../aws-service.ts';
import type { Right } from '../iam/statements.ts';
import { optionalString } from '../json-values.ts';
import { arn, inert, named } from '../template/attributes.ts';
import { type LambdaHost, throttled } from './host/lambda-host.ts';

const INVOKE_PATH = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/;

export const lambda: AwsService = {
  name: 'lambda',
  resources: {
    'AWS::Lambda::Function': (id, properties) => {
      const name = named('FunctionName', id, properties);
      return { ref: name, Arn: arn('lambda', `function:${name}`) };
    },
    'AWS::Lambda::EventInvokeConfig': inert,
    'AWS::Lambda::Permission': inert,
    'AWS::Lambda::Url': (id, properties, { siteUrl }) => {
      const target = optionalString(properties.TargetFunctionArn) ?? id;
      const name = target.split(':').at(-1) ?? id;
      return { ref: target, FunctionArn: target, FunctionUrl: `${siteUrl}/function-url/${name}/` };
    },
  },
  endpoint: {
    variable: 'AWS_ENDPOINT_URL_LAMBDA',
    protocol: {
      format: 'rest-json',
      operationOf: (method, path) => (method === 'POST' && INVOKE_PATH.test(path) ? 'Invoke' : undefined),
    },
    denied: { code: 'AccessDeniedException', status: 403 },
  },
  open: ({ lambda: host }) => ({
    api: { answer: (request) => invoke(request, host), rightsOf },
    stop: host.stop,
  }),
};

/** Invokes and waits for the answer. Throws AwsError for an unknown function or another invocation type. */
async function invoke({ path, headers, body }: AwsRequest, host: LambdaHost): Promise<AwsReply> {
  const name = functionNameOf(path);
  if (!host.has(name)) throw new AwsError('ResourceNotFoundException', `Function not found: ${name}`, 404);
  const type = headers['x-amz-invocation-type'] ?? 'RequestResponse';
  if (type !== 'RequestResponse')
    throw new AwsError('InvalidParameterValueException', `The invocation type ${type} is not known locally.`);
  const result = await host.invoke(name, body.toString() || '{}');
  const replyHeaders = { 'content-type': 'application/json', 'x-amz-executed-version': '$LATEST' };
  if (result.ok) return { status: 200, headers: replyHeaders, body: result.payload };
  if (result.error === throttled) throw new AwsError(throttled.errorType, throttled.errorMessage, 429);
  return {
    status: 200,
    headers: { ...replyHeaders, 'x-amz-function-error': 'Unhandled' },
    body: JSON.stringify(result.error),
  };
}

/** The path contains the function's name or ARN, with or without a qualifier. */
function functionNameOf(path: string): string {
  return decodeURIComponent(INVOKE_PATH.exec(path)?.[1] ?? '')
    .replace(/^arn:.*:function:/, '')
    .replace(/:.*$/, '');
}

export function rightsOf({ path }: AwsRequest): Right[] {
  return [{ action: 'lambda:InvokeFunction', resource: arn('lambda', `function:${functionNameOf(path)}`) }];
}
