// Every tool: runs, their output, and records.
import type { McpServer, RegisteredTool } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Artifact, CreateRun, Row, RunService, Scope } from '../sdk/index.ts';
import { answering } from './answering.ts';
import { READ_MAX_CHARACTERS, result, runResult } from './results.ts';
import { WAIT_MAX_S, waitForRun } from './wait.ts';

/** A tool, available to keys that have its scope. */
interface Tool {
  scope: Scope;
  add(server: McpServer, client: RunService): RegisteredTool;
}

const ROWS_DEFAULT = 50;
const ROWS_MAX = 500;

const id = z.string().describe('Id of the run');
const json = z.record(z.string(), z.unknown());

/** The request's fields. The service validates them: its errors name the field, and there is one validator. */
const request = z.looseObject({
  input_type: z
    .enum(['query', 'plan', 'preset'])
    .describe('query: words; plan: explicit steps; preset: a dossier'),
  query: z.string().optional().describe('With input_type query: what to find out, in plain words'),
  plan: json
    .optional()
    .describe(
      'With input_type plan: {title, steps: [{kind, title, params?, instructions?, context_step_ids?}]}, up to 50 steps of the kinds ' +
        'fetch, vector_search, filter, transform, analyze, discover, reconstitute, inject_context. Try it with plan_check.',
    ),
  preset: z.literal('dossier').optional(),
  params: json.optional().describe('With input_type preset: {entity: {id} or {external_uri}, sections?}'),
  config: json.optional().describe('For example {max_cost_usd: 0.5}'),
  metadata: z.record(z.string(), z.string()).optional(),
  callback_url: z.string().optional(),
});

/** Not validated here: the service refuses invalid requests and says why. */
const asRequest = (input: z.output<typeof request>) => input as CreateRun;

/** A part of an artifact: a page of table rows, a whole text or card. */
function pageOf(artifact: Artifact, offset: number, limit: number): Record<string, unknown> {
  if (artifact.kind !== 'table') return { ...artifact };
  const { rows, ...rest } = artifact;
  const page = beginningOf(rows.slice(offset, offset + limit));
  const next = offset + page.length;
  return {
    ...rest,
    row_count: rows.length,
    offset,
    rows: page,
    next_offset: next < rows.length ? next : null,
  };
}

/** The first of the rows, at least one, that an agent may read at once. */
function beginningOf(rows: Row[]): Row[] {
  let left = READ_MAX_CHARACTERS;
  const end = rows.findIndex((row, i) => {
    left -= JSON.stringify(row).length;
    return left < 0 && i > 0;
  });
  return end < 0 ? rows : rows.slice(0, end);
}

export const tools: readonly Tool[] = [
  {
    scope: 'runs:create',
    add: (server, client) =>
      server.registerTool(
        'run_create',
        {
          title: 'Create a run',
          description:
            'Starts work on the records of the workspace and returns its id at once. Then call run_wait.',
          inputSchema: request,
          annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
        },
        answering(async (input, { signal }) =>
          runResult(await client.runs.create(asRequest(input), { signal }), 'Call run_wait with this id.'),
        ),
      ),
  },
  {
    scope: 'runs:create',
    add: (server, client) =>
      server.registerTool(
        'plan_check',
        {
          title: 'Check a request',
          description:
            'Validates a run like run_create and says what it would cost in credits; starts nothing.',
          inputSchema: request,
          annotations: { readOnlyHint: true },
        },
        answering(async (input, { signal }) =>
          result({ ...(await client.runs.check(asRequest(input), { signal })) }),
        ),
      ),
  },
  {
    scope: 'runs:read',
    add: (server, client) =>
      server.registerTool(
        'run_wait',
        {
          title: 'Wait for a run',
          description: `Waits until the run has ended, at most ${WAIT_MAX_S} s, and returns its state. Call it again while the run is still running.`,
          inputSchema: z.object({
            id,
            timeout_s: z
              .number()
              .positive()
              .default(WAIT_MAX_S)
              .describe(`Seconds to wait; at most ${WAIT_MAX_S} are`),
          }),
          annotations: { readOnlyHint: true },
        },
        answering((input, call) => waitForRun(client, input.id, input.timeout_s, call)),
      ),
  },
  {
    scope: 'runs:read',
    add: (server, client) =>
      server.registerTool(
        'run_get',
        {
          title: 'Read a run',
          description: 'The state of a run: status, steps, message, artifacts, errors, cost.',
          inputSchema: z.object({ id }),
          annotations: { readOnlyHint: true },
        },
        answering(async (input, { signal }) => runResult(await client.runs.get(input.id, { signal }))),
      ),
  },
  {
    scope: 'runs:read',
    add: (server, client) =>
      server.registerTool(
        'run_list',
        {
          title: 'List runs',
          description: 'The newest runs of the workspace.',
          inputSchema: z.object({ limit: z.number().int().min(1).max(100).default(20) }),
          annotations: { readOnlyHint: true },
        },
        answering(async (input, { signal }) =>
          result({ runs: (await client.runs.list({ limit: input.limit }, { signal })).data }),
        ),
      ),
  },
  {
    scope: 'runs:cancel',
    add: (server, client) =>
      server.registerTool(
        'run_cancel',
        {
          title: 'Cancel a run',
          description: 'Cancels a run; its running step still ends and is billed.',
          inputSchema: z.object({ id }),
          annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
        },
        answering(async (input, { signal }) => runResult(await client.runs.cancel(input.id, { signal }))),
      ),
  },
  {
    scope: 'runs:create',
    add: (server, client) =>
      server.registerTool(
        'run_resume',
        {
          title: 'Resume a failed run',
          description: 'Resumes a failed run at the step that failed. Then call run_wait.',
          inputSchema: z.object({ id }),
          annotations: { readOnlyHint: false, destructiveHint: false },
        },
        answering(async (input, { signal }) =>
          runResult(await client.runs.resume(input.id, {}, { signal }), 'Call run_wait with this id.'),
        ),
      ),
  },
  {
    scope: 'runs:create',
    add: (server, client) =>
      server.registerTool(
        'run_rerun',
        {
          title: 'Run again from a step',
          description:
            'A new run that reuses the outputs of this run from the steps before step_index. Then call run_wait.',
          inputSchema: z.object({ id, step_index: z.number().int().min(0) }),
          annotations: { readOnlyHint: false, destructiveHint: false },
        },
        answering(async ({ id: from, step_index }, { signal }) =>
          runResult(await client.runs.rerun(from, { step_index }, { signal }), 'Call run_wait with this id.'),
        ),
      ),
  },
  {
    scope: 'artifacts:read',
    add: (server, client) =>
      server.registerTool(
        'artifact_get',
        {
          title: 'Read an artifact',
          description:
            'A page of table rows, shorter than limit when rows are long, or a whole text or card. While next_offset is a number, the table has more rows.',
          inputSchema: z.object({
            id: z.string().describe('Id of the artifact'),
            offset: z.number().int().min(0).default(0).describe('First row'),
            limit: z.number().int().min(1).max(ROWS_MAX).default(ROWS_DEFAULT).describe('Rows at most'),
          }),
          annotations: { readOnlyHint: true },
        },
        answering(async (input, { signal }) =>
          result(pageOf(await client.artifacts.get(input.id, { signal }), input.offset, input.limit)),
        ),
      ),
  },
  {
    scope: 'runs:read',
    add: (server, client) =>
      server.registerTool(
        'entity_search',
        {
          title: 'Search records by name',
          description: 'Records whose names contain all the words, best first.',
          inputSchema: z.object({
            query: z.string().optional(),
            type: z.string().optional().describe('Only records of this type, such as company'),
            limit: z.number().int().min(1).max(100).default(20),
          }),
          annotations: { readOnlyHint: true },
        },
        answering(async (input, { signal }) =>
          result({ entities: await client.entities.search(input, { signal }) }),
        ),
      ),
  },
];
