// The door to the AWS services of this machine: every request passes the guards on its way to its service, however it came.

import { messageOf } from '../json-values.ts';
import { AwsError, type AwsReply, jsonError, jsonReply, xmlError } from './aws-protocol.ts';
import type { AwsRequest } from './aws-request.ts';
import type { ServiceApi, ServiceEndpoint } from './service-endpoint.ts';

/** A service as the door knows it. */
export interface ServedService {
  endpoint: ServiceEndpoint;
  api: ServiceApi;
}

type Forward = (request: AwsRequest) => Promise<AwsReply>;

/** Sees every request on its way to a service: may refuse it (AwsError), delay it, repeat it or change its answer. */
export type Guard = (request: AwsRequest, served: ServedService, forward: Forward) => Promise<AwsReply>;

/** Takes a request to its service; a refusal is a reply, too. Undefined: the connection is to be cut. */
export type Door = (request: AwsRequest) => Promise<AwsReply | undefined>;

/** Opens the door to services by the name that requests are for; the outermost guard comes first. */
export function openDoor(services: ReadonlyMap<string, ServedService>, guards: readonly Guard[]): Door {
  return async (request) => {
    const served = services.get(request.service);
    try {
      if (!served)
        throw new AwsError('UnknownOperationException', `${request.service} is not known locally.`);
      const forward = guards.reduceRight<Forward>(
        (next, guard) => (passed) => guard(passed, served, next),
        (passed) => dispatch(passed, served),
      );
      return await forward(request);
    } catch (error) {
      return refusal(error, served?.endpoint);
    }
  };
}

/** What a caller gets for an error, in the words of the service's protocol. Undefined: a cut connection. */
export function refusal(thrown: unknown, endpoint: ServiceEndpoint | undefined): AwsReply | undefined {
  const error = thrown instanceof AwsError ? thrown : new AwsError('InternalFailure', messageOf(thrown), 500);
  if (error.code === 'ConnectionReset') return undefined;
  return endpoint?.protocol.format === 'rest-xml' ? xmlError(error) : jsonError(error);
}

async function dispatch(request: AwsRequest, { endpoint, api }: ServedService): Promise<AwsReply> {
  if ('answer' in api) return api.answer(request);
  const operation = Object.hasOwn(api.operations, request.operation)
    ? api.operations[request.operation]
    : undefined;
  if (!operation)
    throw new AwsError(
      'UnknownOperationException',
      `${request.service} ${request.operation} is not known locally.`,
    );
  const version = endpoint.protocol.format === 'json' ? endpoint.protocol.version : undefined;
  return jsonReply(await operation(request.input), version);
}
