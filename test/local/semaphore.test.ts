// rules.md: local 12. Executions share the machine: a workspace's flood of them is not in the way of another's.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { InvokeResult } from '../../lib/local/lambda/host/lambda-host.ts';
import { openExecutions } from '../../lib/local/step-functions/durable-executions.ts';
import { stepFunctions } from '../../lib/local/step-functions/step-functions.ts';
import { readStack } from '../../lib/local/template/template.ts';
import { executionIn } from './fixture/executions.ts';

const FLOOD = 20;
const AT_ONCE = 8;
const LASTS_MS = 500;
const DefinitionString = JSON.stringify({
  QueryLanguage: 'JSONata',
  StartAt: 'Work',
  States: {
    Work: {
      Type: 'Task',
      Resource: 'arn:aws:states:::lambda:invoke',
      Arguments: { FunctionName: 'Work', Payload: '{% $states.input %}' },
      TimeoutSeconds: 1,
      End: true,
    },
  },
});
const stack = readStack(
  { Resources: { Machine: { Type: 'AWS::StepFunctions::StateMachine', Properties: { DefinitionString } } } },
  { siteUrl: 'http://127.0.0.1:1', endpointUrl: 'http://127.0.0.1:2' },
  '',
  [stepFunctions],
);
const [machine] = stack.ofType('AWS::StepFunctions::StateMachine');

/** A flood of workspace `a`; `begun` names the executions whose task has begun, `end` ends that of one. */
function flooded() {
  const folder = mkdtempSync(join(tmpdir(), 'turns-'));
  const ends = new Map<string, (result: InvokeResult) => void>();
  const executions = openExecutions(
    stack,
    join(folder, 'executions.db'),
    (_machine, _name, payload) =>
      new Promise((resolve) => ends.set(String(JSON.parse(payload).name), resolve)),
  );
  onTestFinished(() => {
    executions.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const start = (workspace_id: string, name: string) =>
    void executions.operations.StartExecution?.({
      stateMachineArn: String(machine?.attributes.ref),
      name,
      input: JSON.stringify({ workspace_id, name }),
    });
  for (let i = 0; i < FLOOD; i += 1) start('a', `a${i}`);
  return {
    start,
    begun: () => [...ends.keys()],
    end: (name: string) => ends.get(name)?.({ ok: true, payload: '{}' }),
    statusOf: (name: string) => executionIn(folder, arnOf(name))?.status,
  };
}
const arnOf = (name: string) =>
  `${String(machine?.attributes.ref).replace(':stateMachine:', ':execution:')}:${name}`;
const names = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `a${from + i}`);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());
const settled = () => vi.advanceTimersByTimeAsync(0);

test('tasks of one workspace beyond a few wait for each other, those of another workspace start at once', async () => {
  const { start, begun, end } = flooded();
  await settled();
  expect(begun()).toEqual(names(0, AT_ONCE));
  start('b', 'b');
  await settled();
  expect(begun()).toEqual([...names(0, AT_ONCE), 'b']);
  end('a3');
  await settled();
  expect(begun()).toEqual([...names(0, AT_ONCE), 'b', `a${AT_ONCE}`]);
});

test('a task that lasts keeps none waiting for its end, and waiting takes nothing from a task’s time', async () => {
  const { begun, end, statusOf } = flooded();
  await vi.advanceTimersByTimeAsync(LASTS_MS - 1);
  expect(begun()).toEqual(names(0, AT_ONCE));
  await vi.advanceTimersByTimeAsync(1);
  expect(begun()).toEqual(names(0, 2 * AT_ONCE));
  // The first ones have their time used by now; the last ones begin.
  await vi.advanceTimersByTimeAsync(2 * LASTS_MS);
  expect(statusOf('a0')).toBe('FAILED');
  end(`a${FLOOD - 1}`);
  await settled();
  expect(statusOf(`a${FLOOD - 1}`)).toBe('SUCCEEDED');
});
