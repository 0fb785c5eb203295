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

/** What follows a state: its output, its variables and the next state (undefined: the end). */
export interface Exit {
  next: string | undefined;
  output: Template | undefined;
  assign: Template | undefined;
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

export type State =
  | TaskState
  | { type: 'Choice'; rules: (Exit & { condition: Template })[]; otherwise: Exit | undefined }
  | ({ type: 'Pass' } & Exit)
  | { type: 'Succeed'; output: Template | undefined }
  | { type: 'Fail'; error: Template; cause: Template };

/** A definition that the interpreter can run. */
export interface Machine {
  startAt: string;
  timeoutSeconds: number | undefined;
  states: ReadonlyMap<string, State>;
}

const COMMON = ['Type', 'Comment', 'QueryLanguage'];
const FLOW = [...COMMON, 'Next', 'End', 'Output', 'Assign'];
const FIELDS: Record<string, string[]> = {
  Task: [...FLOW, 'Resource', 'Arguments', 'Retry', 'Catch', 'TimeoutSeconds'],
  Choice: [...COMMON, 'Choices', 'Default', 'Output', 'Assign'],
  Pass: FLOW,
  Succeed: [...COMMON, 'Output'],
  Fail: [...COMMON, 'Error', 'Cause'],
};
const INVOKE = 'arn:aws:states:::lambda:invoke';

/**
 * Compiles a definition. Throws SetupError for JSONPath and for any state, field or resource that is not implemented.
 */
export function readMachine(definition: string, where: string): Machine {
  const machine = parseObject(definition, where);
  only(machine, ['Comment', 'StartAt', 'States', 'QueryLanguage', 'TimeoutSeconds', 'Version'], where);
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
  return { startAt, timeoutSeconds: seconds(machine.TimeoutSeconds, where), states };
}

function readState(state: JsonObject, where: string): State {
  const type = stringAt(state.Type, `${where}.Type`);
  only(state, FIELDS[type] ?? [], `${where} (${type})`);
  if (state.QueryLanguage !== undefined && state.QueryLanguage !== 'JSONata')
    throw new SetupError(`${where}: only JSONata is known locally`);
  switch (type) {
    case 'Task':
      return readTask(state, where);
    case 'Choice':
      return readChoice(state, where);
    case 'Pass':
      return { type, ...exitOf(state, where) };
    case 'Succeed':
      return { type, output: optionalTemplate(state.Output, where) };
    case 'Fail':
      return {
        type,
        error: compileTemplate(state.Error ?? '', where),
        cause: compileTemplate(state.Cause ?? '', where),
      };
    default:
      throw new SetupError(`${where}: the local runtime does not know the state type ${type}`);
  }
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
  only(rule, ['ErrorEquals', 'Next', 'Output', 'Assign', 'Comment'], `${where}.Catch`);
  return { errors: errorsOf(rule, where), ...exitOf(rule, where) };
}

function readChoice(state: JsonObject, where: string): State {
  const rules = listAt(state.Choices, where).map((value) => {
    const rule = objectAt(value, where);
    only(rule, ['Condition', 'Next', 'Output', 'Assign', 'Comment'], `${where}.Choices`);
    return { condition: compileTemplate(rule.Condition, `${where}.Condition`), ...exitOf(rule, where) };
  });
  const fallback = optionalString(state.Default);
  return {
    type: 'Choice',
    rules,
    otherwise: fallback === undefined ? undefined : { ...exitOf(state, where), next: fallback },
  };
}

function exitOf(state: JsonObject, where: string): Exit {
  return {
    next: optionalString(state.Next),
    output: optionalTemplate(state.Output, `${where}.Output`),
    assign: optionalTemplate(state.Assign, `${where}.Assign`),
  };
}

function errorsOf(rule: JsonObject, where: string): string[] {
  return listAt(rule.ErrorEquals, where).map((name) => stringAt(name, where));
}

function optionalTemplate(value: Json | undefined, where: string): Template | undefined {
  return value === undefined ? undefined : compileTemplate(value, where);
}

function seconds(value: Json | undefined, where: string): number | undefined {
  return value === undefined ? undefined : numberAt(value, 0, where);
}

/** Whole seconds, or an expression that yields them. */
function taskTimeout(value: Json | undefined, where: string): Template | undefined {
  const isExpression = typeof value === 'string' && value.startsWith('{%');
  return optionalTemplate(isExpression ? value : seconds(value, where), where);
}

function only(value: JsonObject, fields: string[], where: string): void {
  const other = Object.keys(value).find((field) => !fields.includes(field));
  if (other) throw new SetupError(`${where}: the local runtime does not know the field ${other}`);
}

function targets(state: State): string[] {
  const exits: (Exit | undefined)[] =
    state.type === 'Choice' ? [...state.rules, state.otherwise] : 'next' in state ? [state] : [];
  if (state.type === 'Task') exits.push(...state.catch);
  return exits.flatMap((exit) => (exit?.next === undefined ? [] : [exit.next]));
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
