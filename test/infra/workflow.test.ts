// The state machine of a run: its data, its transitions, its ends, and its logs.
import jsonata from 'jsonata';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { HandedOn } from '../../functions/jobs/handed-on.ts';
import { ServiceTrouble } from '../../functions/platform/service-trouble.ts';
import { runMachine } from '../../lib/constructs/run-machine.ts';
import { fields, functionOf, list, ofType, only, synthesize, text } from '../support/synthesize.ts';

const template = synthesize();
const machine = only(template, 'AWS::StepFunctions::StateMachine').Properties;

const Rule = z.looseObject({ ErrorEquals: z.array(z.string()).min(1), MaxAttempts: z.number().optional() });
const Delays = z.object({
  IntervalSeconds: z.number(),
  BackoffRate: z.literal(2),
  MaxAttempts: z.number(),
  MaxDelaySeconds: z.number(),
});
const State = z.looseObject({
  Type: z.enum(['Task', 'Choice', 'Succeed', 'Fail']),
  Next: z.string().optional(),
  Default: z.string().optional(),
  Choices: z.array(z.strictObject({ Condition: z.string(), Next: z.string() })).default([]),
  Arguments: z.object({ FunctionName: z.string(), Payload: z.record(z.string(), z.string()) }).optional(),
  Output: z.union([z.string(), z.record(z.string(), z.string())]).optional(),
  Retry: z.array(Rule).default([]),
  Catch: z.array(Rule.extend({ Next: z.string(), Output: z.record(z.string(), z.string()) })).default([]),
  TimeoutSeconds: z.union([z.number(), z.string()]).optional(),
});
const Definition = z.object({
  QueryLanguage: z.literal('JSONata'),
  StartAt: z.string(),
  States: z.record(z.string(), State),
});
const { QueryLanguage, StartAt, States } = Definition.parse(JSON.parse(text(machine.DefinitionString)));
const state = (name: string) => State.parse(States[name]);
const tasks = ['ExecuteSteps', 'ParkRun', 'FailRun'] as const;

/** The value of a `{% … %}` text for `states`; other texts are literal. */
const evaluate = (template: string, states: object) => {
  const expression = /^\{% (.*) %\}$/s.exec(template)?.[1];
  return expression === undefined ? template : jsonata(expression).evaluate({}, { states });
};

const evaluateAll = async (fields: Record<string, string>, states: object) =>
  Object.fromEntries(
    await Promise.all(
      Object.entries(fields).map(async ([name, field]) => [name, await evaluate(field, states)]),
    ),
  );

describe('the machine', () => {
  test('is a STANDARD machine in JSONata that starts with the steps', () => {
    expect(machine.StateMachineType).toBe('STANDARD');
    expect([QueryLanguage, StartAt]).toEqual(['JSONata', 'ExecuteSteps']);
  });

  test('the template holds the definition that run-machine.ts makes', () => {
    const made = runMachine({ executeSteps: 'a', parkRun: 'b', failRun: 'c' });
    expect(Object.keys(States)).toEqual(Object.keys(Definition.parse(made).States));
  });

  test('every transition leads to a state, and every state is reached', () => {
    const targets = Object.values(States).flatMap(({ Next, Default, Choices, Catch }) =>
      [Next, Default, ...Choices.map((choice) => choice.Next), ...Catch.map((rule) => rule.Next)].filter(
        (n) => n,
      ),
    );
    expect(new Set([StartAt, ...targets])).toEqual(new Set(Object.keys(States)));
  });

  test.each([
    ['continue', 'ExecuteSteps'],
    [{ reason: 'maintenance', since: 1 }, 'ParkRun'],
    [{ reason: 'model_unavailable', since: 1, until: 2 }, 'ParkRun'],
  ] as const)('a slice that hands its run on (%j) is not repeated: %s comes', (action, next) => {
    const { name } = new HandedOn(action, 1);
    const { Retry, Catch } = state('ExecuteSteps');
    expect(Retry.find(({ ErrorEquals }) => ErrorEquals.includes(name))?.MaxAttempts).toBe(0);
    expect(Catch.find(({ ErrorEquals }) => ErrorEquals.includes(name))?.Next).toBe(next);
  });

  test('a run that one slice finishes takes one state', () => {
    expect(state('ExecuteSteps')).toMatchObject({ Type: 'Task', End: true });
  });
});

describe('what it carries', () => {
  const input = { workspace_id: 'w', run_id: 'r', action: 'park', error: 'E', secret: 'a record' };
  const states = {
    input: { ...input, wait_seconds: 61 },
    context: { Execution: { Name: 'r-r1' }, Task: { Token: 't' } },
    errorOutput: { Error: 'TypeError', Cause: 'quotes a record' },
  };

  test.each([
    ['ExecuteSteps', {}],
    ['ParkRun', { task_token: 't', wait_seconds: 61 }],
    ['FailRun', { error: 'E' }],
  ])('%s gets the ids, and nothing of a record', async (name, more) => {
    const payload = await evaluateAll(state(name).Arguments?.Payload ?? {}, states);
    expect(payload).toEqual({ workspace_id: 'w', run_id: 'r', execution: 'r-r1', ...more });
  });

  test.each([
    [{ reason: 'maintenance', since: 0 }, 3600],
    [{ reason: 'model_unavailable', since: 0, until: 61_001 }, 61],
    // A state machine knows no shorter time than a second.
    [{ reason: 'model_unavailable', since: 0, until: 1000 }, 1],
  ] as const)('what a run waits for, %j, lasts at most %i s', async (waiting, seconds) => {
    const { name, message } = new HandedOn(waiting, 1000);
    expect(await waitAfter(name, message)).toEqual({ workspace_id: 'w', run_id: 'r', wait_seconds: seconds });
  });

  test('a slice of before an update, which names no time, waits for its token for an hour', async () => {
    const { name } = new HandedOn({ reason: 'maintenance', since: 0 }, 0);
    expect(await waitAfter(name, 'the slice is over: park')).toMatchObject({ wait_seconds: 3600 });
    expect(await evaluate(String(state('ParkRun').TimeoutSeconds), { input: { wait_seconds: 61 } })).toBe(61);
  });

  /** The input of the state that waits, after an error of ExecuteSteps. */
  const waitAfter = (errorType: string, errorMessage: string) => {
    const rule = state('ExecuteSteps').Catch.find(({ ErrorEquals }) => ErrorEquals.includes(errorType));
    const Cause = JSON.stringify({ errorMessage, errorType, trace: [`${errorType}: ${errorMessage}`] });
    return evaluateAll(rule?.Output ?? {}, { input, errorOutput: { Error: errorType, Cause } });
  };

  test('what failed travels by its name only', async () => {
    for (const rule of state('ExecuteSteps').Catch.filter(({ Next }) => Next === 'FailRun')) {
      expect(await evaluateAll(rule.Output, states)).toEqual({
        workspace_id: 'w',
        run_id: 'r',
        error: 'TypeError',
      });
    }
  });

  test('a parked run continues with its ids, whatever woke it', async () => {
    const { Output, Next } = state('ParkRun');
    expect(Next).toBe('ExecuteSteps');
    expect(await evaluateAll(z.record(z.string(), z.string()).parse(Output), states)).toEqual({
      workspace_id: 'w',
      run_id: 'r',
    });
  });

  test('failures of executions are logged without their data, and executions are traced', () => {
    expect(machine).toMatchObject({
      LoggingConfiguration: { Level: 'ERROR', IncludeExecutionData: false },
      TracingConfiguration: { Enabled: true },
    });
  });
});

describe('when a task fails', () => {
  const firstRule = (name: string, error: string) =>
    state(name).Retry.find(
      ({ ErrorEquals }) => ErrorEquals.includes(error) || ErrorEquals.includes('States.ALL'),
    );

  /** The time that a rule waits in all, on average: full jitter takes half of each delay. */
  const meanSeconds = (rule: z.infer<typeof Rule> | undefined) => {
    const { IntervalSeconds: first, MaxAttempts: tries, MaxDelaySeconds: most } = Delays.parse(rule);
    const delays = Array.from({ length: tries }, (_, i) => Math.min(most, first * 2 ** i));
    return delays.reduce((sum, delay) => sum + delay / 2, 0);
  };

  test.each(tasks)('%s waits for concurrency for a day and more', (name) => {
    const rule = firstRule(name, 'Lambda.TooManyRequestsException');
    expect(rule).toMatchObject({ MaxAttempts: 999, MaxDelaySeconds: 300, JitterStrategy: 'FULL' });
    expect(meanSeconds(rule)).toBeGreaterThan(24 * 3600);
  });

  test.each(tasks)('%s outlasts a quarter of an hour of trouble of an AWS service', (name) => {
    for (const error of [
      new ServiceTrouble('').name,
      'Lambda.ServiceException',
      'Lambda.AWSLambdaException',
      'Lambda.SdkClientException',
      'Lambda.ClientExecutionTimeoutException',
    ]) {
      const rule = firstRule(name, error);
      expect(rule).toMatchObject({ IntervalSeconds: 1, JitterStrategy: 'FULL' });
      expect(rule?.MaxAttempts).toBeGreaterThanOrEqual(10);
      expect(meanSeconds(rule)).toBeGreaterThan(15 * 60);
    }
  });

  test.each(tasks)('%s is tried again six times after it was cut off', (name) => {
    for (const error of ['Lambda.Unknown', 'Sandbox.Timedout', 'Runtime.ExitError'])
      expect(firstRule(name, error)).toMatchObject({ IntervalSeconds: 1, MaxAttempts: 6 });
  });

  test.each(tasks)('%s is retried three times after an error of its own', (name) => {
    expect(firstRule(name, 'SomeError')).toMatchObject({ MaxAttempts: 3, IntervalSeconds: 2 });
  });

  test('ExecuteSteps waits five minutes for an index that is behind', () => {
    expect(firstRule('ExecuteSteps', 'RecordsBehind')).toMatchObject({
      IntervalSeconds: 1,
      BackoffRate: 2,
      MaxDelaySeconds: 30,
      MaxAttempts: 14,
    });
  });

  test('States.ALL is alone and last, as the language requires', () => {
    for (const { Retry, Catch } of Object.values(States)) {
      for (const rules of [Retry, Catch]) {
        const at = rules.findIndex(({ ErrorEquals }) => ErrorEquals.includes('States.ALL'));
        if (at >= 0) expect([at, rules[at]?.ErrorEquals]).toEqual([rules.length - 1, ['States.ALL']]);
      }
    }
  });

  test('a run whose task fails repeatedly is ended by FailRun, and the execution shows it', () => {
    for (const name of ['ExecuteSteps', 'ParkRun']) expect(state(name).Catch.at(-1)?.Next).toBe('FailRun');
    expect(state('FailRun').Next).toBe('Failed');
    expect(state('Failed').Type).toBe('Fail');
  });

  test('a run parked for too long looks again instead of failing', () => {
    expect(firstRule('ParkRun', 'States.Timeout')?.MaxAttempts).toBe(0);
    expect(
      state('ParkRun').Catch.find(({ ErrorEquals }) => ErrorEquals.includes('States.Timeout'))?.Next,
    ).toBe('ExecuteSteps');
  });

  test('a function runs out of time before its task does', () => {
    // A run waits in ParkRun for as long as its slice says; the function itself only saves the token.
    for (const name of ['ExecuteSteps', 'FailRun'] as const) {
      const limit = z.number().parse(functionOf(template, name).Timeout);
      expect(state(name).TimeoutSeconds).toBeGreaterThan(limit);
    }
  });
});

/** The rule that invokes a function. */
function ruleOf(name: string): Record<string, unknown> {
  const rules = Object.values(ofType(template, 'AWS::Events::Rule')).map(({ Properties }) => Properties);
  return fields(rules.find(({ Targets }) => text(fields(list(Targets)[0]).Arn) === `<${name}.Arn>`));
}

describe('the nightly audit of record indexes', () => {
  test('starts at two in the night, UTC', () => {
    expect(ruleOf('StartAudits')).toMatchObject({
      ScheduleExpression: 'cron(0 2 * * ? *)',
      State: 'ENABLED',
    });
  });
});

describe('the sweep', () => {
  test('runs every minute; a missed one is not made up for', () => {
    const rule = ruleOf('Sweep');
    expect(rule).toMatchObject({
      ScheduleExpression: 'rate(1 minute)',
      State: 'ENABLED',
      Targets: [{ RetryPolicy: { MaximumRetryAttempts: 0 } }],
    });
    expect(only(template, 'AWS::Lambda::EventInvokeConfig').Properties).toMatchObject({
      FunctionName: { Ref: 'Sweep' },
      MaximumRetryAttempts: 0,
      MaximumEventAgeInSeconds: 60,
    });
  });
});
