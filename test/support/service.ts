// The service under test: HTTP calls with every reply checked against openapi.json, and the admin function.
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { inject } from 'vitest';
import type { CommandInput } from '../../functions/admin/commands.ts';
import type { ServiceAccess } from './e2e-setup.ts';
import { checkReply } from './schema-check.ts';

export interface HttpReply {
  status: number;
  headers: Headers;
  // Tests read replies freely; every call checks their shape against the document.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  body: any;
}

export interface CallOptions {
  key?: string | undefined;
  headers?: Record<string, string>;
  /** Sent as JSON; strings and bytes are sent unchanged. */
  body?: unknown;
  signal?: AbortSignal;
  /** Another service than the shared one. */
  access?: Pick<ServiceAccess, 'base_url' | 'site_url'> | undefined;
}

/** The shared service of this test run. */
export function sharedService(): ServiceAccess {
  return inject('service');
}

/** One request; `path` is below the base address unless it starts with `//` for the host root. */
export async function call(
  method: string,
  path: string,
  options: CallOptions = {},
  access: Pick<ServiceAccess, 'base_url' | 'site_url'> = options.access ?? sharedService(),
): Promise<HttpReply> {
  const url = path.startsWith('//') ? `${access.site_url}${path.slice(1)}` : `${access.base_url}${path}`;
  const { key, headers = {}, body, signal } = options;
  const raw = typeof body === 'string' || body instanceof Uint8Array;
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: raw ? (body as string) : JSON.stringify(body) }),
    ...(signal && { signal }),
  });
  const text = await response.text();
  const json = /[/+]json/.test(response.headers.get('content-type') ?? '');
  const reply = {
    status: response.status,
    headers: response.headers,
    body: json && text !== '' ? JSON.parse(text) : text,
  };
  checkReply({ method, path: new URL(url).pathname, ...reply });
  return reply;
}

let client: LambdaClient | undefined;

/** Executes an admin command like the CLI. Throws its errors. */
// biome-ignore lint/suspicious/noExplicitAny: tests read answers freely
export async function admin(command: CommandInput): Promise<any> {
  const { lambda } = sharedService();
  client ??= new LambdaClient({
    endpoint: lambda.endpoint,
    region: lambda.region,
    credentials: { accessKeyId: lambda.access_key_id, secretAccessKey: lambda.secret_access_key },
  });
  const { Payload, FunctionError } = await client.send(
    new InvokeCommand({ FunctionName: 'Admin', Payload: JSON.stringify(command) }),
  );
  const answer = JSON.parse(Buffer.from(Payload ?? []).toString());
  if (FunctionError || answer.error) throw new Error(JSON.stringify(answer));
  return answer;
}

/** The next polling delay: a tenth of the wait so far, because constant polling slows down the service. */
const nextPause = (waitedMs: number) => Math.min(250, Math.max(25, waitedMs / 10));

/** Polls `look` until it returns something other than undefined. Fails after `withinMs`. */
export async function until<T>(
  what: string,
  look: () => Promise<T | undefined>,
  withinMs = 20_000,
): Promise<T> {
  const begun = Date.now();
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    const waited = Date.now() - begun;
    if (waited > withinMs) throw new Error(`never came: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, nextPause(waited)));
  }
}
