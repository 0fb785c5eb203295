// Sources of kind `mcp`: a tool of an MCP server over streamable HTTP, one call for each page (rules.md: sources 4).
// Loaded on demand.
import {
  Client,
  type JsonSchemaValidator,
  type JsonSchemaValidatorResult,
  type jsonSchemaValidator,
  ProtocolError,
  type RequestOptions,
  SdkError,
  SdkErrorCode,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { isJsonObject, type JsonObject } from '#contract/json.ts';
import { API_VERSION, limits } from '#contract/limits.ts';
import type { Outcome, Send } from '#outbound/request.ts';
import { USER_AGENT } from './http-pages.ts';
import { failureOf, SourceFailure, wrongStatus } from './source-failure.ts';
import {
  type CallLimits,
  jsonOf,
  type OpenSource,
  type PageRequest,
  pageOf,
  type SourcePages,
  textOf,
} from './source-pages.ts';

/** How long a server may take to hear that its session is over. */
const CLOSE_MS = 1000;

/** A schema of the server must not become a program here. The page is checked in any case. */
const withoutValidation: jsonSchemaValidator = {
  getValidator:
    <T>(): JsonSchemaValidator<T> =>
    (input): JsonSchemaValidatorResult<T> => ({ valid: true, data: input as T, errorMessage: undefined }),
};

interface Session {
  client: Client;
  transport: StreamableHTTPClientTransport;
  /** The params of the tool; undefined until the server has named them. */
  takes: ReadonlySet<string> | undefined;
}

/** The pages of a source of kind `mcp`. */
export function mcpPages(source: OpenSource, send: Send): SourcePages {
  return new McpPages(source, send);
}

class McpPages implements SourcePages {
  readonly #source: OpenSource;
  readonly #send: Send;
  #session: Session | undefined;
  /** The limits of the present call, and how it failed. */
  #call: CallLimits | undefined;
  #failure: SourceFailure | undefined;

  constructor(source: OpenSource, send: Send) {
    this.#source = source;
    this.#send = send;
  }

  async page(request: PageRequest, limitsOfCall: CallLimits) {
    this.#call = limitsOfCall;
    this.#failure = undefined;
    try {
      return await this.#ask(request, limitsOfCall);
    } catch (error) {
      const failed = this.#failure ?? failureBehind(error);
      if (failed.transient) {
        // Whether the server still has the session is unknown: the next try begins another one.
        await this.#session?.client.close().catch(() => undefined);
        this.#session = undefined;
      }
      throw failed;
    }
  }

  async close(limitsOfCall: CallLimits): Promise<void> {
    if (!this.#session) return;
    this.#call = { ...limitsOfCall, timeoutMs: CLOSE_MS };
    const { client, transport } = this.#session;
    await transport.terminateSession().catch(() => undefined);
    await client.close().catch(() => undefined);
  }

  async #ask({ query, where, limit, cursor }: PageRequest, { timeoutMs, signal }: CallLimits) {
    const options = { timeout: timeoutMs, signal };
    this.#session ??= await this.#connect(timeoutMs, options);
    const session = this.#session;
    session.takes ??= await this.#paramsOfTool(session.client, options);
    const { client, takes } = session;
    const known = Object.entries({ query, where, limit, cursor });
    const taken = known.filter(([name, value]) => takes.has(name) && value !== undefined);
    const result = await client.callTool(
      { name: this.#source.tool ?? '', arguments: Object.fromEntries(taken) },
      options,
    );
    if (result.isError === true) throw new SourceFailure('tool');
    const page = await pageOf(await contentOf(result));
    return takes.has('cursor') ? page : { ...page, cursor: undefined };
  }

  async #connect(timeoutMs: number, options: RequestOptions): Promise<Session> {
    const transport = new StreamableHTTPClientTransport(new URL(this.#source.url), {
      fetch: (_url, init) => this.#fetch(init),
      reconnectionOptions: {
        maxRetries: 0,
        initialReconnectionDelay: timeoutMs,
        maxReconnectionDelay: timeoutMs,
        reconnectionDelayGrowFactor: 1,
      },
    });
    const client = new Client(
      { name: 'run-service', version: API_VERSION },
      { jsonSchemaValidator: withoutValidation },
    );
    await client.connect(transport, options);
    return { client, transport, takes: undefined };
  }

  async #paramsOfTool(client: Client, options: RequestOptions): Promise<ReadonlySet<string>> {
    let cursor: string | undefined;
    for (let page = 0; page < limits.source_pages_max; page += 1) {
      const { tools, nextCursor } = await client.listTools(cursor === undefined ? {} : { cursor }, options);
      const tool = tools.find(({ name }) => name === this.#source.tool);
      if (tool) return new Set(Object.keys(tool.inputSchema.properties ?? {}));
      cursor = nextCursor;
      if (cursor === undefined) break;
    }
    throw new SourceFailure('tool');
  }

  /** Takes the place of `fetch`: a connection to a checked address, no redirects, a limit of bytes. */
  async #fetch(init: RequestInit = {}): Promise<Response> {
    // Nothing is expected that does not answer a request.
    if (init.method === 'GET' || !this.#call) return new Response(null, { status: 405 });
    const outcome = await this.#send({
      ...this.#call,
      method: init.method === 'DELETE' ? 'DELETE' : 'POST',
      url: this.#source.url,
      headers: {
        'user-agent': USER_AGENT,
        ...lowerCased(this.#source.headers),
        ...Object.fromEntries(new Headers(init.headers)),
      },
      ...(typeof init.body === 'string' && { body: init.body }),
      readBodyBytes: limits.source_page_max_bytes,
    });
    try {
      return responseOf(outcome);
    } catch (error) {
      if (error instanceof SourceFailure) this.#failure = error;
      throw error;
    }
  }
}

/** The outcome of a request as `fetch` has it. Throws SourceFailure. */
function responseOf(outcome: Outcome): Response {
  if (outcome.kind !== 'response') throw failureOf(outcome);
  const { status, body, headers = {} } = outcome;
  if (status !== 200 && status !== 202) throw wrongStatus(status);
  const known = ['content-type', 'mcp-session-id'].flatMap((name) => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value] as [string, string]] : [];
  });
  return new Response(body ? textOf(body) : null, { status, headers: known });
}

const lowerCased = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** The structured content of a result, else its only text as JSON. Throws SourceFailure `shape`. */
async function contentOf(result: { structuredContent?: unknown; content?: unknown }): Promise<JsonObject> {
  const { structuredContent, content } = result;
  if (isJsonObject(structuredContent)) return structuredContent;
  const [only, ...others] = Array.isArray(content) ? content : [];
  if (others.length > 0 || !isJsonObject(only) || typeof only.text !== 'string')
    throw new SourceFailure('shape');
  const value = await jsonOf(only.text);
  if (!isJsonObject(value)) throw new SourceFailure('shape');
  return value;
}

/** A failure that the library noticed. */
function failureBehind(error: unknown): SourceFailure {
  if (error instanceof SourceFailure) return error;
  if (error instanceof ProtocolError) return new SourceFailure('tool');
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout)
    return new SourceFailure('timeout', { transient: true });
  return new SourceFailure('shape');
}
