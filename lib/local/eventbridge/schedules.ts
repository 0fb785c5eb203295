// Rules and schedules with a rate: each invokes its function, first right after the start, then at its interval.
import { randomUUID } from 'node:crypto';
import { type Json, listAt, objectAt, optionalString, SetupError, stringAt } from '../json-values.ts';
import type { LambdaHost } from '../lambda/lambda-host.ts';
import { ACCOUNT, REGION } from '../template/attributes.ts';
import type { Resource, Stack } from '../template/template.ts';

interface Timer {
  everyMs: number;
  functionName: string;
  payload(): string;
}

const UNIT_MS: Record<string, number> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** Starts the timers of all enabled rules and schedules; the returned function stops them. */
export function startSchedules(stack: Stack, lambda: LambdaHost): () => void {
  const timers = readSchedules(stack);
  const running = timers.map(({ everyMs, functionName, payload }) => {
    lambda.invokeLater(functionName, payload());
    return setInterval(() => lambda.invokeLater(functionName, payload()), everyMs).unref();
  });
  return () => {
    for (const timer of running) clearInterval(timer);
  };
}

/** Reads the template's rules and schedules. Throws SetupError for anything but `rate(…)` to a function. */
export function readSchedules(stack: Stack): Timer[] {
  const rules = stack.ofType('AWS::Events::Rule').filter(isEnabled);
  const schedules = stack.ofType('AWS::Scheduler::Schedule').filter(isEnabled);
  return [
    ...rules.flatMap((rule) =>
      listAt(rule.properties.Targets, `${rule.id}.Targets`).map((target) =>
        timerOf(rule, target, ruleEvent(rule)),
      ),
    ),
    ...schedules.map((schedule) => timerOf(schedule, schedule.properties.Target, () => '{}')),
  ];
}

function isEnabled({ properties }: Resource): boolean {
  return properties.State !== 'DISABLED';
}

function timerOf({ id, properties }: Resource, value: Json | undefined, defaultPayload: () => string): Timer {
  const target = objectAt(value, `${id} target`);
  const arn = stringAt(target.Arn, `${id} target Arn`);
  const input = optionalString(target.Input);
  if (!arn.includes(':function:')) throw new SetupError(`${id}: the local runtime schedules functions only`);
  return {
    everyMs: rateMs(stringAt(properties.ScheduleExpression, `${id}.ScheduleExpression`), id),
    functionName: arn.replace(/^arn:.*:function:/, ''),
    payload: input === undefined ? defaultPayload : () => input,
  };
}

function rateMs(expression: string, id: string): number {
  const [, count, unit = ''] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  const unitMs = UNIT_MS[unit];
  if (unitMs === undefined)
    throw new SetupError(`${id}: the local runtime does not know the schedule ${expression}`);
  return Number(count) * unitMs;
}

function ruleEvent(rule: Resource): () => string {
  return () =>
    JSON.stringify({
      version: '0',
      id: randomUUID(),
      'detail-type': 'Scheduled Event',
      source: 'aws.events',
      account: ACCOUNT,
      time: new Date().toISOString(),
      region: REGION,
      resources: [rule.attributes.Arn],
      detail: {},
    });
}
