// A proxy on loopback in front of an OpenAI-compatible server: it writes down what each call used, by the server's own
// words, and can put a schema into the form that llama-cpp-python takes.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';

/** What the server reported of one reply. */
interface Reported {
  path: string;
  status: number;
  input_tokens: number;
  output_tokens: number;
  /** Of the request: the means of structured output. */
  structured: string;
}

export interface LoggingProxy {
  /** Up to and with the version. */
  base_url: string;
  log: Reported[];
  /** Hands a schema on as `{type: json_object, schema}`; else the server refuses `json_schema`, as it does. */
  takesSchemas: boolean;
  /** Goes into each request to the model; absent: the server draws. */
  seed: number | undefined;
  close(): Promise<void>;
}

const Body = z.looseObject({
  messages: z.unknown().optional(),
  response_format: z
    .looseObject({
      type: z.string(),
      json_schema: z.looseObject({ schema: z.unknown() }).optional(),
    })
    .optional(),
});
const Reply = z.object({
  usage: z.object({ prompt_tokens: z.number(), completion_tokens: z.number().default(0) }),
});

/** Starts it in front of `upstream`, an address without a path. */
export async function loggingProxy(upstream: string): Promise<LoggingProxy> {
  const log: Reported[] = [];
  const http = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(Buffer.from(part));
    const given = Buffer.concat(parts).toString();
    const left = new AbortController();
    response.on('close', () => left.abort());
    try {
      const { body, structured } = forwarded(given, proxy);
      const reply = await fetch(upstream + request.url, {
        method: request.method ?? 'GET',
        headers: { 'content-type': 'application/json' },
        signal: left.signal,
        ...(request.method === 'POST' && { body }),
      });
      const text = await reply.text();
      log.push({ path: request.url ?? '', status: reply.status, structured, ...usageIn(text) });
      response.writeHead(reply.status, { 'content-type': 'application/json' }).end(text);
    } catch {
      // A server that is away closes the connection, too.
      response.destroy();
    }
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  const proxy: LoggingProxy = {
    base_url: `http://127.0.0.1:${port}/v1`,
    log,
    takesSchemas: true,
    seed: undefined,
    async close() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
      await wait(0);
    },
  };
  return proxy;
}

function forwarded(
  given: string,
  { takesSchemas, seed }: LoggingProxy,
): { body: string; structured: string } {
  if (given === '') return { body: given, structured: '' };
  const body = Body.parse(JSON.parse(given));
  const format = body.response_format;
  const structured = body.messages === undefined ? '' : (format?.type ?? 'prompt');
  const schema = format?.json_schema?.schema;
  const changed = {
    ...body,
    ...(takesSchemas && schema !== undefined && { response_format: { type: 'json_object', schema } }),
    ...(seed !== undefined && body.messages !== undefined && { seed }),
  };
  return { body: JSON.stringify(changed), structured };
}

function usageIn(text: string): Pick<Reported, 'input_tokens' | 'output_tokens'> {
  try {
    const { usage } = Reply.parse(JSON.parse(text));
    return { input_tokens: usage.prompt_tokens, output_tokens: usage.completion_tokens };
  } catch {
    return { input_tokens: 0, output_tokens: 0 };
  }
}
