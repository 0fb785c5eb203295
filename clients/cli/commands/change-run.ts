// `cancel`, `resume`, `rerun`, `delete`: commands on existing runs.
import { anId, usd, wholeFrom } from '../argument-parsers.ts';
import { plainLines } from '../output/plain.ts';
import { outcomeText } from '../output/run-as-text.ts';
import { answer, asking, commonFlags, serviceOf, switchFlag, valueFlag } from './command.ts';
import { configFlag } from './create.ts';
import { command } from './define.ts';
import { runArgument } from './read.ts';
import { checkWaiting, started, waitingFlags } from './waiting.ts';

export const cancel = command(
  {
    brief: 'cancel a run; its running step still finishes and is billed',
    positional: runArgument,
    flags: { settle: switchFlag('wait until that step has ended'), ...commonFlags },
  },
  asking(
    ({ runs }, options, { settle }, id) => runs.cancel(id, { ...options, settle }),
    ({ id }) => plainLines([id]),
    outcomeText,
  ),
);

export const resume = command(
  {
    brief: 'resume a failed run from the step that failed',
    positional: runArgument,
    flags: {
      maxCostUsd: valueFlag(usd, 'USD', 'the new cost limit of the whole run'),
      timeoutSeconds: valueFlag(wholeFrom(1), 'N', 'how long it may work from now on'),
      startWithinSeconds: valueFlag(wholeFrom(1), 'N', 'how soon it has to start'),
      modelWaitSeconds: valueFlag(wholeFrom(0), 'N', 'how long it waits for models that are away'),
      ...waitingFlags,
      ...commonFlags,
    },
  },
  async (context, flags, id) => {
    checkWaiting(flags);
    const service = serviceOf(context, flags);
    const { maxCostUsd, timeoutSeconds, startWithinSeconds, modelWaitSeconds } = flags;
    const config = {
      ...(maxCostUsd !== undefined && { max_cost_usd: maxCostUsd }),
      ...(timeoutSeconds !== undefined && { timeout_seconds: timeoutSeconds }),
      ...(startWithinSeconds !== undefined && { start_within_seconds: startWithinSeconds }),
      ...(modelWaitSeconds !== undefined && { model_wait_seconds: modelWaitSeconds }),
    };
    const body = Object.keys(config).length > 0 ? { config } : undefined;
    const run = await service.runs.resume(id, body, { signal: context.interrupted });
    return started(context, service, run, flags);
  },
);

export const remove = command(
  {
    brief: 'delete ended runs for good, with all they have made',
    positional: {
      kind: 'array',
      parameter: { parse: anId, placeholder: 'RUN', brief: 'id of a run' },
      minimum: 1,
    },
  },
  async (context, flags, ...ids) => {
    const service = serviceOf(context, flags);
    for (const id of ids) {
      await service.runs.delete(id, { signal: context.interrupted });
      answer(context, flags, { id, deleted: true }, () => plainLines([id]));
    }
    return 'ok';
  },
);

export const rerun = command(
  {
    brief: 'a new run from a step of an ended one; earlier steps keep their output',
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
  async (context, flags, id) => {
    checkWaiting(flags);
    const service = serviceOf(context, flags);
    const { step, config } = flags;
    const body = { step_index: step, ...(config && { config: Object.fromEntries(config) }) };
    const { replayed: _, ...run } = await service.runs.rerun(id, body, { signal: context.interrupted });
    return started(context, service, run, flags);
  },
);
