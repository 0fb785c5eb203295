// Settings for SDK clients whose requests stay in this process: unsigned, without an address, and as objects for the
// table.
import { setImmediate } from 'node:timers';
import { AwsError } from '../../aws-endpoint/aws-protocol.ts';
import { type JsonObject, objectAt } from '../../json-values.ts';
import { type ObjectReply, objectProtocol } from './object-protocol.ts';

/** A request as the SDK passes it to a request handler. */
interface SdkRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: unknown;
}

/** A reply as the SDK expects it from a request handler. */
interface SdkResponse {
  response: { statusCode: number; headers: Record<string, string>; body: Uint8Array | ObjectReply };
}

type Handle = (request: SdkRequest, options?: { abortSignal?: AbortSignal }) => Promise<SdkResponse>;

/** A request as text. */
export interface TextRequest {
  method: string;
  /** `/` in AWS JSON, whose requests name their operation in a header. */
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** A reply as text; no status means that the connection was cut. */
export interface TextReply {
  status: number | undefined;
  headers: Record<string, string>;
  body: string;
}

/** Requests inside the process are not signed: the thread they come from identifies the caller. */
const httpAuthSchemes = [
  {
    schemeId: 'aws.auth#sigv4',
    identityProvider: (config: { getIdentityProvider(id: string): unknown }) =>
      config.getIdentityProvider('aws.auth#sigv4'),
    signer: { sign: async (request: unknown) => request },
  },
];

function settings(handle: Handle) {
  const requestHandler = {
    metadata: { handlerProtocol: 'http/1.1' },
    handle,
    updateHttpClientConfig() {},
    httpHandlerConfigs: () => ({}),
    destroy() {},
  };
  // The address is never resolved.
  return { endpoint: 'http://aws.local', httpAuthSchemes, requestHandler };
}

const operationIn = ({ headers }: SdkRequest) => headers['x-amz-target']?.split('.')[1] ?? '';

const aborted = () => Object.assign(new Error('Request aborted'), { name: 'AbortError' });

/** For a service that reads JSON as text. */
export function textClient(ask: (request: TextRequest) => Promise<TextReply>) {
  return settings(async ({ method, path, headers: sent, body: given }, { abortSignal } = {}) => {
    const { promise: cut, reject } = Promise.withResolvers<never>();
    abortSignal?.addEventListener('abort', () => reject(aborted()), { once: true });
    const { status, headers, body } = await Promise.race([
      ask({ method, path, headers: sent, body: textOf(given) }),
      cut,
    ]);
    // Looks like a reset connection to the SDK, which retries.
    if (status === undefined) throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
    const response = {
      statusCode: status,
      headers: { 'content-type': 'application/x-amz-json-1.0', ...headers },
      body: Buffer.from(body),
    };
    return { response };
  });
}

/** For the table. `perform` throws AwsError for a refusal. */
export function tableClient(perform: (operation: string, input: JsonObject) => Promise<JsonObject>) {
  const handle: Handle = async (request, { abortSignal } = {}) => {
    // Yields like a network call would: a loop of reads must not block the thread.
    await new Promise((resolve) => setImmediate(resolve));
    if (abortSignal?.aborted) throw aborted();
    try {
      const output = await perform(operationIn(request), objectAt(Object(request.body), 'request'));
      return { response: { statusCode: 200, headers: {}, body: { output } } };
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      return { response: { statusCode: error.status, headers: {}, body: { error } } };
    }
  };
  return { ...settings(handle), protocol: objectProtocol };
}

const textOf = (body: unknown): string =>
  body instanceof Uint8Array ? Buffer.from(body).toString() : String(body ?? '{}');
