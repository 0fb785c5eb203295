// The template's roles and policies: which role has which permission.
import { type Json, type JsonObject, listAt, objectAt, stringAt } from '../json-values.ts';
import { SetupError } from '../setup-error.ts';
import type { Stack } from '../template/template.ts';
import { isAllowed, type Right, type Statement } from './statements.ts';

/** Whether a role, by name or ARN, has a permission. */
export interface Policies {
  allows(role: string, right: Right): boolean;
  /** The role of a function, by the function's name; undefined if there is no such function. */
  roleOf(functionName: string): string | undefined;
  statementsOf(role: string): readonly Statement[];
}

/** AWS-managed policies that roles may have: they grant nothing that is checked here. */
const MANAGED = ['AWSLambdaBasicExecutionRole', 'AmazonAPIGatewayPushToCloudWatchLogs'];

/** Reads roles and policies. Throws SetupError for statements that cannot be evaluated. */
export function readPolicies(stack: Stack): Policies {
  const statements = new Map<string, Statement[]>();
  for (const { id, properties, attributes } of stack.ofType('AWS::IAM::Role')) {
    for (const policy of listAt(properties.ManagedPolicyArns, id)) requireManaged(String(policy));
    const inline = listAt(properties.Policies, id).flatMap((policy) =>
      statementsOf(objectAt(policy, id), id),
    );
    statements.set(attributes.ref, inline);
  }
  for (const { id, properties } of stack.ofType('AWS::IAM::Policy')) {
    for (const role of listAt(properties.Roles, id)) {
      const known = statements.get(String(role));
      if (!known) throw new SetupError(`${id}: there is no role ${role}`);
      known.push(...statementsOf(properties, id));
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
    statementsOf: (role) => statements.get(roleName(role)) ?? [],
    allows: (role, right) => isAllowed(statements.get(roleName(role)) ?? [], right),
  };
}

function requireManaged(policyArn: string): void {
  const name = policyArn.split('/').at(-1) ?? '';
  if (!MANAGED.includes(name))
    throw new SetupError(`the local runtime does not know the managed policy ${name}`);
}

function statementsOf(policy: JsonObject, id: string): Statement[] {
  const document = objectAt(policy.PolicyDocument, `${id}.PolicyDocument`);
  return listAt(document.Statement, id).flatMap((value) => {
    const statement = objectAt(value, id);
    const unknown = ['NotAction', 'NotResource'].find((field) => statement[field] !== undefined);
    if (unknown) throw new SetupError(`${id}: the role check does not know ${unknown} in a statement`);
    const conditions = conditionsOf(statement, id);
    if (!conditions) return [];
    const allow = statement.Effect === 'Allow';
    const [actions, resources] = [patterns(statement.Action, 'i'), patterns(statement.Resource, '')];
    return [{ allow, actions, resources, conditions }];
  });
}

/** The operators of conditions that the role check knows: what they compare with has no wildcard where they take none. */
const OPERATORS = new Set(['StringLike', 'ForAllValues:StringLike', 'ForAllValues:StringEquals']);

/** The conditions of a statement; undefined if no direct call meets them. Throws SetupError for unknown ones. */
function conditionsOf(statement: JsonObject, id: string): Statement['conditions'] | undefined {
  if (statement.Condition === undefined) return {};
  const condition = objectAt(statement.Condition, `${id}.Condition`);
  if (!Object.keys(condition).every((operator) => OPERATORS.has(operator))) {
    requireOnlyThroughServices(statement, id);
    return undefined;
  }
  const found = Object.values(condition).flatMap((of) => Object.entries(objectAt(of, `${id}.Condition`)));
  return Object.fromEntries(found.map(([name, value]) => [name, patterns(value, '')]));
}

/** A key usable only through other services grants no direct call to KMS. Throws SetupError for other conditions. */
function requireOnlyThroughServices(statement: JsonObject, id: string): void {
  const condition = objectAt(statement.Condition, `${id}.Condition`);
  const keys = Object.keys(objectAt(condition.StringEquals, `${id}.Condition`));
  if (statement.Effect === 'Allow' && Object.keys(condition).length === 1 && keys.join() === 'kms:ViaService')
    return;
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
