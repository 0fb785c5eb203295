// The props of the construct: the settings of a stage in camelCase, typed. What each means is in docs/operate.md.
import type { Environment, IStackSynthesizer } from 'aws-cdk-lib';
import type { ICertificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { IHostedZone } from 'aws-cdk-lib/aws-route53';

/** USD per million tokens. */
export interface ModelPrice {
  readonly input: number;
  readonly cached_input: number;
  readonly output: number;
}

/** A name for the API in place of the one of API Gateway. */
export interface ServiceDomain {
  readonly name: string;
  /** In the region of the stack. */
  readonly certificate: ICertificate;
  /** Where a record for the name is made; absent: none is. */
  readonly hostedZone?: IHostedZone;
}

/** Settings of a stage. One of `model` and `models` must be given. */
export interface ServiceSettings {
  /** `offline`, `bedrock:<model id>` or `openai:<model>@<base url>`. There is no default. */
  readonly model?: string;
  /** A models file, or its path, in place of `model`, `embeddingModel` and `prices`. */
  readonly models?: object | string;
  /** By model; absent: the built-in table. */
  readonly prices?: Readonly<Record<string, ModelPrice>>;
  readonly embeddingModel?: string;
  readonly vectors?: 'table' | 's3';
  /** Public URL of the service, without a trailing slash, where something else is in front of the API. */
  readonly siteUrl?: string;
  /** The collector that gets the trace of each run. */
  readonly otlpEndpoint?: string;
  readonly deletionProtection?: boolean;
  /** Lets this release follow a later one, which is refused otherwise. */
  readonly allowOlderRelease?: boolean;
  /** A table that was restored from a backup, until it is imported. */
  readonly restoredTable?: string;
  readonly sliceSeconds?: number;
  readonly stepsPerSlice?: number;
  readonly maxParallelCalls?: number;
  readonly modelWaitSeconds?: number;
  readonly stepMemoryMb?: number;
  readonly indexMemoryMb?: number;
  readonly logRetentionDays?: number;
  /** Days after which a run is deleted; absent: never. */
  readonly retainDays?: number;
  readonly accountConcurrency?: number;
  /** Executions by function. */
  readonly reservedConcurrency?: Readonly<Record<string, number>>;
  readonly requestsPerSecond?: number;
  /** Requests per second by route. */
  readonly routeRequestsPerSecond?: Readonly<Record<string, number>>;
  readonly canaryMinutes?: 0 | 5 | 10 | 15 | 30;
  readonly wafRequestsPer5Minutes?: number;
  readonly wafAddressHeader?: string;
  readonly monthlyBudgetUsd?: number;
  /** Makes the role by which API Gateway writes access logs; an account needs one in each region. */
  readonly apiGatewayLogRole?: boolean;
}

/** Props of the construct. */
export interface RunServiceProps extends ServiceSettings {
  readonly domain?: ServiceDomain;
  /** Of the stack that it makes below an app or a stage. */
  readonly env?: Environment;
  readonly description?: string;
  readonly synthesizer?: IStackSynthesizer;
}
