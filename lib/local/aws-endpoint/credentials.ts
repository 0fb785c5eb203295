// Credentials of the AWS endpoint: one access key per function and one for the operator, new at each start.
import { randomBytes } from 'node:crypto';
import { devNull } from 'node:os';
import { REGION } from '../template/attributes.ts';
import type { Stack } from '../template/template.ts';

/** How the operator's tools reach the local Lambda. */
export interface OperatorAccess {
  lambda_endpoint: string;
  region: string;
  access_key_id: string;
  secret_access_key: string;
  /** Logical id → name. */
  functions: Record<string, string>;
}

/** The access keys of this start. */
export interface Credentials {
  /** Access key id → function name, or `operator`. */
  callers: ReadonlyMap<string, string>;
  operator: OperatorAccess;
  /** Variables that give a function's SDK clients their identity. */
  envOf(functionName: string): Record<string, string>;
}

/** Generates the keys. */
export function createCredentials(stack: Stack, endpointUrl: string): Credentials {
  const functions = stack
    .ofType('AWS::Lambda::Function')
    .map(({ id, attributes }) => [id, attributes.ref] as const);
  const operator = newKey();
  const keys = new Map(functions.map(([, name]) => [name, newKey()]));
  return {
    callers: new Map([[operator.id, 'operator'], ...[...keys].map(([name, { id }]) => [id, name] as const)]),
    operator: {
      lambda_endpoint: endpointUrl,
      region: REGION,
      access_key_id: operator.id,
      secret_access_key: operator.secret,
      functions: Object.fromEntries(functions),
    },
    envOf(name) {
      const key = keys.get(name) ?? newKey();
      return {
        AWS_ACCESS_KEY_ID: key.id,
        AWS_SECRET_ACCESS_KEY: key.secret,
        // The developer's AWS profile must not reach the functions.
        AWS_CONFIG_FILE: devNull,
        AWS_SHARED_CREDENTIALS_FILE: devNull,
      };
    },
  };
}

function newKey(): { id: string; secret: string } {
  return { id: randomBytes(16).toString('hex').toUpperCase(), secret: randomBytes(30).toString('base64url') };
}
