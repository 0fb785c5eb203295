// --watch, --wait and --timeout of the commands that start work, and their effect.
import type { Run, RunService } from '../../sdk/index.ts';
import { duration } from '../argument-parsers.ts';
import { type ExitName, exitOfRun } from '../exit-codes.ts';
import { plainLines } from '../output/plain.ts';
import { errorLines, outcomeText, resultText, titleOf } from '../output/run-as-text.ts';
import { misuse } from '../problem.ts';
import { follow } from '../progress/follow-run.ts';
import type { Context } from '../surroundings.ts';
import {
  answer,
  answerMarkdown,
  type CommonFlags,
  sameService,
  say,
  switchFlag,
  valueFlag,
} from './command.ts';

export interface WaitingFlags {
  readonly watch?: boolean;
  readonly wait?: boolean;
  readonly timeout?: number;
}

export const timeoutFlag = valueFlag(
  duration,
  'DURATION',
  'how long to wait, such as 10m; the run continues afterwards',
);

export const waitingFlags = {
  watch: switchFlag('show the progress until the run ends'),
  wait: switchFlag('wait silently until the run ends'),
  timeout: timeoutFlag,
};

/** Throws Problem when the flags contradict each other. */
export function checkWaiting({ watch, wait, timeout }: WaitingFlags): void {
  if (watch && wait) throw misuse('use --watch or --wait, not both');
  if (timeout !== undefined && !watch && !wait) throw misuse('--timeout goes with --wait or --watch');
}

/** Prints the started run, or follows it and prints its result. */
export async function started(
  context: Context,
  service: RunService,
  run: Run,
  flags: CommonFlags & WaitingFlags,
): Promise<ExitName> {
  if (flags.watch || flags.wait) return followed(context, service, run, flags);
  answer(context, flags, run, () => plainLines([run.id]));
  if (!flags.json) say(context, `${run.status}; follow it with: runs watch ${run.id}${sameService(flags)}`);
  return 'ok';
}

/** Follows a run to its end and prints its result. */
export async function followed(
  context: Context,
  service: RunService,
  run: Run,
  flags: CommonFlags & { readonly watch?: boolean; readonly timeout?: number },
): Promise<ExitName> {
  const goOn = `runs watch ${run.id}${sameService(flags)}`;
  // At once, for whom the wait is cut short; in a pipe, too, where stdout has the result alone.
  say(context, `run ${run.id}: ${titleOf(run)}`);
  const ended = await follow(context, service, run, {
    draw: flags.watch === true,
    timeoutMs: flags.timeout,
    goOn,
  });
  if (ended.input.input_type === 'query' && !flags.json) await sayUnderstanding(context, service, run.id);
  if (!flags.json || flags.watch) say(context, outcomeText(ended));
  for (const { code, message } of ended.warnings) say(context, `warning ${code}: ${message}`);
  for (const line of errorLines(ended)) say(context, line);
  if (ended.resumable)
    say(context, `it can be resumed where it failed: runs resume ${run.id}${sameService(flags)}`);
  answerMarkdown(context, flags, ended, (screen) => resultText(ended, screen));
  return exitOfRun(ended.status);
}

/** Says how the query of a run was understood. */
async function sayUnderstanding(context: Context, service: RunService, id: string): Promise<void> {
  const { understood_as } = await service.runs.get(id, { signal: context.interrupted, plan: true });
  if (understood_as) say(context, `understood as: ${understood_as}`);
}
