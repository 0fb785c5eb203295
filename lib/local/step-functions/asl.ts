// Reads a state machine definition in Amazon States Language; refuses what the interpreter cannot run.
import {
  type Json,
  type JsonObject,
  listAt,
  numberAt,
  objectAt,
  optionalString,
  parseObject,
  stringAt,
} from '../json-values.ts';
import { SetupError } from '../setup-error.ts';
import { compileTemplate, type Template } from './jsonata-template.ts';

/** What follows a state: its output and the next state (undefined: the end). */
export interface Exit {
  next: string | undefined;
  output: Template | undefined;
}

export interface Retrier {
  errors: string[];
  intervalSeconds: number;
  maxAttempts: number;
  backoffRate: number;
  maxDelaySeconds: number;
  fullJitter: boolean;
}

interface Catcher extends Exit {
  errors: string[];
}

export interface TaskState extends Exit {
  type: 'Task';
  waitsForToken: boolean;
  functionName: string;
  payload: Template;
  timeoutSeconds: Template | undefined;
  retry: Retrier[];
  catch: Catcher[];
}

type State = TaskState | { type: 'Fail'; error: Template; cause: Template };

/** A definition that the interpreter can run. */
export interface Machine {
  startAt: string;
  states: ReadonlyMap<string, State>;
}

const COMMON = ['Type', 'Comment', 'QueryLanguage'];
const FIELDS: Record<string, string[]> = {
  Task: [...COMMON, 'Next', 'End', 'Output', 'Resource', 'Arguments', 'Retry', 'Catch', 'TimeoutSeconds'],
  Fail: [...COMMON, 'Error', 'Cause'],
};
const INVOKE = 'arn:aws:states:::lambda:invoke';

/**
 * Compiles a definition. Throws SetupError for JSONPath and for any state, field or resource that is not implemented.
 */
export function readMachine(definition: string, where: string): Machine {
  const machine = parseObject(definition, where);
  only(machine, ['Comment', 'StartAt', 'States', 'QueryLanguage', 'Version'], where);
  if (machine.QueryLanguage !== 'JSONata')
    throw new SetupError(`${where}: only the query language JSONata is known locally`);
  const states = new Map<string, State>();
  for (const [name, value] of Object.entries(objectAt(machine.States, where))) {
    states.set(name, readState(objectAt(value, name), `${where} state ${name}`));
  }
  const startAt = stringAt(machine.StartAt, `${where}.StartAt`);
  for (const target of [startAt, ...[...states.values()].flatMap(targets)]) {
    if (!states.has(target)) throw new SetupError(`${where}: there is no state ${target}`);
  }
  return { startAt, states };
}

function readState(state: JsonObject, where: string): State {
  const type = stringAt(state.Type, `${where}.Type`);
  const fields = FIELDS[type];
  if (!fields) throw new SetupError(`${where}: the local runtime does not know the state type ${type}`);
  only(state, fields, `${where} (${type})`);
  if (state.QueryLanguage !== undefined && state.QueryLanguage !== 'JSONata')
    throw new SetupError(`${where}: only JSONata is known locally`);
  if (type === 'Task') return readTask(state, where);
  return {
    type: 'Fail',
    error: compileTemplate(state.Error ?? '', where),
    cause: compileTemplate(state.Cause ?? '', where),
  };
}

function readTask(state: JsonObject, where: string): TaskState {
  const resource = stringAt(state.Resource, `${where}.Resource`);
  if (resource !== INVOKE && resource !== `${INVOKE}.waitForTaskToken`) {
    throw new SetupError(`${where}: the local runtime does not know the resource ${resource}`);
  }
  const call = objectAt(state.Arguments, `${where}.Arguments`);
  only(call, ['FunctionName', 'Payload'], `${where}.Arguments`);
  const functionName = stringAt(call.FunctionName, `${where}.Arguments.FunctionName`);
  return {
    type: 'Task',
    waitsForToken: resource !== INVOKE,
    functionName: functionName.replace(/^arn:.*:function:/, '').replace(/:.*$/, ''),
    payload: compileTemplate(call.Payload ?? {}, `${where}.Arguments.Payload`),
    timeoutSeconds: taskTimeout(state.TimeoutSeconds, `${where}.TimeoutSeconds`),
    retry: listAt(state.Retry, `${where}.Retry`).map((rule) => readRetrier(objectAt(rule, where), where)),
    catch: listAt(state.Catch, `${where}.Catch`).map((rule) => readCatcher(objectAt(rule, where), where)),
    ...exitOf(state, where),
  };
}

function readRetrier(rule: JsonObject, where: string): Retrier {
  only(
    rule,
    [
      'ErrorEquals',
      'IntervalSeconds',
      'MaxAttempts',
      'BackoffRate',
      'MaxDelaySeconds',
      'JitterStrategy',
      'Comment',
    ],
    `${where}.Retry`,
  );
  return {
    errors: errorsOf(rule, where),
    intervalSeconds: numberAt(rule.IntervalSeconds, 1, where),
    maxAttempts: numberAt(rule.MaxAttempts, 3, where),
    backoffRate: numberAt(rule.BackoffRate, 2, where),
    maxDelaySeconds: numberAt(rule.MaxDelaySeconds, Number.MAX_SAFE_INTEGER, where),
    fullJitter: rule.JitterStrategy === 'FULL',
  };
}

function readCatcher(rule: JsonObject, where: string): Catcher {
  only(rule, ['ErrorEquals', 'Next', 'Output', 'Comment'], `${where}.Catch`);
  return { errors: errorsOf(rule, where), ...exitOf(rule, where) };
}

function exitOf(state: JsonObject, where: string): Exit {
  return {
    next: optionalString(state.Next),
    output: optionalTemplate(state.Output, `${where}.Output`),
  };
}

function errorsOf(rule: JsonObject, where: string): string[] {
  return listAt(rule.ErrorEquals, where).map((name) => stringAt(name, where));
}

function optionalTemplate(value: Json | undefined, where: string): Template | undefined {
  return value === undefined ? undefined : compileTemplate(value, where);
}

/** Whole seconds, or an expression that yields them. */
function taskTimeout(value: Json | undefined, where: string): Template | undefined {
  const isExpression = typeof value === 'string' && value.startsWith('{%');
  return optionalTemplate(value === undefined || isExpression ? value : numberAt(value, 0, where), where);
}

function only(value: JsonObject, fields: string[], where: string): void {
  const other = Object.keys(value).find((field) => !fields.includes(field));
  if (other) throw new SetupError(`${where}: the local runtime does not know the field ${other}`);
}

function targets(state: State): string[] {
  const exits = state.type === 'Task' ? [state, ...state.catch] : [];
  return exits.flatMap(({ next }) => (next === undefined ? [] : [next]));
}

/** Whether a retrier or catcher matches an error. */
export function matchesError(errors: string[], error: string): boolean {
  const runtimeFault = error === 'States.Runtime' || error === 'States.DataLimitExceeded';
  if (errors.includes(error)) return true;
  if (errors.includes('States.ALL')) return !runtimeFault;
  return errors.includes('States.TaskFailed') && error !== 'States.Timeout' && !runtimeFault;
}

/** Seconds before the retry that follows `attempt` failures (1 for the first). */
export function retryDelaySeconds(
  rule: Retrier,
  attempt: number,
  random: () => number = Math.random,
): number {
  const full = Math.min(rule.maxDelaySeconds, rule.intervalSeconds * rule.backoffRate ** (attempt - 1));
  return rule.fullJitter ? full * random() : full;
}
