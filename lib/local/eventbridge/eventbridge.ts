// EventBridge: rules with a rate. Each invokes its function right after the start, then at its interval.
import { randomUUID } from 'node:crypto';
import type { AwsService } from '../aws-service.ts';
import { type Json, listAt, objectAt, optionalString, stringAt } from '../json-values.ts';
import { SetupError } from '../setup-error.ts';
import { ACCOUNT, arn, named, REGION } from '../template/attributes.ts';
import type { Resource, Stack } from '../template/template.ts';

/** One target of one rule. */
interface Schedule {
  everyMs: number;
  functionName: string;
  payload(): string;
}

const UNIT_MS: Record<string, number> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

export const eventbridge: AwsService = {
  name: 'events',
  resources: {
    'AWS::Events::Rule': (id, properties) => {
      const name = named('Name', id, properties);
      return { ref: name, Arn: arn('events', `rule/${name}`) };
    },
  },
  open({ stack, lambda }) {
    const schedules = readSchedules(stack);
    const timers: NodeJS.Timeout[] = [];
    return {
      begin() {
        for (const { everyMs, functionName, payload } of schedules) {
          const run = () => lambda.invokeLater(functionName, payload());
          run();
          timers.push(setInterval(run, everyMs).unref());
        }
      },
      halt() {
        for (const timer of timers) clearInterval(timer);
      },
    };
  },
};

/** Reads the enabled rules. Throws SetupError for anything but `rate(…)` to a function. */
export function readSchedules(stack: Stack): Schedule[] {
  return stack
    .ofType('AWS::Events::Rule')
    .filter(({ properties }) => properties.State !== 'DISABLED')
    .flatMap((rule) =>
      listAt(rule.properties.Targets, `${rule.id}.Targets`).map((target) => scheduleOf(rule, target)),
    );
}

function scheduleOf(rule: Resource, value: Json): Schedule {
  const { id, properties } = rule;
  const target = objectAt(value, `${id} target`);
  const targetArn = stringAt(target.Arn, `${id} target Arn`);
  const input = optionalString(target.Input);
  if (!targetArn.includes(':function:'))
    throw new SetupError(`${id}: the local runtime schedules functions only`);
  return {
    everyMs: rateMs(stringAt(properties.ScheduleExpression, `${id}.ScheduleExpression`), id),
    functionName: targetArn.replace(/^arn:.*:function:/, ''),
    payload: () => input ?? JSON.stringify(ruleEvent(rule)),
  };
}

function rateMs(expression: string, id: string): number {
  const [, count, unit = ''] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  const unitMs = UNIT_MS[unit];
  if (unitMs === undefined)
    throw new SetupError(`${id}: the local runtime does not know the schedule ${expression}`);
  return Number(count) * unitMs;
}

function ruleEvent(rule: Resource): object {
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': 'Scheduled Event',
    source: 'aws.events',
    account: ACCOUNT,
    time: new Date().toISOString(),
    region: REGION,
    resources: [rule.attributes.Arn],
    detail: {},
  };
}
