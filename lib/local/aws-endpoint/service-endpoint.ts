// A service at the endpoint: its protocol, its errors, its operations.
import type { Right } from '../iam/statements.ts';
import type { AwsError, AwsReply, Operation, Protocol } from './aws-protocol.ts';
import type { AwsRequest } from './aws-request.ts';

/** A service's protocol and errors. */
export interface ServiceEndpoint {
  /** The SDK's variable for the service's address, such as `AWS_ENDPOINT_URL_SQS`. */
  variable: string;
  protocol: Protocol;
  /** The error for a missing permission; default `AccessDeniedException`, 400. */
  denied?: { code: string; status: number };
  /** The error for too many requests; default `ThrottlingException`, 400. */
  throttled?: { code: string; message: string; status: number };
  /** The error for concurrent requests on the same data; absent where that cannot happen. */
  conflict?(request: AwsRequest): AwsError;
  /** Processes part of a batch and reports the rest; absent where there are no batches. */
  partly?(request: AwsRequest, forward: (request: AwsRequest) => Promise<AwsReply>): Promise<AwsReply>;
}

/** Either operations in AWS JSON, by AWS's name, or one function for all requests. */
export type ServiceApi = {
  /** The permissions that a request needs. */
  rightsOf(request: AwsRequest): Right[];
} & ({ operations: Record<string, Operation> } | { answer(request: AwsRequest): Promise<AwsReply> });
