// Runs in an embedded table, with a state machine that only remembers what it was told.
import {
  DescribeExecutionCommand,
  ExecutionDoesNotExist,
  SendTaskSuccessCommand,
  SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';
import { mockClient } from 'aws-sdk-client-mock';
import type { EventBody, RunEvent } from '#contract/events.ts';
import type { Caller } from '#domain/access/authenticate.ts';
import { newRun } from '#domain/runs/new-run.ts';
import { newId } from '#platform/ids.ts';
import { claimSlot } from '#store/counters.ts';
import { readAfter } from '#store/events.ts';
import { inputWrite } from '#store/inputs.ts';
import * as runs from '#store/runs.ts';
import * as workspaces from '#store/workspaces.ts';

export const sfn = mockClient(SFNClient);
const MACHINE = 'arn:aws:states:us-east-1:000000000000:stateMachine:runs';

/** Empties the state machine's memory: no execution exists, starting and waking work. Call before each test. */
export function replaceStateMachine(): void {
  Object.assign(process.env, { STATE_MACHINE_ARN: MACHINE, SITE_URL: 'http://127.0.0.1' });
  sfn.reset();
  sfn.on(StartExecutionCommand).resolves({});
  sfn.on(SendTaskSuccessCommand).resolves({});
  sfn.on(DescribeExecutionCommand).rejects(new ExecutionDoesNotExist({ message: 'none', $metadata: {} }));
}

/** Says how the execution of a name stands. */
export function executionIs(name: string, status: 'RUNNING' | 'FAILED' | 'SUCCEEDED'): void {
  const executionArn = `${MACHINE.replace(':stateMachine:', ':execution:')}:${name}`;
  sfn.on(DescribeExecutionCommand, { executionArn }).resolves({ status });
}

/** Lets nothing be learnt of the execution of a name. */
export function executionIsUnknowable(name: string): void {
  const executionArn = `${MACHINE.replace(':stateMachine:', ':execution:')}:${name}`;
  sfn.on(DescribeExecutionCommand, { executionArn }).rejects(new Error('away'));
}

/** Names of the executions that were started. */
export const startedNames = () =>
  sfn.commandCalls(StartExecutionCommand).map(({ args }) => args[0].input.name);
export const wokenTokens = () =>
  sfn.commandCalls(SendTaskSuccessCommand).map(({ args }) => args[0].input.taskToken);

/** A new workspace, as a caller of it. */
export async function caller(credits?: number): Promise<Caller> {
  const workspace = {
    workspace_id: newId(),
    name: 'W',
    tier: 'enterprise' as const,
    status: 'active' as const,
    features: [],
    credits: credits !== undefined,
    created_at: Date.now(),
  };
  await workspaces.create(workspace, credits);
  return {
    workspace,
    key: {
      key_id: newId(),
      workspace_id: workspace.workspace_id,
      name: 'K',
      scopes: ['runs:create'],
      created_at: 0,
    },
    spent_today: { workspace: 0n, key: 0n },
  };
}

const created: EventBody = { event_type: 'run.created', data: { status: 'pending', input_type: 'plan' } };

const plan = {
  title: 'Plan',
  steps: [{ index: 0, kind: 'analyze' as const, title: 'One', instructions: 'x', params: {} }],
};

/** A run as a create leaves it, with its slot and hold. */
export async function givenRun(
  by: Caller,
  { change }: { change?: Partial<runs.RunRecord> } = {},
): Promise<runs.RunRecord> {
  const id = newId();
  const held = by.workspace.credits ? 20 : undefined;
  await claimSlot(by.workspace.workspace_id, id, 100, held);
  const input = { input_type: 'plan' as const, plan };
  const run = newRun({
    id,
    caller: by,
    request_id: 'r',
    input,
    config: {},
    metadata: undefined,
    plan,
    reserved: held,
  });
  const made = await runs.create(run, [created], [await inputWrite(run.workspace_id, id, input)]);
  return change ? runs.commit(made, change) : made;
}

/** Events after a sequence, at most `limit`. */
export async function logOf(run: runs.RunRecord, after: number, limit: number): Promise<RunEvent[]> {
  return (await readAfter(run, after, limit)).events;
}
