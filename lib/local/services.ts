// Starts the services of a loaded stack and joins them: tables, queues, objects, keys, functions, executions.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createAccess, type OperatorAccess } from './access.ts';
import type { DoorOptions } from './door.ts';
import { createTables, type DynamoDb } from './dynamodb.ts';
import { createFaults, type Faults } from './faults.ts';
import { openKeptValues } from './kept-values.ts';
import { kmsOperations } from './kms.ts';
import { createLambdaHost, type InvokeResult, type LambdaHost } from './lambda.ts';
import { createMeter, type Meter } from './meter.ts';
import { type Policies, readPolicies, roleGuard } from './policy.ts';
import { openQueues, type Queues } from './queues.ts';
import { openObjectStore } from './s3.ts';
import { secretOperations } from './secrets.ts';
import { sqsOperations } from './sqs.ts';
import { openStates, type States } from './states.ts';
import type { Stack } from './template.ts';

export interface ServicesOptions {
  stack: Stack;
  dataDir: string;
  dynamodb: DynamoDb;
  doorUrl: string;
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
  meter: Meter;
  operator: OperatorAccess;
}

export type Stop = () => void | Promise<void>;

/** Starts them; what ends each is added to `stops`, in the order of the starts. Throws SetupError. */
export async function startServices(
  options: ServicesOptions,
  stops: Stop[],
): Promise<{ services: Services; door: DoorOptions }> {
  const { stack, dynamodb, doorUrl, guarded } = options;
  const file = (name: string) => join(options.dataDir, name);
  const policies = readPolicies(stack);
  const faults = createFaults();
  const meter = createMeter();
  const access = createAccess(stack, doorUrl, guarded || options.foreignEngine ? doorUrl : dynamodb.url);
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
    kms: kmsOperations(stack, openKeptValues(file('kms.json'))),
    secretsmanager: secretOperations(stack, openKeptValues(file('secrets.json'))),
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
