// One function with the house's defaults: own role, own log group, and exactly what its row in needs.ts says.
import { Duration } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  type Code,
  Function as LambdaFunction,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import { type Allowance, allowancesOf, type Neighbours } from './allowances.ts';
import type { FunctionName } from './entries.ts';
import { fixLogicalId } from './logical-id.ts';
import { logGroupProps } from './logs.ts';
import { type Needs, needs } from './needs.ts';
import type { Stage } from './stage.ts';

/** What every function is made from. */
export interface Shared extends Neighbours {
  stage: Stage;
  codeOf: (name: FunctionName) => Code;
  /** Address of the service without a slash at the end; error texts point below it. */
  siteUrl: string;
}

/** A function whose logical id, in every template, is its name. Nothing but its own row of needs.ts gives it rights. */
export class ServiceFunction extends LambdaFunction {
  constructor(scope: Construct, name: FunctionName, shared: Shared) {
    const need = needs[name];
    const logGroup = new LogGroup(scope, `${name}Logs`, logGroupProps(shared.stage, shared.storage.dataKey));
    const role = new Role(scope, `${name}Role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    acknowledge(role, { 'IAM5[Resource::*]': 'The two X-Ray actions do not take resources.' });
    logGroup.grantWrite(role);
    const allowances = allowancesOf(need, shared);
    for (const allowance of allowances) allow(role, allowance);
    super(scope, name, {
      code: shared.codeOf(name),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: need.memory_mb ?? 512,
      timeout: Duration.seconds(need.timeout_seconds ?? 10),
      tracing: Tracing.ACTIVE,
      role,
      logGroup,
      environment: {
        ...Object.assign({}, ...allowances.map((allowance) => allowance.variables)),
        ...settings(need, shared),
      },
    });
    fixLogicalId(this, name);
  }
}

function allow(role: Role, allowance: Allowance): void {
  for (const statement of allowance.statements) role.addToPolicy(new PolicyStatement(statement));
  acknowledge(role, allowance.wildcards ?? {});
}

/** Variables that come from the stage's settings, not from a right. */
function settings(need: Needs, { stage, siteUrl }: Shared): Record<string, string> {
  const all: Record<string, string | number | undefined> = {
    POWERTOOLS_SERVICE_NAME: 'run-service',
    POWERTOOLS_LOG_LEVEL: 'INFO',
    SITE_URL: siteUrl,
    ...(need.model && { MODEL: stage.model, PRICES: stage.prices && JSON.stringify(stage.prices) }),
    ...(need.embedding && { EMBEDDING_MODEL: stage.embedding_model }),
    ...(need.slices && {
      SLICE_MS: stage.slice_seconds * 1000,
      STEPS_PER_SLICE: stage.steps_per_slice,
      MAX_PARALLEL_CALLS: stage.max_parallel_calls,
    }),
  };
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}
