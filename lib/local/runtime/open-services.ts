// Opens the AWS services on a stack and connects them to functions and endpoint.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { readFunctionUrls } from '../api-gateway/function-urls.ts';
import { readRestApi } from '../api-gateway/rest-api.ts';
import { messageRequest } from '../aws-endpoint/aws-request.ts';
import { createCredentials, type OperatorAccess } from '../aws-endpoint/credentials.ts';
import { createDispatcher, type ServedService } from '../aws-endpoint/dispatcher.ts';
import type { EndpointOptions } from '../aws-endpoint/endpoint-server.ts';
import { roleChecks } from '../aws-endpoint/roles.ts';
import type { AwsService, OpenService } from '../aws-service.ts';
import { readPolicies } from '../iam/policies.ts';
import { createLambdaHost, type LambdaHost, variablesOf } from '../lambda/host/lambda-host.ts';
import type { Stack } from '../template/template.ts';

export interface ServicesOptions {
  services: readonly AwsService[];
  stack: Stack;
  dataDir: string;
  endpointUrl: string;
  dynamodbEndpoint?: string | undefined;
  extraEnv: Record<string, string>;
  threadLimit: number;
  lost(reason: string): void;
}

/** The open services. */
export interface Services {
  lambda: LambdaHost;
  /** By name. */
  services: ReadonlyMap<string, OpenService>;
  operator: OperatorAccess;
}

export type Stop = () => void | Promise<void>;

/** Opens them in order; adds the stop function of each to `stops`. Throws SetupError. */
export async function openServices(
  options: ServicesOptions,
  stops: Stop[],
): Promise<Services & { endpoint: EndpointOptions }> {
  const { stack, endpointUrl } = options;
  const file = (name: string) => join(options.dataDir, name);
  const policies = readPolicies(stack);
  const credentials = createCredentials(stack, endpointUrl);
  const opened = new Map<string, OpenService>();
  mkdirSync(file('logs'), { recursive: true });
  const lambda = createLambdaHost({
    stack,
    logFolder: file('logs'),
    envOf: (name) => ({
      ...endpointVariables(options),
      ...credentials.envOf(name),
      // On AWS each environment has its own disk, which does not last; here all share the data folder.
      RECORD_INDEX_DIR: file('records'),
      RECORD_INDEX_DISK_MB: '',
      ...options.extraEnv,
    }),
    accessOf: (functionName) => {
      const role = policies.roleOf(functionName) ?? '';
      const engineFile = opened.get('dynamodb')?.engineFile;
      return { functionName, role, statements: policies.statementsOf(role), engineFile };
    },
    isBackground: backgroundOf(stack),
    ask: async (functionName, message) =>
      dispatch(messageRequest(functionName, message, protocols.get(message.service)?.protocol)),
    lost: options.lost,
    threadLimit: options.threadLimit,
  });
  const { dynamodbEndpoint, lost } = options;
  const context = { stack, file, lambda, allows: policies.allows, dynamodbEndpoint, lost };
  for (const service of options.services) {
    const open = await service.open?.(context);
    if (!open) continue;
    opened.set(service.name, open);
    if (open.stop) stops.push(open.stop);
  }
  const served = servedBy(options.services, opened);
  const dispatch = createDispatcher(served, roleChecks(policies));
  const protocols = new Map([...served].map(([name, { endpoint }]) => [name, endpoint]));
  const endpoint = { callers: credentials.callers, protocols, dispatch };
  return { lambda, services: opened, operator: credentials.operator, endpoint };
}

/** Whether no request waits for the function: it then yields the processor to those that do. */
function backgroundOf(stack: Stack): (name: string) => boolean {
  const integrated = readRestApi(stack).routes.map(({ integration }) => integration.functionName);
  // Functions name those that they invoke in environment variables.
  const invoked = stack.ofType('AWS::Lambda::Function').flatMap((one) => Object.values(variablesOf(one)));
  const waitedFor = new Set([...integrated, ...readFunctionUrls(stack), ...invoked]);
  return (name) => !waitedFor.has(name);
}

/** Variables with the address of each service, for clients that use HTTP. */
function endpointVariables({ services, endpointUrl }: ServicesOptions): Record<string, string> {
  return Object.fromEntries(
    services.flatMap(({ endpoint }) => (endpoint ? [[endpoint.variable, endpointUrl] as const] : [])),
  );
}

function servedBy(
  services: readonly AwsService[],
  opened: ReadonlyMap<string, OpenService>,
): Map<string, ServedService> {
  return new Map(
    services.flatMap(({ name, endpoint }) => {
      const api = opened.get(name)?.api;
      return endpoint && api ? [[name, { endpoint, api }] as const] : [];
    }),
  );
}
