// Who may knock at the door: one access key per function and one for the operator, made anew at each start.
import { randomBytes } from 'node:crypto';
import { devNull } from 'node:os';
import { REGION } from '../template/attributes.ts';
import type { Stack } from '../template/template.ts';

/** How the operator's own tools reach the local Lambda. */
export interface OperatorAccess {
  lambda_endpoint: string;
  region: string;
  access_key_id: string;
  secret_access_key: string;
  /** Logical id → name. */
  functions: Record<string, string>;
}

/** The keys of one start. */
export interface Access {
  /** Access key id → function name, or `operator`. */
  callers: ReadonlyMap<string, string>;
  operator: OperatorAccess;
  /** What tells a function's SDK clients where AWS is, and who they are. */
  envOf(functionName: string): Record<string, string>;
}

const SERVICES = ['S3', 'SQS', 'SFN', 'KMS', 'SECRETS_MANAGER', 'LAMBDA'];

/** Makes the keys. DynamoDB may have an address of its own, all else is behind the door. */
export function createAccess(stack: Stack, endpointUrl: string, dynamodbUrl: string): Access {
  const functions = stack
    .ofType('AWS::Lambda::Function')
    .map(({ id, attributes }) => [id, attributes.ref] as const);
  const operator = newKey();
  const keys = new Map(functions.map(([, name]) => [name, newKey()]));
  const shared = {
    AWS_ENDPOINT_URL_DYNAMODB: dynamodbUrl,
    ...Object.fromEntries(SERVICES.map((service) => [`AWS_ENDPOINT_URL_${service}`, endpointUrl])),
    // Nobody's own AWS profile must reach the functions.
    AWS_CONFIG_FILE: devNull,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
  };
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
      return { ...shared, AWS_ACCESS_KEY_ID: key.id, AWS_SECRET_ACCESS_KEY: key.secret };
    },
  };
}

function newKey(): { id: string; secret: string } {
  return { id: randomBytes(16).toString('hex').toUpperCase(), secret: randomBytes(30).toString('base64url') };
}
