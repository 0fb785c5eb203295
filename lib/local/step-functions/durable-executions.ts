// Durable executions of the state machines, and the operations of the Step Functions API.
import { randomBytes } from 'node:crypto';
import { AwsError, type Operation } from '../aws-endpoint/aws-protocol.ts';
import { isObject, type Json, type JsonObject, messageOf, optionalString, stringAt } from '../json-values.ts';
import type { InvokeResult } from '../lambda/host/lambda-host.ts';
import type { Stack } from '../template/template.ts';
import { type Machine, readMachine } from './asl.ts';
import { type Ending, openExecutionStore, type StoredExecution } from './execution-store.ts';
import { Halted, type Outcome, runExecution } from './run-execution.ts';
import { createTaskTokens } from './task-tokens.ts';
import { createTaskTurns } from './task-turns.ts';

/** The executions of all state machines. */
export interface Executions {
  operations: Record<string, Operation>;
  /** Starts every execution that was running when the service ended, from its first state, with its own input. */
  resume(): void;
  /** `transitions`: billed state transitions so far, which are states entered and retries. `running`: executions that run now. */
  figures(): Record<string, number>;
  /** The ARN of the state machine that waits for a token. */
  machineOfToken(token: string): string | undefined;
  /** Abandons all executions; they stay RUNNING on disk and start again with the service. */
  stop(): void;
}

/** Invokes a function with the rights of a state machine. */
export type InvokeAs = (machineArn: string, functionName: string, payload: string) => Promise<InvokeResult>;

interface LoadedMachine {
  arn: string;
  name: string;
  machine: Machine;
}

const NAME = /^[\w-]{1,80}$/;

/** Opens the file of executions and compiles the template's machines. Throws SetupError for a definition it cannot run. */
export function openExecutions(stack: Stack, file: string, invoke: InvokeAs): Executions {
  const machines = new Map(loadMachines(stack).map((loaded) => [loaded.arn, loaded]));
  const store = openExecutionStore(file);
  const tokens = createTaskTokens();
  const takeTurn = createTaskTurns();
  const running = new Map<string, AbortController>();
  let transitions = 0;

  function finish(arn: string, ending: Ending): void {
    running.delete(arn);
    store.end(arn, ending);
    store.record(arn, historyType(ending.status));
  }

  async function run(
    loaded: LoadedMachine,
    { arn, name, input, started_at }: StoredExecution,
  ): Promise<void> {
    const stop = new AbortController();
    running.set(arn, stop);
    store.record(arn, 'ExecutionStarted', { executionStartedEventDetails: { input } });
    const late = () => {
      finish(arn, { status: 'TIMED_OUT', output: null, error: 'States.Timeout', cause: null });
      stop.abort();
    };
    const { timeoutSeconds } = loaded.machine;
    const timer = timeoutSeconds === undefined ? undefined : setTimeout(late, timeoutSeconds * 1000);
    try {
      const identity = { arn, name, machineArn: loaded.arn, machineName: loaded.name, startedAt: started_at };
      const given: Json = JSON.parse(input);
      const workspace = isObject(given) ? (optionalString(given.workspace_id) ?? '') : '';
      const outcome = await runExecution(loaded.machine, identity, given, {
        invoke: (functionName, payload) => invoke(loaded.arn, functionName, payload),
        turn: () => takeTurn(workspace),
        token: () => tokens.open(loaded.arn),
        transition: (type, state) => {
          transitions += 1;
          store.record(arn, type, { stateEnteredEventDetails: { name: state } });
        },
        signal: stop.signal,
      });
      finish(arn, endingOf(outcome));
    } catch (error) {
      if (error instanceof Halted) return;
      finish(arn, { status: 'FAILED', output: null, error: 'States.Runtime', cause: messageOf(error) });
    } finally {
      clearTimeout(timer);
    }
  }

  function start(input: JsonObject): JsonObject {
    const loaded = machines.get(optionalString(input.stateMachineArn) ?? '');
    if (!loaded)
      throw new AwsError(
        'StateMachineDoesNotExist',
        `State Machine Does Not Exist: '${input.stateMachineArn}'`,
      );
    const name = optionalString(input.name) ?? randomBytes(16).toString('hex');
    const text = optionalString(input.input) ?? '{}';
    if (!NAME.test(name)) throw new AwsError('InvalidName', `Invalid Name: '${name}'`);
    if (!isJson(text)) throw new AwsError('InvalidExecutionInput', 'Invalid State Machine Execution Input.');
    const arn = `${loaded.arn.replace(':stateMachine:', ':execution:')}:${name}`;
    const known = store.find(arn);
    if (known && (known.input !== text || known.status !== 'RUNNING')) {
      throw new AwsError('ExecutionAlreadyExists', `Execution Already Exists: '${arn}'`);
    }
    if (known) return { executionArn: arn, startDate: known.started_at / 1000 };
    const started_at = Date.now();
    store.add({ arn, machine: loaded.arn, name, input: text, started_at });
    const execution = { arn, machine: loaded.arn, name, input: text, started_at, ...RUNNING };
    void run(loaded, execution);
    return { executionArn: arn, startDate: started_at / 1000 };
  }

  function find(input: JsonObject): StoredExecution {
    const execution = store.find(optionalString(input.executionArn) ?? '');
    if (execution) return execution;
    throw new AwsError('ExecutionDoesNotExist', `Execution Does Not Exist: '${input.executionArn}'`);
  }

  function stopExecution(input: JsonObject): JsonObject {
    const { arn, status } = find(input);
    if (status === 'RUNNING') {
      const stopping = running.get(arn);
      const [error, cause] = [optionalString(input.error) ?? null, optionalString(input.cause) ?? null];
      finish(arn, { status: 'ABORTED', output: null, error, cause });
      stopping?.abort();
    }
    return { stopDate: Date.now() / 1000 };
  }

  return {
    operations: {
      ...tokens.operations,
      StartExecution: start,
      StopExecution: stopExecution,
      DescribeExecution: (input) => description(find(input)),
      ListExecutions: (input) => {
        const found = store.list(
          optionalString(input.stateMachineArn) ?? '',
          optionalString(input.statusFilter) ?? null,
        );
        return { executions: found.map(summary) };
      },
      GetExecutionHistory: (input) => ({ events: store.history(find(input).arn) }),
    },
    resume() {
      for (const execution of store.running()) {
        const loaded = machines.get(execution.machine);
        if (loaded) void run(loaded, execution);
      }
    },
    figures: () => ({ transitions, running: running.size }),
    machineOfToken: tokens.machineOf,
    stop() {
      for (const controller of running.values()) controller.abort();
      running.clear();
      store.close();
    },
  };
}

const RUNNING = { status: 'RUNNING', output: null, error: null, cause: null, stopped_at: null };

function loadMachines(stack: Stack): LoadedMachine[] {
  return stack.ofType('AWS::StepFunctions::StateMachine').map(({ id, properties, attributes }) => ({
    arn: attributes.ref,
    name: attributes.Name ?? id,
    machine: readMachine(stringAt(properties.DefinitionString, `${id}.DefinitionString`), id),
  }));
}

function endingOf(outcome: Outcome): Ending {
  if (outcome.status === 'SUCCEEDED') {
    return { status: outcome.status, output: JSON.stringify(outcome.output), error: null, cause: null };
  }
  return { status: outcome.status, output: null, error: outcome.error, cause: outcome.cause };
}

/** `TIMED_OUT` becomes `ExecutionTimedOut`. */
function historyType(status: string): string {
  const words = status.split('_').map((word) => `${word[0]}${word.slice(1).toLowerCase()}`);
  return `Execution${words.join('')}`;
}

function summary({ arn, machine, name, status, started_at, stopped_at }: StoredExecution): JsonObject {
  const stopped = stopped_at === null ? {} : { stopDate: stopped_at / 1000 };
  return {
    executionArn: arn,
    stateMachineArn: machine,
    name,
    status,
    startDate: started_at / 1000,
    ...stopped,
  };
}

function description(execution: StoredExecution): JsonObject {
  const { input, output, error, cause } = execution;
  const present = Object.entries({ output, error, cause }).filter(([, value]) => value !== null);
  return { ...summary(execution), input, ...Object.fromEntries(present) };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
