// A service at the endpoint: its protocol, its errors, its operations.
import type { Right } from '../iam/statements.ts';
import type { AwsReply, Operation, Protocol } from './aws-protocol.ts';
import type { AwsRequest } from './aws-request.ts';

/** A service's protocol and errors. */
export interface ServiceEndpoint {
  /** The SDK's variable for the service's address, such as `AWS_ENDPOINT_URL_SQS`. */
  variable: string;
  protocol: Protocol;
  /** The error for a missing permission; default `AccessDeniedException`, 400. */
  denied?: { code: string; status: number };
}

/** Either operations in AWS JSON, by AWS's name, or one function for all requests. */
export type ServiceApi = {
  /** The permissions that a request needs. */
  rightsOf(request: AwsRequest): Right[];
} & ({ operations: Record<string, Operation> } | { answer(request: AwsRequest): Promise<AwsReply> });
