// Sources of kind `mcp`: a tool of an MCP server over streamable HTTP, one call for each page (rules.md: sources 4).
// Loaded on demand.
import {
  Client,
  type JsonSchemaValidator,
  type JsonSchemaValidatorResult,
  type jsonSchemaValidator,
  ProtocolError,
  type RequestOptions,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { isJsonObject, type JsonObject, memberOf } from '#contract/json.ts';
import { API_VERSION, limits } from '#contract/limits.ts';
import type { Outcome, Send } from '#outbound/request.ts';
import { USER_AGENT } from './http-pages.ts';
import { answerIn, type SentMessage } from './mcp-reply.ts';
import { failureOf, late, SourceFailure, wrongShape, wrongStatus } from './source-failure.ts';
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

/** The library may know later than we do that the time is up. */
const LIBRARY_GRACE_MS = 1000;

/** A schema of the server must not become a program here. The page is checked in any case. */
const withoutValidation: jsonSchemaValidator = {
  getValidator:
    <T>(): JsonSchemaValidator<T> =>
    (input): JsonSchemaValidatorResult<T> => ({ valid: true, data: input as T, errorMessage: undefined }),
};

interface Session {
  client: Client;
  transport: StreamableHTTPClientTransport;
}

/** One try of a page: what ends it, how many messages it has sent, and how it failed. */
interface Try {
  timeoutMs: number;
  signal: AbortSignal;
  messages: number;
  failure?: SourceFailure;
}

/** The pages of a source of kind `mcp`. */
export function mcpPages(source: OpenSource, send: Send): SourcePages {
  return new McpPages(source, send);
}

class McpPages implements SourcePages {
  readonly #source: OpenSource;
  readonly #send: Send;
  #session: Session | undefined;
  /** The params of the tool with their schemas; undefined until a server has named them. */
  #takes: ReadonlyMap<string, unknown> | undefined;
  #try: Try | undefined;

  constructor(source: OpenSource, send: Send) {
    this.#source = source;
    this.#send = send;
  }

  async page(request: PageRequest, { timeoutMs, signal }: CallLimits) {
    const time = AbortSignal.timeout(timeoutMs);
    const present: Try = { timeoutMs, signal: AbortSignal.any([signal, time]), messages: 0 };
    this.#try = present;
    try {
      return await this.#ask(request, present);
    } catch (error) {
      const failed = time.aborted ? late() : (present.failure ?? failureBehind(error));
      if (failed.transient) {
        // Whether the server still has the session is unknown: the next try begins another one.
        await this.#session?.client.close().catch(() => undefined);
        this.#session = undefined;
      }
      throw failed;
    }
  }

  async close({ signal }: CallLimits): Promise<void> {
    if (!this.#session) return;
    this.#try = { timeoutMs: CLOSE_MS, signal, messages: 0 };
    const { client, transport } = this.#session;
    await transport.terminateSession().catch(() => undefined);
    await client.close().catch(() => undefined);
  }

  async #ask({ query, where, limit, cursor }: PageRequest, { timeoutMs, signal }: Try) {
    // The signal ends the whole try; the library would otherwise end each request after its own time.
    const options = { timeout: timeoutMs + LIBRARY_GRACE_MS, signal };
    this.#session ??= await this.#connect(options);
    const { client } = this.#session;
    this.#takes ??= await this.#paramsOfTool(client, options);
    const takes = this.#takes;
    const most = Math.min(limit, maximumOf(takes.get('limit')));
    const known = Object.entries({ query, where, limit: most, cursor });
    const taken = known.filter(([name, value]) => takes.has(name) && value !== undefined);
    const params = { name: this.#source.tool ?? '', arguments: Object.fromEntries(taken) };
    const result = await client.request({ method: 'tools/call', params }, options);
    if (result.isError === true) throw new SourceFailure('tool', textsIn(result).join(' '));
    const page = pageOf(await contentOf(result));
    if (takes.has('cursor')) return page;
    // A tool that may give only so many, and gave them, may have more.
    const isFull = most < limit && page.items.length >= most;
    return { ...page, has_more: page.has_more || isFull, cursor: undefined };
  }

  async #connect(options: RequestOptions): Promise<Session> {
    const transport = new StreamableHTTPClientTransport(new URL(this.#source.url), {
      fetch: (_url, init) => this.#fetch(init),
    });
    const client = new Client(
      { name: 'run-service', version: API_VERSION },
      { jsonSchemaValidator: withoutValidation },
    );
    await client.connect(transport, options);
    return { client, transport };
  }

  /** Page by page: the library would read on by itself. */
  async #paramsOfTool(client: Client, options: RequestOptions): Promise<ReadonlyMap<string, unknown>> {
    let cursor: string | undefined;
    for (let page = 0; page < limits.source_tool_pages_max; page += 1) {
      const params = cursor === undefined ? {} : { cursor };
      const { tools, nextCursor } = await client.request({ method: 'tools/list', params }, options);
      const tool = tools.find(({ name }) => name === this.#source.tool);
      if (tool) return new Map(Object.entries(tool.inputSchema.properties ?? {}));
      cursor = nextCursor;
      if (cursor === undefined) break;
    }
    throw new SourceFailure('tool', `the server has no tool ${this.#source.tool}`);
  }

  /**
   * Takes the place of `fetch`: a connection to a checked address, no redirects, limits of bytes and messages. Of a
   * reply it hands on the answer to the message that was sent.
   */
  async #fetch(init: RequestInit = {}): Promise<Response> {
    const present = this.#try;
    // Nothing is expected that does not answer a request.
    if (init.method === 'GET' || !present) return new Response(null, { status: 405 });
    const body = typeof init.body === 'string' ? init.body : undefined;
    const sent: SentMessage = body === undefined ? {} : JSON.parse(body);
    try {
      if (body !== undefined && sent.method === undefined)
        throw wrongShape('a message of the server asks for an answer');
      present.messages += 1;
      if (present.messages > limits.source_messages_max)
        throw wrongShape(`a page takes more than ${limits.source_messages_max} messages`);
      present.signal.throwIfAborted();
      const outcome = await this.#send({
        timeoutMs: present.timeoutMs,
        signal: present.signal,
        method: body === undefined ? 'DELETE' : 'POST',
        url: this.#source.url,
        headers: {
          'user-agent': USER_AGENT,
          ...lowerCased(this.#source.headers),
          ...Object.fromEntries(new Headers(init.headers)),
        },
        ...(body !== undefined && { body }),
        readBodyBytes: limits.source_page_max_bytes,
      });
      return await responseOf(outcome, sent);
    } catch (error) {
      if (error instanceof SourceFailure) present.failure = error;
      throw error;
    }
  }
}

/** The outcome of a message as `fetch` has it. Throws SourceFailure. */
async function responseOf(outcome: Outcome, { id }: SentMessage): Promise<Response> {
  if (outcome.kind !== 'response') throw failureOf(outcome);
  const { status, body = new Uint8Array(), headers = {} } = outcome;
  // Servers acknowledge a notification, and the end of a session, with any status of success.
  const isTaken = id === undefined ? status >= 200 && status < 300 : status === 200 || status === 202;
  if (!isTaken) throw wrongStatus(status);
  if (id === undefined) return new Response(null, { status: 202 });
  const answer = answerIn(textOf(body), headers['content-type'] ?? '', id);
  const session = headers['mcp-session-id'];
  return new Response(answer, {
    headers: {
      'content-type': 'application/json',
      ...(typeof session === 'string' && { 'mcp-session-id': session }),
    },
  });
}

const lowerCased = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

interface ToolResult {
  structuredContent?: unknown;
  content?: unknown;
}

/** The structured content of a result, else its only text as JSON. Throws SourceFailure `shape`. */
async function contentOf(result: ToolResult): Promise<unknown> {
  if (isJsonObject(result.structuredContent)) return unwrapped(result.structuredContent);
  const texts = textsIn(result);
  const [only] = texts;
  if (only === undefined || texts.length > 1)
    throw wrongShape(`the result of the tool has ${texts.length} texts, and no structured content`);
  const value = await jsonOf(only, TEXT);
  return isJsonObject(value) ? unwrapped(value) : value;
}

const TEXT = 'the text of the tool';

/** What stands next to texts, such as images, is no page. */
function textsIn({ content }: ToolResult): string[] {
  return (Array.isArray(content) ? content : []).flatMap((part) =>
    isJsonObject(part) && part.type === 'text' && typeof part.text === 'string' ? [part.text] : [],
  );
}

/** FastMCP wraps what is no object: a list of items, or a text that is JSON. */
async function unwrapped(value: JsonObject): Promise<unknown> {
  const { result } = value;
  if (result === undefined || Object.keys(value).length > 1) return value;
  if (typeof result !== 'string') return Array.isArray(result) ? { items: result } : result;
  const parsed = await jsonOf(result, TEXT);
  return Array.isArray(parsed) ? { items: parsed } : parsed;
}

/** The greatest value that the schema of a param takes; Pydantic describes an optional one by `anyOf`. */
function maximumOf(schema: unknown): number {
  const inner = memberOf(schema, 'anyOf');
  const greatest = [schema, ...(Array.isArray(inner) ? inner : [])].flatMap((one) => {
    const [most, less] = [memberOf(one, 'maximum'), memberOf(one, 'exclusiveMaximum')];
    return [
      ...(typeof most === 'number' ? [Math.floor(most)] : []),
      ...(typeof less === 'number' ? [Math.ceil(less) - 1] : []),
    ];
  });
  return Math.max(1, Math.min(...greatest));
}

/** A failure that the library noticed. */
function failureBehind(error: unknown): SourceFailure {
  if (error instanceof SourceFailure) return error;
  const words = error instanceof Error ? error.message : 'unknown';
  if (error instanceof ProtocolError) return new SourceFailure('tool', words);
  return wrongShape(`the reply is not as the protocol has it: ${words}`);
}
