// The MCP server: its tools and resources are those that the caller's key allows.
import { McpServer } from '@modelcontextprotocol/server';
import type { RunService } from '../sdk/index.ts';
import { addResources } from './resources.ts';
import { tools } from './tools.ts';

const instructions =
  'Work is a run. run_create starts one and answers at once; run_wait waits for it and says when to call it again; artifact_get reads the ' +
  'tables and texts that it made. Runs search, filter and analyze the records of one workspace: data_describe says which types and fields ' +
  'they have, entity_search finds them by name, entity_get reads one. A warning query_partly_understood names words that the answer ignores.';

/** A server for one key, whose scopes decide which tools exist. */
export function createServer(client: RunService, scopes: readonly string[]): McpServer {
  const server = new McpServer({ name: 'run-service', version: '1.0.0' }, { instructions });
  for (const tool of tools) if (scopes.includes(tool.scope)) tool.add(server, client);
  addResources(server, client, scopes);
  return server;
}
