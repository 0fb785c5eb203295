// Durable executions of the state machines, and the operations that functions call.
import { randomBytes } from 'node:crypto';
import { AwsError, type Operation } from '../aws-endpoint/aws-protocol.ts';
import { onceThereIsRoom } from '../files/sqlite-file.ts';
import { isObject, type Json, type JsonObject, messageOf, optionalString, stringAt } from '../json-values.ts';
import type { InvokeResult } from '../lambda/host/lambda-host.ts';
import type { Stack } from '../template/template.ts';
import { type Machine, readMachine } from './asl.ts';
import {
  type Ending,
  type ExecutionStore,
  type NewExecution,
  openExecutionStore,
} from './execution-store.ts';
import { Halted, type Outcome, runExecution } from './run-execution.ts';
import { createSemaphore } from './semaphore.ts';
import { createTaskTokens, type TaskTokens } from './task-tokens.ts';

/** The executions of all state machines. */
export interface Executions {
  operations: Record<string, Operation>;
  /** Starts each execution that was running when the service stopped from its first state, with the same input. */
  resume(): void;
  /** `transitions`: billed so far, that is states entered and retries. `running`: running executions. */
  figures(): Record<string, number>;
  /** The ARN of the state machine that waits for a token. */
  machineOfToken(token: string): string | undefined;
  /** Abandons all executions. They stay RUNNING on disk and start again with the service. */
  stop(): void;
}

/** Invokes a function with the rights of a state machine. */
export type InvokeAs = (
  machineArn: string,
  functionName: string,
  payload: string,
  isCrowd: boolean,
) => Promise<InvokeResult>;

interface LoadedMachine {
  arn: string;
  name: string;
  machine: Machine;
}

const NAME = /^[\w-]{1,80}$/;

/**
 * Opens the file of executions and compiles the template's machines. Throws SetupError for a definition it cannot run.
 */
export function openExecutions(stack: Stack, file: string, invoke: InvokeAs): Executions {
  const machines = new Map(loadMachines(stack).map((loaded) => [loaded.arn, loaded]));
  const store = openExecutionStore(file);
  const tokens = createTaskTokens();
  const runner = new ExecutionRunner(store, tokens, invoke);

  return {
    operations: { ...tokens.operations, StartExecution: startExecution(machines, store, runner) },
    resume() {
      for (const execution of store.running()) {
        const loaded = machines.get(execution.machine);
        if (loaded) void runner.run(loaded, execution);
      }
    },
    figures: () => runner.figures(),
    machineOfToken: tokens.machineOf,
    stop() {
      runner.abandonAll();
      store.close();
    },
  };
}

/** As on AWS, the same name with the same input is the same execution while it runs. */
function startExecution(
  machines: ReadonlyMap<string, LoadedMachine>,
  store: ExecutionStore,
  runner: ExecutionRunner,
): Operation {
  return (input) => {
    const loaded = machines.get(optionalString(input.stateMachineArn) ?? '');
    if (!loaded)
      throw new AwsError(
        'StateMachineDoesNotExist',
        `State Machine Does Not Exist: '${input.stateMachineArn}'`,
      );
    const asked = newExecution(loaded, input);
    const known = store.find(asked.arn);
    if (known && (known.input !== asked.input || known.status !== 'RUNNING'))
      throw new AwsError('ExecutionAlreadyExists', `Execution Already Exists: '${asked.arn}'`);
    if (!known) {
      store.add(asked);
      void runner.run(loaded, asked);
    }
    return { executionArn: asked.arn, startDate: (known ?? asked).started_at / 1000 };
  };
}

/** The execution that StartExecution asks for. Throws AwsError for a wrong name or input. */
function newExecution({ arn: machine }: LoadedMachine, input: JsonObject): NewExecution {
  const name = optionalString(input.name) ?? randomBytes(16).toString('hex');
  const text = optionalString(input.input) ?? '{}';
  if (!NAME.test(name)) throw new AwsError('InvalidName', `Invalid Name: '${name}'`);
  if (!isJson(text)) throw new AwsError('InvalidExecutionInput', 'Invalid State Machine Execution Input.');
  const arn = `${machine.replace(':stateMachine:', ':execution:')}:${name}`;
  return { arn, machine, name, input: text, started_at: Date.now() };
}

/** Runs executions and stores their endings. */
class ExecutionRunner {
  readonly #store: ExecutionStore;
  readonly #tokens: TaskTokens;
  readonly #invoke: InvokeAs;
  readonly #acquire = createSemaphore();
  readonly #abandon = new AbortController();
  readonly #running = new Set<string>();
  #transitions = 0;

  constructor(store: ExecutionStore, tokens: TaskTokens, invoke: InvokeAs) {
    this.#store = store;
    this.#tokens = tokens;
    this.#invoke = invoke;
  }

  async run({ arn: machineArn, name: machineName, machine }: LoadedMachine, execution: NewExecution) {
    const { arn, name, input, started_at: startedAt } = execution;
    this.#running.add(arn);
    try {
      const identity = { arn, name, machineArn, machineName, startedAt };
      const given: Json = JSON.parse(input);
      const outcome = await runExecution(machine, identity, given, {
        invoke: (functionName, payload, isCrowd) => this.#invoke(machineArn, functionName, payload, isCrowd),
        turn: () => this.#acquire(workspaceIn(given)),
        token: () => this.#tokens.open(machineArn),
        transition: () => {
          this.#transitions += 1;
        },
        signal: this.#abandon.signal,
      });
      await this.#reachEnd(arn, endingOf(outcome));
    } catch (error) {
      if (error instanceof Halted) return;
      const cause = messageOf(error);
      await this.#reachEnd(arn, { status: 'FAILED', output: null, error: 'States.Runtime', cause });
    }
  }

  /** Leaves all executions as they are on disk, to be resumed by the next start. */
  abandonAll(): void {
    this.#abandon.abort();
    this.#running.clear();
  }

  figures(): Record<string, number> {
    return { transitions: this.#transitions, running: this.#running.size };
  }

  /** Ends an execution, unless it was abandoned. While the disk is full, it is not at its end. */
  async #reachEnd(arn: string, ending: Ending): Promise<void> {
    const end = () => {
      this.#store.end(arn, ending);
      this.#running.delete(arn);
    };
    await onceThereIsRoom(end, () => this.#running.has(arn));
  }
}

const workspaceIn = (input: Json) => (isObject(input) ? (optionalString(input.workspace_id) ?? '') : '');

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

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
