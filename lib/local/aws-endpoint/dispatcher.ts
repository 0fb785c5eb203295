// The entry to the local AWS services: every request, however received, is checked against the role of its caller.
import { messageOf } from '../json-values.ts';
import { AwsError, type AwsReply, jsonError, jsonReply, xmlError } from './aws-protocol.ts';
import type { AwsRequest } from './aws-request.ts';
import type { ServiceApi, ServiceEndpoint } from './service-endpoint.ts';

/** A service behind the entry. */
export interface ServedService {
  endpoint: ServiceEndpoint;
  api: ServiceApi;
}

/** Throws AwsError when the role of a request's caller lacks a permission. */
export type CheckRole = (request: AwsRequest, served: ServedService) => void;

/** Sends a request to its service; a refusal is a reply, too. Undefined: the connection is to be cut. */
export type Dispatch = (request: AwsRequest) => Promise<AwsReply | undefined>;

/** Connects services by the name in requests' signatures. */
export function createDispatcher(
  services: ReadonlyMap<string, ServedService>,
  checkRole: CheckRole,
): Dispatch {
  return async (request) => {
    const served = services.get(request.service);
    try {
      if (!served)
        throw new AwsError('UnknownOperationException', `${request.service} is not known locally.`);
      checkRole(request, served);
      return await serve(request, served);
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

/** The reply of a service. Throws AwsError for what it refuses. */
export async function serve(request: AwsRequest, { endpoint, api }: ServedService): Promise<AwsReply> {
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
