// The MCP endpoint, without rights: it calls the API with its caller's key.

import { router } from '#edge/router.ts';
import { streamed } from '#edge/streamed.ts';
import { route as Mcp } from '../mcp/mcp.ts';

export const handler = streamed(router<'Mcp'>({ Mcp }));
