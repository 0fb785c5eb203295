// What the local runtime knows of one AWS service. Each service exports one row; aws-services.ts lists them.
import type { ServiceApi, ServiceEndpoint } from './aws-endpoint/service-endpoint.ts';
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
