// `mcp`: tools for agents over standard input and output.
import { once } from 'node:events';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { buildCommand } from '@stricli/core';
import { createServer } from '../../mcp/server.ts';
import type { Context } from '../surroundings.ts';
import { type CommonFlags, commonFlags, guarded, serviceOf } from './command.ts';

export const mcp = buildCommand<CommonFlags, [], Context>({
  docs: {
    brief: 'serve the tools for agents over standard input and output (Model Context Protocol)',
    fullDescription:
      'Configure it in an agent as the command of an MCP server. It offers the tools that the scopes of the key allow.',
  },
  parameters: { flags: commonFlags },
  func: guarded(async (context, flags) => {
    const { stdin, interrupted: signal } = context;
    const service = serviceOf(context, flags);
    // A refused key fails here, where the agent's log shows it, not at the first call.
    const { scopes } = await service.me({ signal });
    const server = serveStdio(() => createServer(service, scopes));
    try {
      await once(stdin, 'end', { signal });
    } finally {
      await server.close();
    }
    return 'ok';
  }),
});
