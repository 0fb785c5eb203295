// The checks of the bodies of monitors, in their order (rules.md: monitors 1).
import * as z from 'zod';
import { ApiError } from '#contract/errors.ts';
import type { Issue } from '#contract/issue.ts';
import { memberOf } from '#contract/json.ts';
import { limits } from '#contract/limits.ts';
import {
  ChangeTrigger,
  CreateMonitor,
  MONITOR_PAIR,
  ScheduleTrigger,
  type Trigger,
  UpdateMonitor,
} from '#contract/monitors.ts';
import type { CreateRun } from '#contract/runs.ts';
import { type CallerWithCosts, requireScope } from '#domain/access/authenticate.ts';
import { checkCreate, checkCreateRights } from '#domain/commands/check-create.ts';
import { validateRun } from '#domain/commands/validate-run.ts';
import { wrongParam } from '#domain/runs/wrong-param.ts';

/** Checks a value against a schema; throws the errors of the contract, with places under `root`. */
type Check = <S extends z.ZodType>(schema: S, value: unknown, root?: string[]) => z.output<S>;

/** The run and the trigger are checked apart, as they were sent, for exact places. */
const anyObject = z.looseObject({});
const LaxCreate = CreateMonitor.extend({ run: anyObject, on: anyObject });
const LaxUpdate = UpdateMonitor.extend({ run: anyObject.optional(), on: anyObject.optional() });

interface Asked {
  caller: CallerWithCosts;
  request_id: string;
  check: Check;
}

/** The body of a new monitor. Throws the 400s, 403s and 422s of the contract. */
export async function checkNewMonitor(value: unknown, asked: Asked) {
  const { run: _, on: __, ...rest } = asked.check(LaxCreate, value);
  const on = checkTrigger(memberOf(value, 'on'), asked.check);
  return { ...rest, on, run: await checkMonitorRun(memberOf(value, 'run'), asked) };
}

/** The body of a change, of which the run and the trigger are optional. */
export async function checkMonitorChange(value: unknown, asked: Asked) {
  const { run, on, ...rest } = asked.check(LaxUpdate, value);
  return {
    ...rest,
    ...(on && { on: checkTrigger(memberOf(value, 'on'), asked.check) }),
    ...(run && { run: await checkMonitorRun(memberOf(value, 'run'), asked) }),
  };
}

function checkTrigger(on: unknown, check: Check): Trigger {
  return memberOf(on, 'change') === undefined
    ? check(ScheduleTrigger, on, ['on'])
    : check(ChangeTrigger, on, ['on']);
}

/** As `POST /runs?validate_only=1` checks it, with the places under `run`. */
async function checkMonitorRun(value: unknown, { caller, request_id, check }: Asked): Promise<CreateRun> {
  try {
    const checked = checkCreate(value, check);
    checkMetadata(checked.body.metadata ?? {});
    checkCreateRights(caller, checked);
    await validateRun({ caller, request_id, checked, idempotency: undefined });
    return checked.body;
  } catch (error) {
    throw error instanceof ApiError ? underRun(error) : error;
  }
}

/** The run of each fire has one pair more. */
function checkMetadata(pairs: Record<string, string>): void {
  const most = limits.metadata_max_pairs - 1;
  if (Object.hasOwn(pairs, MONITOR_PAIR))
    throw wrongParam('metadata', `no pair ${MONITOR_PAIR}`, 'one', `${MONITOR_PAIR} is reserved`);
  if (Object.keys(pairs).length > most)
    throw wrongParam(
      'metadata',
      `at most ${most} pairs`,
      String(Object.keys(pairs).length),
      `At most ${most} pairs`,
    );
}

/** What a request for a monitor needs for its run, whichever of its parts it sends. */
export function checkRunRights(caller: CallerWithCosts, run: CreateRun): void {
  checkCreateRights(caller, { body: run, callback: undefined });
}

/** The scope that every request for a run needs. Throws forbidden_feature. */
export function requireRunScope({ key }: CallerWithCosts): void {
  requireScope(key, 'runs:create');
}

/** The error of a run's body as one of the body around it. */
function underRun({ code, message, param, details }: ApiError): ApiError {
  const issues = memberOf(details, 'issues');
  return new ApiError(code, {
    message,
    ...(param !== undefined && { param: `run.${param}` }),
    ...(details && {
      details: { ...details, ...(Array.isArray(issues) && { issues: issues.map(issueUnderRun) }) },
    }),
  });
}

function issueUnderRun(issue: Issue): Issue {
  return { ...issue, path: ['run', ...issue.path] };
}
