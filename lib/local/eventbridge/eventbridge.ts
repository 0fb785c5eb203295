// EventBridge: rules with a rate invoke their function at the start, then at their interval; daily rules at their time.
import { randomUUID } from 'node:crypto';
import type { AwsService } from '../aws-service.ts';
import { type Json, listAt, objectAt, optionalString, stringAt } from '../json-values.ts';
import { SetupError } from '../setup-error.ts';
import { ACCOUNT, arn, named, REGION } from '../template/attributes.ts';
import type { Resource, Stack } from '../template/template.ts';

/** One target of one rule. */
interface Schedule {
  everyMs: number;
  /** Time from `nowMs` to the first invocation. */
  firstInMs(nowMs: number): number;
  functionName: string;
  payload(): string;
}

const DAY_MS = 86_400_000;
const UNIT_MS: Record<string, number> = { minute: 60_000, hour: 3_600_000, day: DAY_MS };

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
        for (const { everyMs, firstInMs, functionName, payload } of schedules) {
          const run = () => lambda.invokeLater(functionName, payload());
          const first = () => {
            run();
            timers.push(setInterval(run, everyMs).unref());
          };
          timers.push(setTimeout(first, firstInMs(Date.now())).unref());
        }
      },
      halt() {
        for (const timer of timers) clearTimeout(timer);
      },
    };
  },
};

/**
 * Reads the enabled rules. Throws SetupError for anything but `rate(…)` or a daily `cron(…)` with a function as target.
 */
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
    ...timesOf(stringAt(properties.ScheduleExpression, `${id}.ScheduleExpression`), id),
    functionName: targetArn.replace(/^arn:.*:function:/, ''),
    payload: () => input ?? JSON.stringify(ruleEvent(rule)),
  };
}

function timesOf(expression: string, id: string): Pick<Schedule, 'everyMs' | 'firstInMs'> {
  const [, count, unit = ''] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  const unitMs = UNIT_MS[unit];
  if (unitMs !== undefined) return { everyMs: Number(count) * unitMs, firstInMs: () => 0 };
  const [, minute, hour] = /^cron\((\d+) (\d+) \* \* \? \*\)$/.exec(expression) ?? [];
  if (hour === undefined)
    throw new SetupError(`${id}: the local runtime does not know the schedule ${expression}`);
  // Days of the epoch begin at midnight UTC.
  const timeMs = (Number(hour) * 60 + Number(minute)) * 60_000;
  return { everyMs: DAY_MS, firstInMs: (nowMs) => DAY_MS - ((nowMs - timeMs) % DAY_MS) };
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
