// How the endpoint speaks for a service: its protocol, its refusals, its operations.
import type { Right } from '../iam/statements.ts';
import type { AwsError, AwsReply, Operation, Protocol } from './aws-protocol.ts';
import type { AwsRequest } from './aws-request.ts';

/** How the SDK speaks to a service, and how the service words its refusals. */
export interface ServiceEndpoint {
  /** The SDK's variable for the service's address, `AWS_ENDPOINT_URL_SQS`. */
  variable: string;
  protocol: Protocol;
  /** The error for a missing right: `AccessDeniedException`, 400, unless the service has another. */
  denied?: { code: string; status: number };
  /** The error for too many requests: `ThrottlingException`, 400, unless the service has another. */
  throttled?: { code: string; message: string; status: number };
  /** The error of a request that meets another one on the same data; absent where that cannot happen. */
  conflict?(request: AwsRequest): AwsError;
  /** Carries out a part of a batch and says so; absent where there are no batches. */
  partly?(request: AwsRequest, forward: (request: AwsRequest) => Promise<AwsReply>): Promise<AwsReply>;
}

/** Either operations in AWS JSON, by AWS's name, or one function that answers every request. */
export type ServiceApi = {
  /** The rights that a request needs. */
  rightsOf(request: AwsRequest): Right[];
} & ({ operations: Record<string, Operation> } | { answer(request: AwsRequest): Promise<AwsReply> });
