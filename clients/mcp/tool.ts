// The definition of a tool, and how it is added to a server.
import type { CallToolResult, McpServer, ToolAnnotations } from '@modelcontextprotocol/server';
import type * as z from 'zod';
import type { RunService, Scope } from '../sdk/index.ts';
import { answering, type ToolCall } from './answering.ts';
import { jsonSchemaOf, shown, wrongArguments } from './tool-arguments.ts';

/** A tool, available to keys that have its scope. */
export interface Tool {
  scope: Scope;
  add(server: McpServer, client: RunService): void;
}

interface Definition<S extends z.ZodType> {
  scope: Scope;
  description: string;
  annotations: ToolAnnotations;
  input: S;
  /** What agents see in place of `input`. */
  schema?: object;
  call(client: RunService, input: z.output<S>, call: ToolCall): Promise<CallToolResult>;
}

/** A tool whose wrong arguments are results. */
export function tool<S extends z.ZodType>(name: string, definition: Definition<S>): Tool {
  const { scope, description, annotations, input, schema = jsonSchemaOf(input), call } = definition;
  return {
    scope,
    add(server, client) {
      const about = { description, annotations, inputSchema: shown(schema) };
      server.registerTool(
        name,
        about,
        answering(async (given: Record<string, unknown>, context) => {
          const parsed = input.safeParse(given);
          return parsed.success ? call(client, parsed.data, context) : wrongArguments(parsed.error);
        }),
      );
    },
  };
}

/** Unless they say so, tools write and may destroy. */
export const reads = { readOnlyHint: true } as const;
export const writes = { destructiveHint: false } as const;
