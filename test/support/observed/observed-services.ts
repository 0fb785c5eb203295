// The AWS services of the local runtime with every request counted, and failed where a test asks for it. The functions
// send all of them to the main thread, those to the table too.
import type { AwsReply } from '../../../lib/local/aws-endpoint/aws-protocol.ts';
import type { AwsRequest } from '../../../lib/local/aws-endpoint/aws-request.ts';
import { serve } from '../../../lib/local/aws-endpoint/dispatcher.ts';
import type { AwsService } from '../../../lib/local/aws-service.ts';
import { awsServices } from '../../../lib/local/aws-services.ts';
import { keyNamesOf } from '../../../lib/local/dynamodb/expired-items.ts';
import type { Stack } from '../../../lib/local/template/template.ts';
import { oneAtATime } from './conflicts.ts';
import { createFaults, type Faults } from './faults.ts';
import { createUsage, type Usage } from './usage.ts';

/** Forwards a request to its service. Throws AwsError for a refusal. */
export type Forward = (request: AwsRequest) => Promise<AwsReply>;

/** Sees a request before its service: may refuse it (AwsError), repeat it or change its reply. */
export type Guard = (request: AwsRequest, forward: Forward) => Promise<AwsReply>;

export interface Observed {
  services: readonly AwsService[];
  faults: Faults;
  usage: Usage;
}

/** Wraps the services, for `startRuntime`. A request that its role does not allow is refused before. */
export function observedServices(services: readonly AwsService[] = awsServices): Observed {
  const usage = createUsage();
  const faults = createFaults();
  const guards = [usage.guard, faults.guard];
  return { services: services.map((service) => guarded(service, guards)), faults, usage };
}

function guarded(service: AwsService, guards: readonly Guard[]): AwsService {
  const { endpoint } = service;
  if (!endpoint || !service.open) return service;
  return {
    ...service,
    async open(context) {
      const { api, engineFile, ...opened } = (await service.open?.(context)) ?? {};
      if (!api) return opened;
      // Another engine finds conflicts itself.
      const all = engineFile ? [...guards, oneAtATime(keysIn(context.stack))] : guards;
      const answer = all.reduceRight<Forward>(
        (next, guard) => (request) => guard(request, next),
        (request) => serve(request, { endpoint, api }),
      );
      return { ...opened, api: { rightsOf: api.rightsOf, answer } };
    },
  };
}

function keysIn(stack: Stack): (table: string) => readonly string[] {
  const tables = stack.ofType('AWS::DynamoDB::Table');
  const names = new Map(tables.map((table) => [table.attributes.ref, keyNamesOf(table)]));
  return (table) => names.get(table) ?? [];
}
