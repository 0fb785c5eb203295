// Settings of SDK clients whose requests stay in this process: unsigned, to no address, and for the table as objects.
import { setImmediate } from 'node:timers';
import { AwsError } from '../../aws-endpoint/aws-protocol.ts';
import { type JsonObject, objectAt } from '../../json-values.ts';
import { handsOverObjects, type ObjectReply } from './object-protocol.ts';

/** A request as the SDK hands it to a request handler. */
interface SdkRequest {
  headers: Record<string, string>;
  body: unknown;
}

/** A reply as the SDK takes it from a request handler. */
interface SdkResponse {
  response: { statusCode: number; headers: Record<string, string>; body: Uint8Array | ObjectReply };
}

type Handle = (request: SdkRequest, options?: { abortSignal?: AbortSignal }) => Promise<SdkResponse>;

/** A reply in AWS JSON; without a status when its connection is cut. */
export interface TextReply {
  status: number | undefined;
  headers: Record<string, string>;
  body: string;
}

/** What stays in the process is not signed: where it comes from tells who asks. */
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
  // Nobody resolves the address.
  return { endpoint: 'http://aws.local', httpAuthSchemes, requestHandler };
}

const operationIn = ({ headers }: SdkRequest) => headers['x-amz-target']?.split('.')[1] ?? '';

const aborted = () => Object.assign(new Error('Request aborted'), { name: 'AbortError' });

/** For a service that takes AWS JSON as text. */
export function textClient(ask: (operation: string, body: string) => Promise<TextReply>) {
  return settings(async (request, { abortSignal } = {}) => {
    const { promise: cut, reject } = Promise.withResolvers<never>();
    abortSignal?.addEventListener('abort', () => reject(aborted()), { once: true });
    const { status, headers, body } = await Promise.race([
      ask(operationIn(request), textOf(request.body)),
      cut,
    ]);
    // As when a connection ends: the SDK tries again.
    if (status === undefined) throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
    const response = {
      statusCode: status,
      headers: { 'content-type': 'application/x-amz-json-1.0', ...headers },
      body: Buffer.from(body),
    };
    return { response };
  });
}

/** For the table: `perform` carries an operation out, and throws AwsError for a refusal. */
export function tableClient(perform: (operation: string, input: JsonObject) => Promise<JsonObject>) {
  const handle: Handle = async (request, { abortSignal } = {}) => {
    // As with a reply from afar, others get their turn: who reads in a loop must not keep the thread to itself.
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
  return { ...settings(handle), protocol: handsOverObjects };
}

const textOf = (body: unknown): string =>
  body instanceof Uint8Array ? Buffer.from(body).toString() : String(body ?? '{}');
