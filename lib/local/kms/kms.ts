// KMS: Encrypt and Decrypt with AES-256-GCM, with keys in the data folder.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { AwsError, type Operation } from '../aws-endpoint/aws-protocol.ts';
import type { AwsRequest } from '../aws-endpoint/aws-request.ts';
import type { AwsService } from '../aws-service.ts';
import { openSecretFile, type SecretFile } from '../files/secret-file.ts';
import type { Right } from '../iam/statements.ts';
import { type Json, type JsonObject, objectAt, optionalString } from '../json-values.ts';
import { arn } from '../template/attributes.ts';
import type { Stack } from '../template/template.ts';

export const kms: AwsService = {
  name: 'kms',
  resources: { 'AWS::KMS::Key': (id) => ({ ref: id, KeyId: id, Arn: arn('kms', `key/${id}`) }) },
  endpoint: { variable: 'AWS_ENDPOINT_URL_KMS', protocol: { format: 'json', version: '1.1' } },
  open({ stack, file }) {
    const operations = operationsOn(stack, openSecretFile(file('kms.json')));
    return { api: { operations, rightsOf } };
  },
};

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypt and Decrypt over the template's keys. The encryption context is authenticated, as on AWS. */
function operationsOn(stack: Stack, secrets: SecretFile): Record<string, Operation> {
  const arnOf = new Map<string, string>();
  for (const { attributes } of stack.ofType('AWS::KMS::Key')) {
    const arn = attributes.Arn ?? '';
    arnOf.set(arn, arn).set(attributes.ref, arn);
  }

  function keyArn(id: Json | undefined): string {
    const arn = arnOf.get(optionalString(id) ?? '');
    if (!arn) throw new AwsError('NotFoundException', 'No such key.');
    return arn;
  }
  const secretOf = (arn: string) =>
    Buffer.from(
      secrets(arn, () => randomBytes(32).toString('base64')),
      'base64',
    );

  function encrypt(input: JsonObject): JsonObject {
    const arn = keyArn(input.KeyId);
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', secretOf(arn), iv).setAAD(context(input));
    const text = Buffer.concat([cipher.update(bytes(input.Plaintext)), cipher.final()]);
    const blob = Buffer.concat([Buffer.from(`${arn}\0`), iv, cipher.getAuthTag(), text]);
    return { CiphertextBlob: blob.toString('base64'), KeyId: arn, EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' };
  }

  function decrypt(input: JsonObject): JsonObject {
    const blob = bytes(input.CiphertextBlob);
    const start = blob.indexOf(0) + 1;
    const arn = arnOf.get(blob.subarray(0, Math.max(0, start - 1)).toString());
    if (!arn) throw new AwsError('InvalidCiphertextException', 'The ciphertext names no known key.');
    if (input.KeyId !== undefined && keyArn(input.KeyId) !== arn) {
      throw new AwsError('IncorrectKeyException', 'The ciphertext was made with another key.');
    }
    try {
      const tag = blob.subarray(start + IV_BYTES, start + IV_BYTES + TAG_BYTES);
      const cipher = createDecipheriv('aes-256-gcm', secretOf(arn), blob.subarray(start, start + IV_BYTES));
      cipher.setAAD(context(input)).setAuthTag(tag);
      const text = Buffer.concat([
        cipher.update(blob.subarray(start + IV_BYTES + TAG_BYTES)),
        cipher.final(),
      ]);
      return { Plaintext: text.toString('base64'), KeyId: arn, EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' };
    } catch {
      throw new AwsError(
        'InvalidCiphertextException',
        'The ciphertext or its encryption context was changed.',
      );
    }
  }

  return { Encrypt: encrypt, Decrypt: decrypt };
}

function bytes(value: Json | undefined): Buffer {
  return Buffer.from(optionalString(value) ?? '', 'base64');
}

function context(input: JsonObject): Buffer {
  const pairs = Object.entries(objectAt(input.EncryptionContext, 'EncryptionContext'));
  return Buffer.from(JSON.stringify(pairs.sort(([a], [b]) => (a < b ? -1 : 1))));
}

/** The key of a request: the one it names, else the one at the start of its ciphertext. */
function rightsOf({ operation, input }: AwsRequest): Right[] {
  const key =
    optionalString(input.KeyId) ?? bytes(input.CiphertextBlob).toString('latin1').split('\0')[0] ?? '';
  const owner = optionalString(objectAt(input.EncryptionContext, 'EncryptionContext').owner) ?? '';
  return [
    {
      action: `kms:${operation}`,
      resource: key.startsWith('arn:') ? key : arn('kms', `key/${key}`),
      context: { 'kms:EncryptionContext:owner': [owner] },
    },
  ];
}
