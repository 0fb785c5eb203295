// Opens the AWS services on a loaded stack and connects them to the functions and to the endpoint.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createCredentials, type OperatorAccess } from '../aws-endpoint/credentials.ts';
import type { EndpointOptions, ServedService } from '../aws-endpoint/endpoint-server.ts';
import { createFaults, type Faults } from '../aws-endpoint/faults.ts';
import { roleGuard } from '../aws-endpoint/roles.ts';
import { createUsage, type Usage } from '../aws-endpoint/usage.ts';
import type { AwsService, OpenService } from '../aws-service.ts';
import { readPolicies } from '../iam/policies.ts';
import { createLambdaHost, type LambdaHost } from '../lambda/lambda-host.ts';
import type { Stack } from '../template/template.ts';

export interface ServicesOptions {
  services: readonly AwsService[];
  stack: Stack;
  dataDir: string;
  endpointUrl: string;
  /** Every request is checked against its signer's role, counted, and open to injected faults. */
  checkRoles: boolean;
  dynamodbEndpoint: string | undefined;
  extraEnv: Record<string, string>;
  threadsKept: number;
  lost(reason: string): void;
}

/** The services in operation. */
export interface Services {
  lambda: LambdaHost;
  /** By name. */
  services: ReadonlyMap<string, OpenService>;
  faults: Faults;
  usage: Usage;
  operator: OperatorAccess;
}

export type Stop = () => void | Promise<void>;

/** Opens them in order; what stops each is added to `stops`. Throws SetupError. */
export async function openServices(
  options: ServicesOptions,
  stops: Stop[],
): Promise<Services & { endpoint: EndpointOptions }> {
  const { stack, endpointUrl, checkRoles } = options;
  const file = (name: string) => join(options.dataDir, name);
  const policies = readPolicies(stack);
  const credentials = createCredentials(stack, endpointUrl);
  const opened = new Map<string, OpenService>();
  mkdirSync(file('logs'), { recursive: true });
  const lambda = createLambdaHost({
    stack,
    logFolder: file('logs'),
    envOf: (name) => ({
      ...endpointVariables(options, opened),
      ...credentials.envOf(name),
      // A function on AWS has a disk of its own, which is lost; here all share the data folder, and what lies there lasts.
      RECORD_INDEX_DIR: file('records'),
      RECORD_SNAPSHOTS: 'false',
      RECORD_INDEX_DISK_MB: '',
      ...options.extraEnv,
    }),
    sockets: () => socketsOf(opened),
    threadsKept: options.threadsKept,
  });
  const allows = checkRoles ? policies.allows : () => true;
  const { dynamodbEndpoint, lost } = options;
  const context = { stack, file, lambda, allows, dynamodbEndpoint, lost };
  for (const service of options.services) {
    const open = await service.open?.(context);
    if (!open) continue;
    opened.set(service.name, open);
    if (open.stop) stops.push(open.stop);
  }
  const usage = createUsage();
  const faults = createFaults();
  const guards = checkRoles ? [usage.guard, roleGuard(policies), faults.guard] : [];
  const endpoint = { callers: credentials.callers, services: served(options.services, opened), guards };
  return { lambda, services: opened, faults, usage, operator: credentials.operator, endpoint };
}

/** The variables that tell SDK clients where each service is. */
function endpointVariables(
  { services, endpointUrl, checkRoles }: ServicesOptions,
  opened: ReadonlyMap<string, OpenService>,
): Record<string, string> {
  return Object.fromEntries(
    services.flatMap(({ name, endpoint }) => {
      const url = (checkRoles ? undefined : opened.get(name)?.direct?.url) ?? endpointUrl;
      return endpoint ? [[endpoint.variable, url] as const] : [];
    }),
  );
}

function socketsOf(opened: ReadonlyMap<string, OpenService>): Record<string, string> {
  return Object.fromEntries(
    [...opened.values()].flatMap(({ direct }) =>
      direct?.socket === undefined ? [] : [[new URL(direct.url).hostname, direct.socket] as const],
    ),
  );
}

function served(
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
