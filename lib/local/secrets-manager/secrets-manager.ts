// Secrets Manager: values generated once as the template says, stored in the data folder.
import { randomInt } from 'node:crypto';
import { AwsError, type Operation } from '../aws-endpoint/aws-protocol.ts';
import type { AwsService } from '../aws-service.ts';
import { openSecretFile, type SecretFile } from '../files/secret-file.ts';
import { numberAt, objectAt, optionalString } from '../json-values.ts';
import { SetupError } from '../setup-error.ts';
import { arn, named } from '../template/attributes.ts';
import type { Resource, Stack } from '../template/template.ts';

export const secretsManager: AwsService = {
  name: 'secretsmanager',
  resources: {
    'AWS::SecretsManager::Secret': (id, properties) => {
      const secret = arn('secretsmanager', `secret:${named('Name', id, properties)}-Local1`);
      return { ref: secret, Id: secret };
    },
  },
  endpoint: {
    variable: 'AWS_ENDPOINT_URL_SECRETS_MANAGER',
    protocol: { format: 'json', version: '1.1' },
  },
  open({ stack, file }) {
    const operations = operationsOn(stack, openSecretFile(file('secrets.json')));
    return {
      api: {
        operations,
        rightsOf: ({ operation, input }) => [
          { action: `secretsmanager:${operation}`, resource: optionalString(input.SecretId) ?? '' },
        ],
      },
    };
  },
};

const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const PUNCTUATION = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';

/** GetSecretValue over the template's secrets, by ARN or by name. Throws SetupError for one that is not known. */
function operationsOn(stack: Stack, values: SecretFile): Record<string, Operation> {
  const secrets = new Map<string, { name: string; arn: string; generate: () => string }>();
  for (const resource of stack.ofType('AWS::SecretsManager::Secret')) {
    const name = optionalString(resource.properties.Name) ?? resource.id;
    const secret = { name, arn: resource.attributes.ref, generate: generatorOf(resource) };
    secrets.set(secret.arn, secret).set(name, secret);
  }
  return {
    GetSecretValue: (input) => {
      const secret = secrets.get(optionalString(input.SecretId) ?? '');
      if (!secret)
        throw new AwsError('ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
      return {
        ARN: secret.arn,
        Name: secret.name,
        SecretString: values(secret.name, secret.generate),
        VersionStages: ['AWSCURRENT'],
      };
    },
  };
}

/** Generates a value as the template says. Throws SetupError for an option that is not known. */
function generatorOf({ id, properties }: Resource): () => string {
  const options = objectAt(properties.GenerateSecretString, `${id}.GenerateSecretString`);
  const { PasswordLength, ExcludePunctuation, ...other } = options;
  const [unknown] = Object.keys(other);
  if (unknown !== undefined)
    throw new SetupError(`${id}: the local runtime does not know ${unknown} of a generated secret`);
  const length = numberAt(PasswordLength, 32, `${id}.PasswordLength`);
  const alphabet = ExcludePunctuation === true ? LETTERS_AND_DIGITS : `${LETTERS_AND_DIGITS}${PUNCTUATION}`;
  return () => Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}
