// Every tool: runs, their output, and records.
import * as z from 'zod';
import type { Artifact, CompleteJob, CreateRun, JobStatus, Row } from '../sdk/index.ts';
import contract from './contract.json' with { type: 'json' };
import { listedRun, READ_MAX_CHARACTERS, result, runResult } from './results.ts';
import { reads, type Tool, tool, writes } from './tool.ts';
import { WAIT_MAX_S, waitForRun } from './wait.ts';

const ROWS_DEFAULT = 50;
const ROWS_MAX = 500;
const LIST_DEFAULT = 20;

/** An id, which leads to no other path. */
const id = z.string().refine((given) => !/^\.{0,2}$/.test(given), 'An id is not empty, "." or ".."');
const limit = z.number().int().min(1).max(100).default(LIST_DEFAULT);
const WAIT = 'Call run_wait with this id.';

/** The service validates a request: its errors name the field, and there is one validator. */
const request = z.record(z.string(), z.unknown());

/** The request, with the input type that its one field of a kind says. */
function asRequest(input: z.output<typeof request>): CreateRun {
  const said = (['query', 'plan', 'preset'] as const).filter((field) => input[field] !== undefined);
  const [only] = said.length === 1 ? said : [];
  return { ...(only && { input_type: only }), ...input } as CreateRun;
}

const statuses = z.enum(['pending', 'running', 'paused', 'succeeded', 'failed', 'canceled']);

/** A part of an artifact: a page of table rows, a whole text or card. */
function pageOf(artifact: Artifact, offset: number, most: number): Record<string, unknown> {
  if (artifact.kind !== 'table') return { ...artifact };
  const { rows, ...rest } = artifact;
  const page = beginningOf(rows.slice(offset, offset + most));
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
  tool('run_create', {
    scope: 'runs:create',
    description:
      'Starts work on the records of the workspace and returns its id at once; then call run_wait. data_describe names the types and fields for a plan; the resource plan://schema has examples and all bounds.',
    annotations: writes,
    input: request,
    schema: contract.request.brief,
    call: async (client, input, { signal }) =>
      runResult(await client.runs.create(asRequest(input), { signal }), WAIT),
  }),
  tool('plan_check', {
    scope: 'runs:create',
    description:
      'Takes the arguments of run_create, checks them and says the cost of the run in credits; starts nothing.',
    annotations: reads,
    input: request,
    schema: contract.request.checked,
    call: async (client, input, { signal }) =>
      result({ ...(await client.runs.check(asRequest(input), { signal })) }),
  }),
  tool('run_wait', {
    scope: 'runs:read',
    description: `Waits until the run has ended, at most ${WAIT_MAX_S} s, and returns its state. Call it again while the run is running.`,
    annotations: reads,
    input: z.strictObject({
      id,
      timeout_s: z
        .number()
        .positive()
        .default(WAIT_MAX_S)
        .describe(`Seconds to wait; at most ${WAIT_MAX_S} are`),
    }),
    call: (client, input, call) => waitForRun(client, input.id, input.timeout_s, call),
  }),
  tool('run_get', {
    scope: 'runs:read',
    description:
      'A run: status, steps, message, artifacts, errors, cost; output where output_schema asked for it.',
    annotations: reads,
    input: z.strictObject({
      id,
      plan: z.boolean().default(false).describe('Adds the plan, and how the query was understood'),
    }),
    call: async (client, { id: run, plan }, { signal }) =>
      runResult(await client.runs.get(run, { signal, plan })),
  }),
  tool('run_list', {
    scope: 'runs:read',
    description: 'The newest runs of the workspace, one short row each; run_get has the rest.',
    annotations: reads,
    input: z.strictObject({
      status: z
        .union([statuses, z.array(statuses).min(1)])
        .optional()
        .describe('Only runs in this state, or in one of these'),
      input_type: z.enum(['query', 'plan', 'preset']).optional().describe('Only runs of this kind of input'),
      limit,
    }),
    call: async (client, { status, input_type, limit: most }, { signal }) => {
      const query = { limit: most, ...(status && { status }), ...(input_type && { input_type }) };
      const { data, has_more } = await client.runs.list(query, { signal });
      return result({ runs: data.map(listedRun), has_more });
    },
  }),
  tool('run_cancel', {
    scope: 'runs:cancel',
    description: 'Cancels a run; its running step still ends and is billed.',
    annotations: { idempotentHint: true },
    input: z.strictObject({ id }),
    call: async (client, input, { signal }) => runResult(await client.runs.cancel(input.id, { signal })),
  }),
  tool('run_resume', {
    scope: 'runs:create',
    description: 'Resumes a failed run at the step that failed. Then call run_wait.',
    annotations: writes,
    input: z.strictObject({ id }),
    call: async (client, input, { signal }) =>
      runResult(await client.runs.resume(input.id, {}, { signal }), WAIT),
  }),
  tool('run_rerun', {
    scope: 'runs:create',
    description:
      'A new run that reuses the outputs of this run from the steps before step_index. Then call run_wait.',
    annotations: writes,
    input: z.strictObject({ id, step_index: z.number().int().min(0) }),
    call: async (client, { id: from, step_index }, { signal }) =>
      runResult(await client.runs.rerun(from, { step_index }, { signal }), WAIT),
  }),
  tool('monitor_list', {
    scope: 'runs:read',
    description:
      'The monitors of the workspace: what runs again by the clock or on a change, and the newest fire.',
    annotations: reads,
    input: z.strictObject({ limit }),
    call: async (client, query, { signal }) => {
      const { data, has_more } = await client.monitors.list(query, { signal });
      return result({ monitors: data, has_more });
    },
  }),
  tool('monitor_fire', {
    scope: 'monitors:manage',
    description: 'Makes the run of a monitor now; then call run_wait with its run_id, if there is one.',
    annotations: writes,
    input: z.strictObject({ id }),
    call: async (client, { id: monitor }, { signal }) =>
      result({ ...(await client.monitors.fire(monitor, { signal })) }),
  }),
  tool('monitor_fires', {
    scope: 'runs:read',
    description:
      'What became of its due times, changes and requests, newest first, with counts of what differs.',
    annotations: reads,
    input: z.strictObject({ id, limit }),
    call: async (client, { id: monitor, limit: most }, { signal }) => {
      const { data, has_more } = await client.monitors.fires(monitor, { limit: most }, { signal });
      return result({ fires: data, has_more });
    },
  }),
  tool('job_list', {
    scope: 'runs:read',
    description:
      'What runs wait for, newest first: work, and questions to people. With id one job, and what it asks.',
    annotations: reads,
    input: z.strictObject({
      id: id.optional(),
      status: z.string().optional().describe('Such as open'),
      limit,
    }),
    call: async (client, { id: job, status, limit: most }, { signal }) => {
      if (job !== undefined) return result({ ...(await client.jobs.get(job, { signal })) });
      // The service knows the states.
      const query = { limit: most, ...(status && { status: status as JobStatus }) };
      const { data, has_more } = await client.jobs.list(query, { signal });
      return result({ jobs: data, has_more });
    },
  }),
  tool('job_complete', {
    scope: 'runs:create',
    description:
      'Answers an open job: with items, each with a name, or with an answer by its schema. Its run goes on.',
    annotations: writes,
    input: z.strictObject({
      id,
      items: z.array(request).optional(),
      answer: request.optional(),
      usage: request.optional().describe('What the work has used, such as cost_usd and input_tokens'),
    }),
    call: async (client, { id: job, ...body }, { signal }) =>
      result({ ...(await client.jobs.complete(job, body as CompleteJob, { signal })) }),
  }),
  tool('artifact_get', {
    scope: 'artifacts:read',
    description:
      'A page of table rows, fewer than limit if they are long, or a whole text or card. next_offset is null at the end of the table.',
    annotations: reads,
    input: z.strictObject({
      id,
      offset: z.number().int().min(0).default(0).describe('First row'),
      limit: z.number().int().min(1).max(ROWS_MAX).default(ROWS_DEFAULT).describe('Rows at most'),
    }),
    call: async (client, input, { signal }) =>
      result(pageOf(await client.artifacts.get(input.id, { signal }), input.offset, input.limit)),
  }),
  tool('data_describe', {
    scope: 'runs:read',
    description:
      'The types of records, with their fields as conditions name them: kinds of values, counts, ranges, samples. Then the live sources, other systems that a fetch reads.',
    annotations: reads,
    input: z.strictObject({ type: z.string().optional().describe('Only this type, such as company') }),
    call: async (client, { type }, { signal }) => {
      const [types, sources] = await Promise.all([
        client.entities.types({ signal }),
        client.sources.list({ signal }),
      ]);
      return result({ types: types.filter((one) => type === undefined || one.type === type), sources });
    },
  }),
  tool('entity_search', {
    scope: 'runs:read',
    description: 'Records whose names contain all the words, best first.',
    annotations: reads,
    input: z.strictObject({
      query: z.string().optional(),
      type: z.string().optional().describe('Only records of this type, such as company'),
      limit,
    }),
    call: async (client, input, { signal }) =>
      result({ entities: await client.entities.search(input, { signal }) }),
  }),
  tool('entity_get', {
    scope: 'runs:read',
    description:
      'A record with all its fields and its newest relationships; out: the relationship begins at this record.',
    annotations: reads,
    input: z.strictObject({ id }),
    call: async (client, input, { signal }) =>
      result({ ...(await client.entities.get(input.id, { signal })) }),
  }),
];
