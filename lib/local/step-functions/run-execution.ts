// Runs one execution of a state machine, from its first state to its end.
import { randomUUID } from 'node:crypto';
import * as timers from 'node:timers/promises';
import type { Json, JsonObject } from '../json-values.ts';
import type { InvokeResult } from '../lambda/host/lambda-host.ts';
import { type Exit, type Machine, matchesError, retryDelaySeconds, type TaskState } from './asl.ts';
import { type Bindings, StateFailure } from './jsonata-template.ts';
import type { Permit } from './semaphore.ts';

/** How an execution ended. */
export type Outcome =
  | { status: 'SUCCEEDED'; output: Json }
  | { status: 'FAILED'; error: string; cause: string };

/** What an execution needs from its environment. */
export interface Surroundings {
  /** `isCrowd`: many tasks of the run's workspace are under way. */
  invoke(functionName: string, payload: string, isCrowd: boolean): Promise<InvokeResult>;
  /** Resolves when a task may start. */
  turn(): Promise<Permit>;
  /** Registers a task token; the promise resolves with its answer. */
  token(): { token: string; answer: Promise<Json>; forget(): void };
  /** Called for every state entered and every retry: each is one billed transition. */
  transition(): void;
  /** Aborted when the service stops: nothing continues after that. */
  signal: AbortSignal;
}

/** The fixed part of the context object. */
export interface Identity {
  arn: string;
  name: string;
  machineArn: string;
  machineName: string;
  startedAt: number;
}

/** What a state's expressions read. */
interface Frame {
  input: Json;
  context: JsonObject;
}

/** The output of a state and the next one (undefined: the end). */
interface Step {
  output: Json;
  next: string | undefined;
}

/** Ends an execution that must not continue; it has no outcome. */
export class Halted extends Error {
  override readonly name = 'Halted';
}

/** Runs the machine on an input. Rejects with Halted when the signal fires; any other end is an Outcome. */
export async function runExecution(
  machine: Machine,
  identity: Identity,
  input: Json,
  around: Surroundings,
): Promise<Outcome> {
  const execution = {
    Id: identity.arn,
    Name: identity.name,
    Input: input,
    StartTime: new Date(identity.startedAt).toISOString(),
  };
  const context = {
    Execution: execution,
    StateMachine: { Id: identity.machineArn, Name: identity.machineName },
  };
  let output = input;
  let name: string | undefined = machine.startAt;
  try {
    while (name !== undefined) {
      const state = machine.states.get(name);
      if (!state) throw new StateFailure('States.Runtime', `There is no state ${name}.`);
      around.transition();
      const entered = { Name: name, EnteredTime: new Date().toISOString(), RetryCount: 0 };
      const frame = { input: output, context: { ...context, State: entered } };
      if (state.type === 'Fail') {
        const bindings = bind(frame);
        throw new StateFailure(String(await state.error(bindings)), String(await state.cause(bindings)));
      }
      const step: Step = await runTask(state, frame, around);
      halt(around.signal);
      ({ output, next: name } = step);
    }
    return { status: 'SUCCEEDED', output };
  } catch (error) {
    halt(around.signal);
    if (!(error instanceof StateFailure)) throw error;
    return { status: 'FAILED', error: error.error, cause: error.cause };
  }
}

async function runTask(state: TaskState, frame: Frame, around: Surroundings): Promise<Step> {
  const failures = new Map<object, number>();
  for (;;) {
    try {
      const result = await attempt(state, frame, around);
      return await leave(state, bind(frame, { result }), result);
    } catch (error) {
      halt(around.signal);
      if (!(error instanceof StateFailure)) throw error;
      const rule = state.retry.find((candidate) => matchesError(candidate.errors, error.error));
      const failed = rule ? (failures.get(rule) ?? 0) + 1 : 0;
      if (!rule || failed > rule.maxAttempts) return caught(state, frame, error);
      failures.set(rule, failed);
      await pause(retryDelaySeconds(rule, failed), around.signal);
      around.transition();
    }
  }
}

async function caught(state: TaskState, frame: Frame, failure: StateFailure): Promise<Step> {
  const catcher = state.catch.find((candidate) => matchesError(candidate.errors, failure.error));
  if (!catcher) throw failure;
  const errorOutput = { Error: failure.error, Cause: failure.cause };
  return leave(catcher, bind(frame, { errorOutput }), errorOutput);
}

/** One attempt of a task. Waiting for its turn does not count towards its timeout. */
async function attempt(state: TaskState, frame: Frame, around: Surroundings): Promise<Json> {
  const { isCrowd, release } = await around.turn();
  try {
    halt(around.signal);
    return await perform(state, frame, around, isCrowd);
  } finally {
    release();
  }
}

async function perform(
  state: TaskState,
  frame: Frame,
  around: Surroundings,
  isCrowd: boolean,
): Promise<Json> {
  const waiting = state.waitsForToken ? around.token() : undefined;
  const context = waiting ? { ...frame.context, Task: { Token: waiting.token } } : frame.context;
  const work = async (): Promise<Json> => {
    const payload = await state.payload(bind({ ...frame, context }));
    const reply = await around.invoke(state.functionName, JSON.stringify(payload), isCrowd);
    if (!reply.ok) throw new StateFailure(reply.error.errorType, JSON.stringify(reply.error));
    if (waiting) return waiting.answer;
    return {
      ExecutedVersion: '$LATEST',
      StatusCode: 200,
      Payload: JSON.parse(reply.payload),
      SdkResponseMetadata: { RequestId: randomUUID() },
    };
  };
  try {
    return await within(work(), await timeoutOf(state, bind({ ...frame, context })), around.signal);
  } finally {
    waiting?.forget();
  }
}

/** Step Functions takes whole seconds of at least one. */
async function timeoutOf(state: TaskState, bindings: Bindings): Promise<number | undefined> {
  const seconds = await state.timeoutSeconds?.(bindings);
  if (seconds === undefined || (typeof seconds === 'number' && Number.isInteger(seconds) && seconds > 0))
    return seconds;
  throw new StateFailure('States.QueryEvaluationError', 'TimeoutSeconds is no positive integer.');
}

/** Resolves with the result of the work. Throws StateFailure at the timeout and Halted when the signal fires. */
async function within(
  work: Promise<Json>,
  timeoutSeconds: number | undefined,
  signal: AbortSignal,
): Promise<Json> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(new Halted());
  signal.addEventListener('abort', stop, { once: true });
  const late = () => reject(new StateFailure('States.Timeout', ''));
  const timer = timeoutSeconds === undefined ? undefined : setTimeout(late, timeoutSeconds * 1000);
  work.catch(() => {});
  try {
    halt(signal);
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

async function leave({ output, next }: Exit, bindings: Bindings, result: Json): Promise<Step> {
  return { output: output ? await output(bindings) : result, next };
}

function bind(frame: Frame, extra: Bindings = {}): Bindings {
  return { states: { ...frame, ...extra } };
}

async function pause(seconds: number, signal: AbortSignal): Promise<void> {
  await timers.setTimeout(seconds * 1000, undefined, { signal }).catch(() => {});
  halt(signal);
}

function halt(signal: AbortSignal): void {
  if (signal.aborted) throw new Halted();
}
