// MCP clients of a service: the official ones, in both protocols of the current library and in the older library.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { sharedService } from './service.ts';

// Tests assert the shape of answers.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Answer = any;

interface Progress {
  progress: number;
  message?: string | undefined;
}

interface CallOptions {
  onprogress?: (progress: Progress) => void;
  signal?: AbortSignal;
  /** How long the client waits for an answer. */
  timeout?: number;
}

export interface Agent {
  /** Names of the tools, in order. */
  tools(): Promise<string[]>;
  /** The length of the list of tools, as JSON. */
  listCharacters(): Promise<number>;
  ask(name: string, args: Record<string, unknown>, options?: CallOptions): Promise<Answer>;
  read(uri: string): Promise<Answer[]>;
  close(): Promise<void>;
}

export const kinds = ['modern', 'legacy', 'older library'] as const;
type Kind = (typeof kinds)[number];

const info = { name: 'test', version: '1' };
const namesOf = ({ tools }: { tools: { name: string }[] }) => tools.map(({ name }) => name).toSorted();

/** A client with a key: of the 2026 protocol, the 2025 one, or the library of that time. */
export async function agent(
  key: string,
  kind: Kind = 'modern',
  siteUrl: string = sharedService().site_url,
): Promise<Agent> {
  const url = new URL(`${siteUrl}/mcp`);
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  if (kind === 'older library') return older(url, requestInit);
  const client = new Client(info, kind === 'modern' ? { versionNegotiation: { mode: 'auto' } } : {});
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  return {
    tools: async () => namesOf(await client.listTools()),
    listCharacters: async () => JSON.stringify(await client.listTools()).length,
    ask: (name, args, options) => client.callTool({ name, arguments: args }, options),
    read: async (uri) => (await client.readResource({ uri })).contents,
    close: () => client.close(),
  };
}

async function older(url: URL, requestInit: RequestInit): Promise<Agent> {
  const client = new OlderClient(info);
  // Its own types disagree about optional properties.
  await client.connect(new OlderTransport(url, { requestInit }) as Transport);
  return {
    tools: async () => namesOf(await client.listTools()),
    listCharacters: async () => JSON.stringify(await client.listTools()).length,
    ask: (name, args, options) => client.callTool({ name, arguments: args }, undefined, options),
    read: async (uri) => (await client.readResource({ uri })).contents,
    close: () => client.close(),
  };
}
