// The protocol of the SDK's table client when the table is in the same thread: requests and replies stay objects.
import { randomUUID } from 'node:crypto';
import type { AwsError } from '../../aws-endpoint/aws-protocol.ts';
import type { Json, JsonObject } from '../../json-values.ts';

/** Replaces the body of a response. */
export type ObjectReply = { output: JsonObject } | { error: AwsError };

/** The part of the SDK's error type registries that is used here. */
interface ErrorTypes {
  find(matches: (schema: readonly unknown[]) => boolean): readonly unknown[] | undefined;
  getErrorCtor(schema: readonly unknown[]): (new (options: object) => Error) | undefined;
}

/** The position of the name in a schema of the SDK, which is a tuple. */
const SCHEMA_NAME = 2;

/** The SDK constructs it with the settings of the client's own protocol. */
export const objectProtocol = class ObjectProtocol {
  readonly #errorTypes: readonly ErrorTypes[];

  constructor({ errorTypeRegistries }: { errorTypeRegistries: readonly ErrorTypes[] }) {
    this.#errorTypes = errorTypeRegistries;
  }

  setSerdeContext(): void {}

  /** A request that the SDK's middleware accepts as an HTTP request, with the input as its body. */
  async serializeRequest({ name }: { name: string }, input: object): Promise<object> {
    // As in the SDK's own protocols: the token makes a retried transaction idempotent.
    const token = name === 'TransactWriteItems' && { ClientRequestToken: randomUUID() };
    return {
      method: 'POST',
      protocol: 'http:',
      hostname: 'aws.local',
      path: '/',
      query: {},
      // Given a length, the SDK does not measure the body.
      headers: { host: 'aws.local', 'x-amz-target': `DynamoDB_20120810.${name}`, 'content-length': '0' },
      body: token ? { ...token, ...input } : input,
    };
  }

  /** The output. Throws the SDK's own error for a refusal. */
  async deserializeResponse(
    _operation: unknown,
    _context: unknown,
    { statusCode, body }: { statusCode: number; body: ObjectReply },
  ): Promise<object> {
    if ('error' in body) throw this.#errorOf(body.error, statusCode);
    withBytes(body.output);
    return Object.assign(body.output, { $metadata: { httpStatusCode: statusCode } });
  }

  #errorOf({ code, message, details }: AwsError, httpStatusCode: number): Error {
    withBytes(details);
    const given = { message, $metadata: { httpStatusCode }, ...details };
    for (const types of this.#errorTypes) {
      const schema = types.find((one) => Array.isArray(one) && one[SCHEMA_NAME] === code);
      const Known = schema && types.getErrorCtor(schema);
      if (Known) return new Known(given);
    }
    return Object.assign(new Error(message), { name: code, $fault: faultOf(httpStatusCode), ...given });
  }
};

const faultOf = (status: number) => (status >= 500 ? 'server' : 'client');

/** Decodes the base64 of binary values, in place. */
export function withBytes(value: Json | undefined): void {
  if (Array.isArray(value)) for (const one of value) withBytes(one);
  else if (typeof value === 'object' && value !== null)
    for (const name of Object.keys(value)) {
      const member = value[name];
      if (name === 'B' && typeof member === 'string') Reflect.set(value, name, bytesOf(member));
      else if (name === 'BS' && Array.isArray(member))
        Reflect.set(value, name, member.map(String).map(bytesOf));
      else if (typeof member === 'object') withBytes(member);
    }
}

const bytesOf = (base64: string): Uint8Array => Uint8Array.from(Buffer.from(base64, 'base64'));
