// Opens the AWS services on a stack and connects them to functions and endpoint.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { readFunctionUrls } from '../api-gateway/function-urls.ts';
import { readRestApi } from '../api-gateway/rest-api.ts';
import { messageRequest } from '../aws-endpoint/aws-request.ts';
import { createCredentials, type OperatorAccess } from '../aws-endpoint/credentials.ts';
import { openDoor, type ServedService } from '../aws-endpoint/door.ts';
import type { EndpointOptions } from '../aws-endpoint/endpoint-server.ts';
import { createFaults, type Faults } from '../aws-endpoint/faults.ts';
import { roleGuard } from '../aws-endpoint/roles.ts';
import { createUsage, type Usage } from '../aws-endpoint/usage.ts';
import type { AwsService, OpenService } from '../aws-service.ts';
import { readPolicies } from '../iam/policies.ts';
import { createDisks, type Disk, type EnvironmentOptions } from '../lambda/host/environments.ts';
import { createLambdaHost, type LambdaHost, variablesOf } from '../lambda/host/lambda-host.ts';
import type { Stack } from '../template/template.ts';

export interface ServicesOptions {
  services: readonly AwsService[];
  stack: Stack;
  dataDir: string;
  endpointUrl: string;
  /** Sends every request of functions through the main thread, to be counted and made to fail. */
  observed: boolean;
  dynamodbEndpoint?: string | undefined;
  extraEnv: Record<string, string>;
  threadLimit: number;
  environments?: EnvironmentOptions | undefined;
  lost(reason: string): void;
}

/** The open services. */
export interface Services {
  lambda: LambdaHost;
  /** By name. */
  services: ReadonlyMap<string, OpenService>;
  faults: Faults;
  usage: Usage;
  operator: OperatorAccess;
}

export type Stop = () => void | Promise<void>;

/** Opens them in order; adds the stop function of each to `stops`. Throws SetupError. */
export async function openServices(
  options: ServicesOptions,
  stops: Stop[],
): Promise<Services & { endpoint: EndpointOptions }> {
  const { stack, endpointUrl, observed } = options;
  const file = (name: string) => join(options.dataDir, name);
  const policies = readPolicies(stack);
  const credentials = createCredentials(stack, endpointUrl);
  const opened = new Map<string, OpenService>();
  mkdirSync(file('logs'), { recursive: true });
  const lambda = createLambdaHost({
    stack,
    logFolder: file('logs'),
    diskOf: options.environments && createDisks(file('environments'), options.environments),
    envOf: (name, disk) => ({
      ...endpointVariables(options),
      ...credentials.envOf(name),
      ...indexVariables(disk, file('records')),
      ...options.extraEnv,
    }),
    accessOf: (functionName) => {
      const role = policies.roleOf(functionName) ?? '';
      const engineFile = observed ? undefined : opened.get('dynamodb')?.engineFile;
      return { functionName, role, statements: policies.statementsOf(role), engineFile };
    },
    isBackground: backgroundOf(stack),
    ask: async (functionName, message) =>
      door(messageRequest(functionName, message, protocols.get(message.service)?.protocol)),
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
  const usage = createUsage();
  const faults = createFaults();
  const roles = roleGuard(policies);
  const guards = observed ? [usage.guard, roles, faults.guard] : [roles];
  const served = servedBy(options.services, opened);
  const door = openDoor(served, guards);
  const protocols = new Map([...served].map(([name, { endpoint }]) => [name, endpoint]));
  const endpoint = { callers: credentials.callers, protocols, door };
  return { lambda, services: opened, faults, usage, operator: credentials.operator, endpoint };
}

/** Whether no request waits for the function: it then yields the processor to those that do. */
function backgroundOf(stack: Stack): (name: string) => boolean {
  const integrated = readRestApi(stack).routes.flatMap(({ integration }) =>
    integration.kind === 'function' ? [integration.functionName] : [],
  );
  // Functions name those that they invoke in environment variables.
  const invoked = stack.ofType('AWS::Lambda::Function').flatMap((one) => Object.values(variablesOf(one)));
  const waitedFor = new Set([...integrated, ...readFunctionUrls(stack), ...invoked]);
  return (name) => !waitedFor.has(name);
}

/** On AWS each environment has its own, temporary disk; else all share the data folder, which persists. */
function indexVariables(disk: Disk | undefined, shared: string): Record<string, string> {
  if (!disk) return { RECORD_INDEX_DIR: shared, RECORD_INDEX_DISK_MB: '' };
  return { RECORD_INDEX_DIR: disk.folder, RECORD_INDEX_DISK_MB: String(disk.limit_bytes / 1024 / 1024) };
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
