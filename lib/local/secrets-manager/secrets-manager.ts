// Secrets Manager: values generated once as the template says, stored in the data folder.
import { randomInt } from 'node:crypto';
import { AwsError, type Operation } from '../aws-endpoint/aws-protocol.ts';
import type { AwsService } from '../aws-service.ts';
import { openSecretFile, type SecretFile } from '../files/secret-file.ts';
import { type JsonObject, numberAt, objectAt, optionalString, parseObject } from '../json-values.ts';
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

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';
const PUNCTUATION = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';

/** GetSecretValue over the template's secrets, by ARN or by name. */
function operationsOn(stack: Stack, values: SecretFile): Record<string, Operation> {
  const secrets = new Map<string, Resource>();
  for (const resource of stack.ofType('AWS::SecretsManager::Secret')) {
    secrets.set(resource.attributes.ref, resource);
    secrets.set(nameOf(resource), resource);
  }
  return {
    GetSecretValue: (input) => {
      const resource = secrets.get(optionalString(input.SecretId) ?? '');
      if (!resource)
        throw new AwsError('ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
      const value = values(nameOf(resource), () => firstValue(resource.properties, resource.id));
      return {
        ARN: resource.attributes.ref,
        Name: nameOf(resource),
        SecretString: value,
        VersionStages: ['AWSCURRENT'],
      };
    },
  };
}

function nameOf(resource: Resource): string {
  return optionalString(resource.properties.Name) ?? resource.id;
}

function firstValue(properties: JsonObject, id: string): string {
  const fixed = optionalString(properties.SecretString);
  if (fixed !== undefined) return fixed;
  const options = objectAt(properties.GenerateSecretString, `${id}.GenerateSecretString`);
  const generated = generate(options, id);
  const key = optionalString(options.GenerateStringKey);
  if (key === undefined) return generated;
  const template = parseObject(
    optionalString(options.SecretStringTemplate) ?? '{}',
    `${id}.SecretStringTemplate`,
  );
  return JSON.stringify({ ...template, [key]: generated });
}

function generate(options: JsonObject, id: string): string {
  const excluded = optionalString(options.ExcludeCharacters) ?? '';
  const alphabet = [
    ...(options.ExcludeLowercase === true ? '' : LETTERS),
    ...(options.ExcludeUppercase === true ? '' : LETTERS.toUpperCase()),
    ...(options.ExcludeNumbers === true ? '' : DIGITS),
    ...(options.ExcludePunctuation === true ? '' : PUNCTUATION),
  ].filter((sign) => !excluded.includes(sign));
  const length = numberAt(options.PasswordLength, 32, `${id}.PasswordLength`);
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}
