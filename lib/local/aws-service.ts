// An AWS service of the local runtime. Each service exports one row; aws-services.ts lists them.
import type { ServiceApi, ServiceEndpoint } from './aws-endpoint/service-endpoint.ts';
import type { EngineFile } from './dynamodb/engine/table-service.ts';
import type { Right } from './iam/statements.ts';
import type { LambdaHost } from './lambda/host/lambda-host.ts';
import type { ResourceTypes } from './template/attributes.ts';
import type { Stack } from './template/template.ts';

/** One AWS service. */
export interface AwsService {
  /** The name in signatures and IAM actions: `dynamodb` in `dynamodb:PutItem`. */
  name: string;
  /** Its resource types in templates. */
  resources: ResourceTypes;
  /** How functions call it; absent for a service that they do not call. */
  endpoint?: ServiceEndpoint;
  /** Opens it on a stack. Throws SetupError for an unsupported setting, with nothing left open. */
  open?(context: ServiceContext): OpenService | Promise<OpenService>;
}

/** What a service gets from the runtime. */
export interface ServiceContext {
  stack: Stack;
  /** The path of a file or folder in the data folder. */
  file(name: string): string;
  lambda: LambdaHost;
  /** Whether the role has the permission. */
  allows(role: string, right: Right): boolean;
  /** A DynamoDB-compatible endpoint to use instead of the embedded engine. */
  dynamodbEndpoint: string | undefined;
  /** Reports that the service's data is lost for good. */
  lost(reason: string): void;
}

/** An open service. */
export interface OpenService {
  /** Its operations at the endpoint. */
  api?: ServiceApi;
  /** A file of tables that functions open in their own threads. Absent: their requests come to `api`. */
  engineFile?: EngineFile;
  /** Starts pollers, timers and unfinished work. */
  begin?(): void;
  /** Ends what `begin` started; called for all services before the first one stops. */
  halt?(): void;
  stop?(): void | Promise<void>;
  /** Whether its backend responds; absent where it cannot fail apart from this process. */
  answers?(): Promise<boolean>;
  /** Counters for tests and measurements. */
  figures?(): Record<string, number>;
}
