// Step Functions for one machine: durable executions, task tokens and the operations of the API.
import { randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { type Machine, readMachine } from './asl.ts';
import { Halted, type Outcome, runExecution } from './execution.ts';
import { type Json, type JsonObject, messageOf, optionalString, stringAt } from './json.ts';
import { StateFailure } from './jsonata-template.ts';
import type { InvokeResult } from './lambda.ts';
import type { Stack } from './template.ts';
import { type Operation, ServiceFault } from './wire.ts';

/** The local Step Functions. */
export interface States {
  operations: Record<string, Operation>;
  /** Starts every execution that was running when the service ended, from its first state, with its own input. */
  resume(): void;
  /** Billed state transitions so far: states entered and retries. */
  transitions(): number;
  /** Executions that run now. */
  running(): number;
  /** The state machine that handed out a token. */
  machineOfToken(token: string): string | undefined;
  /** Lets go of all executions; they stay RUNNING on disk and go on after the next start. */
  stop(): void;
}

interface LoadedMachine {
  arn: string;
  name: string;
  machine: Machine;
}

interface OpenTask {
  machineArn: string;
  answer(value: Json): void;
  fail(failure: StateFailure): void;
  heartbeat(): void;
}

interface HistoryEvent extends JsonObject {
  id: number;
  type: string;
}

const HISTORY_KEPT = 500;
const DAY_MS = 86_400_000;
const NAME_REUSE_MS = 90 * DAY_MS;

/** Opens the file of executions and compiles the template's machines. Throws SetupError for a definition it cannot run. */
export function openStates(
  stack: Stack,
  file: string,
  invoke: (machineArn: string, functionName: string, payload: string) => Promise<InvokeResult>,
): States {
  const machines = new Map(loadMachines(stack).map((loaded) => [loaded.arn, loaded]));
  const db = new DatabaseSync(file);
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
    CREATE TABLE IF NOT EXISTS executions (arn TEXT PRIMARY KEY, machine TEXT NOT NULL, name TEXT NOT NULL, input TEXT NOT NULL,
      status TEXT NOT NULL, output TEXT, error TEXT, cause TEXT, started_at INTEGER NOT NULL, stopped_at INTEGER);
    CREATE INDEX IF NOT EXISTS by_status ON executions (status);`);
  db.prepare('DELETE FROM executions WHERE stopped_at < ?').run(Date.now() - NAME_REUSE_MS);
  const find = db.prepare('SELECT * FROM executions WHERE arn = ?');
  const insert = db.prepare(
    "INSERT INTO executions VALUES (?, ?, ?, ?, 'RUNNING', NULL, NULL, NULL, ?, NULL)",
  );
  const end = db.prepare(
    "UPDATE executions SET status = ?, output = ?, error = ?, cause = ?, stopped_at = ? WHERE arn = ? AND status = 'RUNNING'",
  );
  const tokens = new Map<string, OpenTask>();
  const running = new Map<string, AbortController>();
  const histories = new Map<string, HistoryEvent[]>();
  let transitions = 0;

  function record(arn: string, type: string, details: JsonObject = {}): void {
    const events = histories.get(arn) ?? [];
    const id = events.length + 1;
    events.push({ id, previousEventId: id - 1, timestamp: Date.now() / 1000, type, ...details });
    histories.set(arn, events);
    const oldest = histories.size > HISTORY_KEPT ? histories.keys().next().value : undefined;
    if (oldest !== undefined) histories.delete(oldest);
  }

  function openToken(machineArn: string, heartbeatSeconds: number | undefined) {
    const token = randomBytes(48).toString('base64url');
    const { promise, resolve, reject } = Promise.withResolvers<Json>();
    promise.catch(() => {});
    let timer: NodeJS.Timeout | undefined;
    const heartbeat = () => {
      clearTimeout(timer);
      const late = () => reject(new StateFailure('States.HeartbeatTimeout', ''));
      if (heartbeatSeconds !== undefined) timer = setTimeout(late, heartbeatSeconds * 1000);
    };
    heartbeat();
    tokens.set(token, { machineArn, answer: resolve, fail: reject, heartbeat });
    const forget = () => {
      clearTimeout(timer);
      tokens.delete(token);
    };
    return { token, answer: promise, forget };
  }

  function finish(arn: string, outcome: Outcome | { status: 'ABORTED'; error: string; cause: string }): void {
    running.delete(arn);
    const output = 'output' in outcome ? JSON.stringify(outcome.output) : null;
    const error = 'error' in outcome ? outcome.error : null;
    const cause = 'cause' in outcome ? outcome.cause : null;
    end.run(outcome.status, output, error, cause, Date.now(), arn);
    record(arn, `Execution${outcome.status[0]}${outcome.status.slice(1).toLowerCase()}`);
  }

  async function run(
    loaded: LoadedMachine,
    arn: string,
    name: string,
    input: string,
    startedAt: number,
  ): Promise<void> {
    const stop = new AbortController();
    running.set(arn, stop);
    record(arn, 'ExecutionStarted', { executionStartedEventDetails: { input } });
    const seconds = loaded.machine.timeoutSeconds;
    const late = () => {
      finish(arn, { status: 'TIMED_OUT', error: 'States.Timeout', cause: '' });
      stop.abort();
    };
    const timer = seconds === undefined ? undefined : setTimeout(late, seconds * 1000).unref();
    try {
      const identity = { arn, name, machineArn: loaded.arn, machineName: loaded.name, startedAt };
      const outcome = await runExecution(loaded.machine, identity, JSON.parse(input), {
        invoke: (functionName, payload) => invoke(loaded.arn, functionName, payload),
        token: (heartbeatSeconds) => openToken(loaded.arn, heartbeatSeconds),
        transition: (type, state) => {
          transitions += 1;
          record(arn, type, { stateEnteredEventDetails: { name: state } });
        },
        signal: stop.signal,
      });
      finish(arn, outcome);
    } catch (error) {
      if (!(error instanceof Halted))
        finish(arn, { status: 'FAILED', error: 'States.Runtime', cause: messageOf(error) });
    } finally {
      clearTimeout(timer);
    }
  }

  function start(input: JsonObject): JsonObject {
    const loaded = machines.get(optionalString(input.stateMachineArn) ?? '');
    if (!loaded)
      throw new ServiceFault(
        'StateMachineDoesNotExist',
        `State Machine Does Not Exist: '${input.stateMachineArn}'`,
      );
    const name = optionalString(input.name) ?? randomBytes(16).toString('hex');
    const text = optionalString(input.input) ?? '{}';
    if (!/^[\w-]{1,80}$/.test(name)) throw new ServiceFault('InvalidName', `Invalid Name: '${name}'`);
    if (!isJson(text))
      throw new ServiceFault('InvalidExecutionInput', 'Invalid State Machine Execution Input.');
    const arn = `${loaded.arn.replace(':stateMachine:', ':execution:')}:${name}`;
    const known = find.get(arn);
    if (known && (known.input !== text || known.status !== 'RUNNING')) {
      throw new ServiceFault('ExecutionAlreadyExists', `Execution Already Exists: '${arn}'`);
    }
    const startedAt = known ? Number(known.started_at) : Date.now();
    if (!known) {
      insert.run(arn, loaded.arn, name, text, startedAt);
      void run(loaded, arn, name, text, startedAt);
    }
    return { executionArn: arn, startDate: startedAt / 1000 };
  }

  function describe(input: JsonObject): JsonObject {
    const row = find.get(optionalString(input.executionArn) ?? '');
    if (!row)
      throw new ServiceFault('ExecutionDoesNotExist', `Execution Does Not Exist: '${input.executionArn}'`);
    const optional = {
      output: row.output,
      error: row.error,
      cause: row.cause,
      stopDate: row.stopped_at === null ? null : Number(row.stopped_at) / 1000,
    };
    const present = Object.entries(optional).flatMap(([key, value]) =>
      typeof value === 'string' || typeof value === 'number' ? [[key, value] as const] : [],
    );
    return { ...summary(row), input: String(row.input), ...Object.fromEntries(present) };
  }

  function stopExecution(input: JsonObject): JsonObject {
    const arn = stringAt(describe(input).executionArn, 'executionArn');
    if (describe(input).status === 'RUNNING') {
      const stopping = running.get(arn);
      finish(arn, {
        status: 'ABORTED',
        error: optionalString(input.error) ?? '',
        cause: optionalString(input.cause) ?? '',
      });
      stopping?.abort();
    }
    return { stopDate: Date.now() / 1000 };
  }

  function list(input: JsonObject): JsonObject {
    const status = optionalString(input.statusFilter) ?? null;
    const rows = db
      .prepare(
        'SELECT * FROM executions WHERE machine = ?1 AND (?2 IS NULL OR status = ?2) ORDER BY started_at DESC LIMIT 1000',
      )
      .all(optionalString(input.stateMachineArn) ?? '', status);
    return { executions: rows.map(summary) };
  }

  function task(input: JsonObject): OpenTask {
    const token = optionalString(input.taskToken) ?? '';
    const found = tokens.get(token);
    if (found) return found;
    if (!/^[\w-]{64}$/.test(token)) throw new ServiceFault('InvalidToken', "Invalid Token: 'Invalid token'");
    throw new ServiceFault('TaskTimedOut', "Task Timed Out: 'Provided task does not exist anymore'");
  }

  function succeed(input: JsonObject): JsonObject {
    const open = task(input);
    const output = optionalString(input.output) ?? '';
    if (!isJson(output)) throw new ServiceFault('InvalidOutput', 'Invalid Output: the output is no JSON.');
    open.answer(JSON.parse(output));
    tokens.delete(optionalString(input.taskToken) ?? '');
    return {};
  }

  function fail(input: JsonObject): JsonObject {
    task(input).fail(
      new StateFailure(optionalString(input.error) ?? 'States.TaskFailed', optionalString(input.cause) ?? ''),
    );
    tokens.delete(optionalString(input.taskToken) ?? '');
    return {};
  }

  return {
    operations: {
      StartExecution: start,
      StopExecution: stopExecution,
      DescribeExecution: describe,
      ListExecutions: list,
      GetExecutionHistory: (input) => {
        const arn = stringAt(describe(input).executionArn, 'executionArn');
        return { events: histories.get(arn) ?? [] };
      },
      SendTaskSuccess: succeed,
      SendTaskFailure: fail,
      SendTaskHeartbeat: (input) => {
        task(input).heartbeat();
        return {};
      },
    },
    resume() {
      for (const row of db.prepare("SELECT * FROM executions WHERE status = 'RUNNING'").all()) {
        const loaded = machines.get(String(row.machine));
        if (loaded)
          void run(loaded, String(row.arn), String(row.name), String(row.input), Number(row.started_at));
      }
    },
    transitions: () => transitions,
    running: () => running.size,
    machineOfToken: (token) => tokens.get(token)?.machineArn,
    stop() {
      for (const controller of running.values()) controller.abort();
      running.clear();
      db.close();
    },
  };
}

function loadMachines(stack: Stack): LoadedMachine[] {
  return stack.ofType('AWS::StepFunctions::StateMachine').map(({ id, properties, attributes }) => ({
    arn: attributes.ref,
    name: attributes.Name ?? id,
    machine: readMachine(stringAt(properties.DefinitionString, `${id}.DefinitionString`), id),
  }));
}

function summary(row: Record<string, unknown>): JsonObject {
  return {
    executionArn: String(row.arn),
    stateMachineArn: String(row.machine),
    name: String(row.name),
    status: String(row.status),
    startDate: Number(row.started_at) / 1000,
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
