// `cancel`, `resume`, `rerun`: commands on an existing run.
import { buildCommand } from '@stricli/core';
import { type setting, usd, wholeFrom } from '../arguments.ts';
import type { Context } from '../context.ts';
import { plainLines } from '../output/plain.ts';
import { outcomeText } from '../output/run-text.ts';
import {
  answer,
  type CommonFlags,
  commonFlags,
  guarded,
  say,
  serviceOf,
  switchFlag,
  valueFlag,
} from './command.ts';
import { configFlag } from './create.ts';
import { runArgument } from './read.ts';
import { checkWaiting, started, type WaitingFlags, waitingFlags } from './waiting.ts';

type Setting = ReturnType<typeof setting>;

interface CancelFlags extends CommonFlags {
  readonly settle?: boolean;
}

export const cancel = buildCommand<CancelFlags, [string], Context>({
  docs: { brief: 'cancel a run; its running step still finishes and is billed' },
  parameters: {
    positional: runArgument,
    flags: { settle: switchFlag('wait until that step has ended'), ...commonFlags },
  },
  func: guarded(async (context, flags, id) => {
    const run = await serviceOf(context, flags).runs.cancel(id, {
      signal: context.interrupted,
      settle: flags.settle,
    });
    answer(context, flags, run, () => plainLines([run.id]));
    if (!flags.json) say(context, outcomeText(run));
    return 'ok';
  }),
});

interface ResumeFlags extends CommonFlags, WaitingFlags {
  readonly maxCostUsd?: number;
}

export const resume = buildCommand<ResumeFlags, [string], Context>({
  docs: { brief: 'resume a failed run from the step that failed' },
  parameters: {
    positional: runArgument,
    flags: {
      maxCostUsd: valueFlag(usd, 'USD', 'the new cost limit of the whole run'),
      ...waitingFlags,
      ...commonFlags,
    },
  },
  func: guarded(async (context, flags, id) => {
    checkWaiting(flags);
    const service = serviceOf(context, flags);
    const { maxCostUsd } = flags;
    const body = maxCostUsd === undefined ? undefined : { config: { max_cost_usd: maxCostUsd } };
    const run = await service.runs.resume(id, body, { signal: context.interrupted });
    return started(context, service, run, flags);
  }),
});

interface RerunFlags extends CommonFlags, WaitingFlags {
  readonly step: number;
  readonly config?: readonly Setting[];
}

export const rerun = buildCommand<RerunFlags, [string], Context>({
  docs: { brief: 'a new run from a step of an ended one; earlier steps keep their output' },
  parameters: {
    positional: runArgument,
    flags: {
      step: {
        kind: 'parsed',
        parse: wholeFrom(0),
        placeholder: 'N',
        brief: 'index of the first step to run again, as in --json: the first step has 0',
      },
      config: configFlag,
      ...waitingFlags,
      ...commonFlags,
    },
  },
  func: guarded(async (context, flags, id) => {
    checkWaiting(flags);
    const service = serviceOf(context, flags);
    const { step, config } = flags;
    const body = { step_index: step, ...(config && { config: Object.fromEntries(config) }) };
    const { replayed: _, ...run } = await service.runs.rerun(id, body, { signal: context.interrupted });
    return started(context, service, run, flags);
  }),
});
