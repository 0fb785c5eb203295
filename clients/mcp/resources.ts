// Resources: the schema of a request; a run as JSON; an artifact in its most readable form, a table also as JSON.
import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { isApiError, type RunService } from '../sdk/index.ts';
import { endOf } from './answering.ts';
import contract from './contract.json' with { type: 'json' };
import { READ_MAX_CHARACTERS } from './results.ts';

const READ_MAX = `${READ_MAX_CHARACTERS.toLocaleString('en')} characters`;

/** Adds the resources that a key with these scopes may read. */
export function addResources(server: McpServer, client: RunService, scopes: readonly string[]): void {
  if (scopes.includes('runs:create')) addRequestSchema(server);
  if (scopes.includes('runs:read')) {
    const template = new ResourceTemplate('run://{id}', { list: undefined });
    const about = {
      title: 'Run',
      description: 'A run with its steps and results',
      mimeType: 'application/json',
    };
    server.registerResource('run', template, about, async (uri, _, { mcpReq }) => ({
      contents: [
        {
          uri: uri.href,
          mimeType: 'application/json',
          text: JSON.stringify(await found(uri, client.runs.get(idIn(uri), { signal: endOf(mcpReq) }))),
        },
      ],
    }));
  }
  if (scopes.includes('artifacts:read')) {
    const template = new ResourceTemplate('artifact://{id}', { list: undefined });
    const about = {
      title: 'Artifact',
      description: `A table, text or card of a run; over ${READ_MAX} of JSON only through artifact_get`,
    };
    server.registerResource('artifact', template, about, async (uri, _, { mcpReq }) => ({
      contents: await found(uri, contentsOf(client, uri, endOf(mcpReq))),
    }));
  }
}

/** What the list of tools has in brief: with every bound, and an example of each kind of step. */
function addRequestSchema(server: McpServer): void {
  const about = {
    title: 'Arguments of run_create',
    description: 'The whole JSON schema of a request, with an example of each kind of step',
    mimeType: 'application/schema+json',
  };
  server.registerResource('plan schema', 'plan://schema', about, ({ href }) => ({
    contents: [{ uri: href, mimeType: about.mimeType, text: JSON.stringify(contract.request.whole) }],
  }));
}

/** The id in an address. Throws the protocol's error for what is missing where it leads to another path. */
function idIn({ host, href }: URL): string {
  if (/^\.{0,2}$/.test(host)) throw new ResourceNotFoundError(href);
  return host;
}

/** The read value; a missing one becomes the protocol's own error. */
async function found<T>(uri: URL, read: Promise<T>): Promise<T> {
  try {
    return await read;
  } catch (error) {
    throw isApiError(error) && error.type === 'not_found' ? new ResourceNotFoundError(uri.href) : error;
  }
}

/** Throws the protocol's error for wrong params when the artifact is too large. */
async function contentsOf({ artifacts }: RunService, address: URL, signal: AbortSignal) {
  const { href: uri } = address;
  const id = idIn(address);
  const artifact = await artifacts.get(id, { signal });
  const text = JSON.stringify(artifact);
  if (text.length > READ_MAX_CHARACTERS)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `This artifact has over ${READ_MAX} of JSON. Read its rows with artifact_get, page by page.`,
    );
  const json = { uri, mimeType: 'application/json', text };
  if (artifact.kind === 'table')
    return [{ uri, mimeType: 'text/csv', text: await artifacts.csv(id, { signal }) }, json];
  if (artifact.kind === 'text') return [{ uri, mimeType: 'text/markdown', text: artifact.content }];
  return [json];
}
