// Step Functions: the template's state machines, run with their roles.
import type { AwsRequest } from '../aws-endpoint/aws-request.ts';
import type { AwsService, ServiceContext } from '../aws-service.ts';
import type { Right } from '../iam/statements.ts';
import { optionalString } from '../json-values.ts';
import { throttled } from '../lambda/host/lambda-host.ts';
import { arn, named } from '../template/attributes.ts';
import { type Executions, type InvokeAs, openExecutions } from './durable-executions.ts';

export const stepFunctions: AwsService = {
  name: 'states',
  resources: {
    'AWS::StepFunctions::StateMachine': (id, properties) => {
      const name = named('StateMachineName', id, properties);
      const machine = arn('states', `stateMachine:${name}`);
      return { ref: machine, Arn: machine, Name: name };
    },
  },
  endpoint: { variable: 'AWS_ENDPOINT_URL_SFN', protocol: { format: 'json', version: '1.0' } },
  open(context) {
    const executions = openExecutions(context.stack, context.file('executions.db'), invokeAs(context));
    return {
      api: {
        operations: executions.operations,
        rightsOf: (request) => rightsOf(request, executions.machineOfToken),
      },
      begin: executions.resume,
      stop: executions.stop,
      figures: executions.figures,
    };
  },
};

/** Invokes a function if the state machine's role allows it; otherwise fails as AWS does. */
function invokeAs({ stack, lambda, allows }: ServiceContext): InvokeAs {
  const roles = new Map(
    stack
      .ofType('AWS::StepFunctions::StateMachine')
      .map(({ attributes, properties }) => [attributes.ref, String(properties.RoleArn)]),
  );
  return async (machineArn, functionName, payload, isCrowd) => {
    const right = { action: 'lambda:InvokeFunction', resource: arn('lambda', `function:${functionName}`) };
    if (allows(roles.get(machineArn) ?? '', right)) {
      const result = await lambda.invokeTask(functionName, payload, isCrowd);
      // A state machine sees errors of Lambda itself, unlike those of the function, with this prefix.
      if (result.ok || result.error !== throttled) return result;
      return { ok: false, error: { ...throttled, errorType: `Lambda.${throttled.errorType}` } };
    }
    const errorMessage = `the state machine's role may not perform ${right.action} on ${right.resource}`;
    return { ok: false, error: { errorType: 'Lambda.AWSLambdaException', errorMessage } };
  };
}

/** The permission to answer a task is on its state machine; the service itself rejects an unknown token. */
function rightsOf({ operation, input }: AwsRequest, machineOfToken: Executions['machineOfToken']): Right[] {
  const token = optionalString(input.taskToken);
  const machine = token === undefined ? optionalString(input.stateMachineArn) : machineOfToken(token);
  if (token !== undefined && machine === undefined) return [];
  return [{ action: `states:${operation}`, resource: machine ?? optionalString(input.executionArn) ?? '' }];
}
