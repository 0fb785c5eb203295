// What the local runtime knows of one AWS service. Each service exports one row; aws-services.ts lists them.
import type { AwsError, AwsReply, Operation, Protocol } from './aws-endpoint/aws-protocol.ts';
import type { AwsRequest } from './aws-endpoint/aws-request.ts';
import type { EngineFile } from './dynamodb/engine/table-service.ts';
import type { Right } from './iam/statements.ts';
import type { LambdaHost } from './lambda/host/lambda-host.ts';
import type { ResourceTypes } from './template/attributes.ts';
import type { Stack } from './template/template.ts';

/** One AWS service on this machine. */
export interface AwsService {
  /** As requests are signed for it and as its IAM actions begin: `dynamodb` in `dynamodb:PutItem`. */
  name: string;
  /** The template's resource types that belong to it. */
  resources: ResourceTypes;
  /** How functions call it; absent for a service that they do not call. */
  endpoint?: ServiceEndpoint;
  /** Opens it on a stack. Throws SetupError for a setting that it does not know; nothing is left open then. */
  open?(context: ServiceContext): OpenService | Promise<OpenService>;
}

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

/** What a service may use of the runtime. */
export interface ServiceContext {
  stack: Stack;
  /** The path of a file or folder of the data folder. */
  file(name: string): string;
  lambda: LambdaHost;
  /** Whether the role holds the right. */
  allows(role: string, right: Right): boolean;
  /** A DynamoDB-compatible endpoint to use instead of the embedded engine. */
  dynamodbEndpoint: string | undefined;
  /** Tells that the service has lost for good what it stands on. */
  lost(reason: string): void;
}

/** A service in operation. */
export interface OpenService {
  /** What it answers on the endpoint. */
  api?: ServiceApi;
  /** A file of tables that functions may open in their own threads, as long as their requests are not observed. */
  engineFile?: EngineFile;
  /** Starts what runs without being asked: pollers, timers, unfinished work. */
  begin?(): void;
  /** Ends what `begin` started; called for all services before the first one stops. */
  halt?(): void;
  stop?(): void | Promise<void>;
  /** Whether what it stands on answers; absent where nothing can be lost apart from this process. */
  answers?(): Promise<boolean>;
  /** Counters for tests and measurements. */
  figures?(): Record<string, number>;
}

/** Either operations in AWS JSON, by AWS's name, or one function that answers every request. */
export type ServiceApi = {
  /** The rights that a request needs. */
  rightsOf(request: AwsRequest): Right[];
} & ({ operations: Record<string, Operation> } | { answer(request: AwsRequest): Promise<AwsReply> });
