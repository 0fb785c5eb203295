// `mcp`: tools for agents over standard input and output.
import { once } from 'node:events';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createServer } from '../../mcp/server.ts';
import { serviceOf } from './command.ts';
import { command } from './define.ts';

export const mcp = command(
  {
    brief: 'serve the tools for agents over standard input and output (Model Context Protocol)',
    fullDescription:
      'Configure it in an agent as the command of an MCP server. It offers the tools that the scopes of the key allow.',
  },
  async (context, flags) => {
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
  },
);
