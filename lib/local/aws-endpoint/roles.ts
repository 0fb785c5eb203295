// The role check: every call is held against the role that the template gives to the function that signed it.

import {
  isObject,
  type Json,
  type JsonObject,
  listAt,
  objectAt,
  optionalString,
  SetupError,
  stringAt,
} from '../json-values.ts';
import { ACCOUNT, REGION } from '../template/attributes.ts';
import type { Stack } from '../template/template.ts';
import { AwsError } from './aws-protocol.ts';
import type { AwsRequest } from './aws-request.ts';
import type { Guard } from './endpoint-server.ts';

/** One thing that a call needs to be allowed. */
export interface Right {
  action: string;
  resource: string;
}

/** Answers whether a role, by its logical id or name, holds a right. */
export interface Policies {
  allows(role: string, right: Right): boolean;
  /** The role of a function, by the function's name. */
  roleOf(functionName: string): string | undefined;
}

interface Statement {
  allow: boolean;
  actions: RegExp[];
  resources: RegExp[];
}

/** Rights of an AWS-managed policy that roles may name. */
const managed: Record<string, Statement[]> = {
  AWSLambdaBasicExecutionRole: [],
  AmazonAPIGatewayPushToCloudWatchLogs: [],
};

/** Reads roles and policies. Throws SetupError for statements that the check would not judge rightly. */
export function readPolicies(stack: Stack): Policies {
  const statements = new Map<string, Statement[]>();
  for (const { id, properties, attributes } of stack.ofType('AWS::IAM::Role')) {
    const inline = listAt(properties.Policies, id).flatMap((policy) => documentOf(objectAt(policy, id), id));
    const attached = listAt(properties.ManagedPolicyArns, id).flatMap((arn) =>
      managedStatements(String(arn), stack),
    );
    statements.set(attributes.ref, [...inline, ...attached]);
  }
  for (const { id, properties } of stack.ofType('AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy')) {
    for (const role of listAt(properties.Roles, id)) {
      const known = statements.get(String(role));
      if (!known) throw new SetupError(`${id}: there is no role ${role}`);
      known.push(...documentOf(properties, id));
    }
  }
  const roles = new Map(
    stack
      .ofType('AWS::Lambda::Function')
      .map(({ id, attributes, properties }) => [
        attributes.ref,
        roleName(stringAt(properties.Role, `${id}.Role`)),
      ]),
  );
  return {
    roleOf: (functionName) => roles.get(functionName),
    allows(role, { action, resource }) {
      const fitting = (statements.get(roleName(role)) ?? []).filter(
        (statement) =>
          statement.actions.some((pattern) => pattern.test(action)) &&
          statement.resources.some((pattern) => pattern.test(resource)),
      );
      return fitting.length > 0 && fitting.every((statement) => statement.allow);
    },
  };
}

function managedStatements(arn: string, stack: Stack): Statement[] {
  const name = arn.split('/').at(-1) ?? '';
  const known = managed[name];
  if (known) return known;
  const own = stack.ofType('AWS::IAM::ManagedPolicy').find(({ attributes }) => attributes.ref === arn);
  if (own) return documentOf(own.properties, own.id);
  throw new SetupError(`the local runtime does not know the managed policy ${name}`);
}

function documentOf(policy: JsonObject, id: string): Statement[] {
  const document = objectAt(policy.PolicyDocument, `${id}.PolicyDocument`);
  return listAt(document.Statement, id).flatMap((value) => {
    const statement = objectAt(value, id);
    const unknown = ['NotAction', 'NotResource'].find((field) => statement[field] !== undefined);
    if (unknown) throw new SetupError(`${id}: the role check does not know ${unknown} in a statement`);
    if (statement.Condition !== undefined && onlyThroughServices(statement, id)) return [];
    const allow = statement.Effect === 'Allow';
    return [{ allow, actions: patterns(statement.Action, 'i'), resources: patterns(statement.Resource, '') }];
  });
}

/** A key that is usable through other services only is no right to call KMS itself. Throws SetupError for other conditions. */
function onlyThroughServices(statement: JsonObject, id: string): boolean {
  const condition = objectAt(statement.Condition, `${id}.Condition`);
  const keys = Object.keys(objectAt(condition.StringEquals, `${id}.Condition`));
  if (statement.Effect === 'Allow' && Object.keys(condition).length === 1 && keys.join() === 'kms:ViaService')
    return true;
  throw new SetupError(`${id}: the role check does not know the condition ${JSON.stringify(condition)}`);
}

function patterns(value: Json | undefined, flags: string): RegExp[] {
  return (Array.isArray(value) ? value : [value]).map((text) => {
    const escaped = String(text)
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.');
    return new RegExp(`^${escaped}$`, flags);
  });
}

function roleName(role: string): string {
  return role.split('/').at(-1) ?? role;
}

/** A guard that refuses calls whose signer's role lacks a right, in the words of the service. The operator may do all. */
export function roleGuard(policies: Policies, machineOfToken: (token: string) => string | undefined): Guard {
  return async (call, forward) => {
    if (call.caller === 'operator') return forward(call);
    const role = policies.roleOf(call.caller) ?? '';
    const missing = rightsOf(call, machineOfToken).find((right) => !policies.allows(role, right));
    if (!missing) return forward(call);
    const message = `User: arn:aws:sts::${ACCOUNT}:assumed-role/${role}/${call.caller} is not authorized to perform: ${missing.action} on resource: ${missing.resource} because no identity-based policy allows the ${missing.action} action`;
    if (call.service === 's3') throw new AwsError('AccessDenied', message, 403);
    throw new AwsError(
      call.service === 'lambda'
        ? 'AccessDeniedException'
        : (accessDenied[call.service] ?? 'AccessDeniedException'),
      message,
      call.service === 'lambda' ? 403 : 400,
    );
  };
}

const accessDenied: Record<string, string> = { sqs: 'AccessDenied' };
const innerActions: Record<string, string> = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
};
const s3Actions: Record<string, string> = { HeadObject: 'GetObject', ListObjectsV2: 'ListBucket' };

/** The rights that a call needs, as IAM names them. */
export function rightsOf(call: AwsRequest, machineOfToken: (token: string) => string | undefined): Right[] {
  const { input, operation, path } = call;
  const arn = (service: string, rest: string) => `arn:aws:${service}:${REGION}:${ACCOUNT}:${rest}`;
  switch (call.service) {
    case 'dynamodb':
      return tableRights(input, operation);
    case 'sqs': {
      const queue = optionalString(input.QueueUrl) ?? optionalString(input.QueueName) ?? '';
      return [
        {
          action: `sqs:${operation.replace(/Batch$/, '')}`,
          resource: arn('sqs', queue.split('/').at(-1) ?? ''),
        },
      ];
    }
    case 's3': {
      const resource = `arn:aws:s3:::${path.bucket}${path.key === '' ? '' : `/${path.key}`}`;
      return [{ action: `s3:${s3Actions[operation] ?? operation}`, resource }];
    }
    case 'lambda':
      return [{ action: 'lambda:InvokeFunction', resource: arn('lambda', `function:${path.functionName}`) }];
    case 'states': {
      const token = optionalString(input.taskToken);
      // The rights to answer a task are held on its state machine; an unknown token is for the service to refuse.
      const machine = token === undefined ? optionalString(input.stateMachineArn) : machineOfToken(token);
      if (token !== undefined && machine === undefined) return [];
      return [
        { action: `states:${operation}`, resource: machine ?? optionalString(input.executionArn) ?? '' },
      ];
    }
    case 'kms':
      return [{ action: `kms:${operation}`, resource: keyArn(input) }];
    case 'secretsmanager':
      return [{ action: `secretsmanager:${operation}`, resource: optionalString(input.SecretId) ?? '' }];
  }
}

function tableRights(input: JsonObject, operation: string): Right[] {
  const table = (name: Json | undefined) =>
    `arn:aws:dynamodb:${REGION}:${ACCOUNT}:table/${String(name).split('/').at(-1)}`;
  const index = input.IndexName === undefined ? '' : `/index/${input.IndexName}`;
  if (operation === 'TransactWriteItems' || operation === 'TransactGetItems') {
    return listAt(input.TransactItems, 'TransactItems').flatMap((item) =>
      Object.entries(objectAt(item, 'TransactItems')).map(([kind, inner]) => ({
        action: `dynamodb:${innerActions[kind] ?? 'GetItem'}`,
        resource: table(isObject(inner) ? inner.TableName : undefined),
      })),
    );
  }
  if (operation === 'BatchGetItem' || operation === 'BatchWriteItem') {
    return Object.keys(objectAt(input.RequestItems, 'RequestItems')).map((name) => ({
      action: `dynamodb:${operation}`,
      resource: table(name),
    }));
  }
  return [{ action: `dynamodb:${operation}`, resource: `${table(input.TableName)}${index}` }];
}

function keyArn(input: JsonObject): string {
  const named =
    optionalString(input.KeyId) ??
    Buffer.from(optionalString(input.CiphertextBlob) ?? '', 'base64')
      .toString('latin1')
      .split('\0')[0] ??
    '';
  return named.startsWith('arn:') ? named : `arn:aws:kms:${REGION}:${ACCOUNT}:key/${named}`;
}
