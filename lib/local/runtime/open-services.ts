// Starts the services of a loaded stack and joins them: tables, queues, objects, keys, functions, executions.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createAccess, type OperatorAccess } from '../aws-endpoint/credentials.ts';
import type { EndpointOptions } from '../aws-endpoint/endpoint-server.ts';
import { createFaults, type Faults } from '../aws-endpoint/faults.ts';
import { type Policies, readPolicies, roleGuard } from '../aws-endpoint/roles.ts';
import { createUsage, type Usage } from '../aws-endpoint/usage.ts';
import { createTables, type DynamoDb } from '../dynamodb/dynamodb-engine.ts';
import { kmsOperations } from '../kms/kms.ts';
import { createLambdaHost, type InvokeResult, type LambdaHost } from '../lambda/lambda-host.ts';
import { openObjectStore } from '../s3/s3-objects.ts';
import { secretOperations } from '../secrets-manager/secrets-manager.ts';
import { openQueues, type Queues } from '../sqs/queues.ts';
import { sqsOperations } from '../sqs/sqs-operations.ts';
import { openStates, type States } from '../step-functions/executions.ts';
import type { Stack } from '../template/template.ts';
import { openSecretFile } from './secret-file.ts';

export interface ServicesOptions {
  stack: Stack;
  dataDir: string;
  dynamodb: DynamoDb;
  endpointUrl: string;
  /** DynamoDB calls go through the door too, where they are checked, counted and disturbed. */
  guarded: boolean;
  /** The engine is one that only the door may sign for. */
  foreignEngine: boolean;
  extraEnv: Record<string, string>;
}

/** The running services. */
export interface Services {
  lambda: LambdaHost;
  states: States;
  queues: Queues;
  faults: Faults;
  meter: Usage;
  operator: OperatorAccess;
}

export type Stop = () => void | Promise<void>;

/** Starts them; what ends each is added to `stops`, in the order of the starts. Throws SetupError. */
export async function startServices(
  options: ServicesOptions,
  stops: Stop[],
): Promise<{ services: Services; door: EndpointOptions }> {
  const { stack, dynamodb, endpointUrl, guarded } = options;
  const file = (name: string) => join(options.dataDir, name);
  const policies = readPolicies(stack);
  const faults = createFaults();
  const meter = createUsage();
  const access = createAccess(
    stack,
    endpointUrl,
    guarded || options.foreignEngine ? endpointUrl : dynamodb.url,
  );
  const queues = openQueues(stack, file('queues.db'));
  stops.push(queues.close);
  const objects = openObjectStore(stack, file('objects'));
  stops.push(objects.close);
  await createTables(stack, dynamodb);
  mkdirSync(file('logs'), { recursive: true });
  const envOf = (name: string) => ({ ...access.envOf(name), ...options.extraEnv });
  const lambda = createLambdaHost({ stack, logFolder: file('logs'), envOf });
  stops.push(lambda.stop);
  const states = openStates(
    stack,
    file('executions.db'),
    invoker(stack, lambda, guarded ? policies : undefined),
  );
  stops.push(states.stop);
  const operations = {
    sqs: sqsOperations(queues),
    states: states.operations,
    kms: kmsOperations(stack, openSecretFile(file('kms.json'))),
    secretsmanager: secretOperations(stack, openSecretFile(file('secrets.json'))),
  };
  const guards = guarded ? [meter.guard, roleGuard(policies, states.machineOfToken), faults.guard] : [];
  return {
    services: { lambda, states, queues, faults, meter, operator: access.operator },
    door: { callers: access.callers, operations, objects, lambda, dynamodb, guards },
  };
}

/** Step Functions invokes with the state machine's own role. */
function invoker(stack: Stack, lambda: LambdaHost, policies: Policies | undefined) {
  const roles = new Map(
    stack
      .ofType('AWS::StepFunctions::StateMachine')
      .map(({ attributes, properties }) => [attributes.ref, String(properties.RoleArn)]),
  );
  const arns = new Map(
    stack.ofType('AWS::Lambda::Function').map(({ attributes }) => [attributes.ref, attributes.Arn ?? '']),
  );
  return async (machineArn: string, functionName: string, payload: string): Promise<InvokeResult> => {
    const right = { action: 'lambda:InvokeFunction', resource: arns.get(functionName) ?? '' };
    if (!policies || policies.allows(roles.get(machineArn) ?? '', right))
      return lambda.invoke(functionName, payload);
    const errorMessage = `the state machine's role may not perform ${right.action} on ${right.resource}`;
    return { ok: false, error: { errorType: 'Lambda.AWSLambdaException', errorMessage } };
  };
}
