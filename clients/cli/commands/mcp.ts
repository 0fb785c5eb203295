// `mcp`: the tools for agents, over standard input and output.
import { once } from 'node:events';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { buildCommand } from '@stricli/core';
import { createServer } from '../../mcp/server.ts';
import type { Context } from '../context.ts';
import { type CommonFlags, commonFlags, guarded, serviceOf } from './command.ts';

export const mcp = buildCommand<CommonFlags, [], Context>({
  docs: {
    brief: 'serve the tools for agents over standard input and output (Model Context Protocol)',
    fullDescription:
      'Named in the settings of an agent as the command of a server. It has the tools that the scopes of the key allow.',
  },
  parameters: { flags: commonFlags },
  func: guarded(async (context, flags) => {
    const { stdin, interrupted: signal } = context;
    const service = serviceOf(context, flags);
    // A key that is refused is told here, where an agent's log shows it, and not at the first call.
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
