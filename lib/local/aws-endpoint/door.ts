// The entry to the local AWS services: every request, however received, passes the guards before its service.
import { messageOf } from '../json-values.ts';
import { AwsError, type AwsReply, jsonError, jsonReply, xmlError } from './aws-protocol.ts';
import type { AwsRequest } from './aws-request.ts';
import type { ServiceApi, ServiceEndpoint } from './service-endpoint.ts';

/** A service behind the entry. */
export interface ServedService {
  endpoint: ServiceEndpoint;
  api: ServiceApi;
}

/** Forwards a request to its service. */
export type Forward = (request: AwsRequest) => Promise<AwsReply>;

/** Sees every request before its service: may refuse it (AwsError), delay it, repeat it or change its reply. */
export type Guard = (request: AwsRequest, served: ServedService, forward: Forward) => Promise<AwsReply>;

/** Sends a request to its service; a refusal is a reply, too. Undefined: the connection is to be cut. */
export type Door = (request: AwsRequest) => Promise<AwsReply | undefined>;

/** Connects services by the name in requests' signatures. The first guard is the outermost. */
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

/** The reply for an error, in the service's protocol. Undefined: a cut connection. */
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
