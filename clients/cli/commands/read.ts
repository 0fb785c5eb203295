// `get`, `watch`, `tail`: a run's current state, its progress, its log.
import type { Run, RunEvent } from '../../sdk/index.ts';
import { exitOfRun } from '../exit-codes.ts';
import { jsonLine, jsonText, plainLines, plainText } from '../output/plain.ts';
import { runText } from '../output/run-as-text.ts';
import { misuse, Problem } from '../problem.ts';
import type { Context } from '../surroundings.ts';
import {
  answer,
  answerMarkdown,
  asking,
  type CommonFlags,
  commonFlags,
  oneId,
  sameService,
  say,
  serviceOf,
  switchFlag,
  textFlag,
} from './command.ts';
import { command } from './define.ts';
import { followed, timeoutFlag } from './waiting.ts';

export const runArgument = oneId('RUN', 'id of a run');

export const get = command(
  {
    brief: 'show a run',
    positional: runArgument,
    flags: {
      field: textFlag('NAME', 'one field of the envelope alone, as message or usage.cost_usd'),
      plan: switchFlag('the plan alone, as create --plan takes it'),
      output: switchFlag('the data of the answer alone, as JSON'),
      ...commonFlags,
    },
  },
  async (context, flags, id) => {
    if ([flags.plan, flags.output, flags.field !== undefined].filter(Boolean).length > 1)
      throw misuse('use one of --plan, --output and --field');
    // People also read how a query was understood.
    const plan = flags.plan || (flags.field === undefined && !flags.output && !flags.json);
    const run = await serviceOf(context, flags).runs.get(id, { signal: context.interrupted, plan });
    if (flags.plan) printPlan(context, flags, run);
    else if (flags.output) printOutput(context, flags, run);
    else if (flags.field === undefined) answerMarkdown(context, flags, run, (screen) => runText(run, screen));
    else {
      const value = fieldOf(run, flags.field);
      answer(
        context,
        flags,
        value,
        () => `${typeof value === 'string' ? plainText(value) : jsonLine(value)}\n`,
      );
    }
    return 'ok';
  },
);

/** Prints the plan of a run. Throws Problem while it has none. */
function printPlan(context: Context, flags: CommonFlags, { plan, understood_as }: Run): void {
  if (!plan) throw new Problem('not_found', 'the run has no plan yet');
  answer(context, flags, plan, () => jsonText(plan));
  if (understood_as && !flags.json) say(context, `understood as: ${understood_as}`);
}

/** Prints the data of a run's answer. Throws Problem if it has none. */
function printOutput(context: Context, flags: CommonFlags, { output }: Run): void {
  if (!output)
    throw new Problem('not_found', output === null ? 'the run has no output yet' : 'the run has no output');
  answer(context, flags, output.data, () => jsonText(output.data));
}

/** The value at a dotted path. Throws Problem that lists the existing fields. */
function fieldOf(run: Run, path: string): unknown {
  let value: unknown = run;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) {
      const names = typeof value === 'object' && value !== null ? Object.keys(value).join(', ') : 'nothing';
      throw misuse(`--field: the run has no ${path}; there is ${names}`);
    }
    value = Reflect.get(value, name);
  }
  return value;
}

export const watch = command(
  {
    brief: 'show the progress of a run until it ends, then its result',
    positional: runArgument,
    flags: { timeout: timeoutFlag, ...commonFlags },
  },
  async (context, flags, id) => {
    const service = serviceOf(context, flags);
    const run = await service.runs.get(id, { signal: context.interrupted });
    return followed(context, service, run, { ...flags, watch: true });
  },
);

export const tail = command(
  {
    brief: 'print the events of a run, one per line, until it ends',
    positional: runArgument,
    flags: { since: textFlag('EVENT', 'begin after this event'), ...commonFlags },
  },
  async (context, flags, id) => {
    const watched = serviceOf(context, flags).runs.watch(id, {
      signal: context.interrupted,
      ...(flags.since !== undefined && { after: flags.since }),
    });
    try {
      for await (const event of watched) answer(context, flags, event, () => plainLines([eventText(event)]));
      return exitOfRun((await watched.done()).status);
    } catch (error) {
      if (!context.interrupted.aborted) throw error;
      const { lastEventId } = watched;
      const since = lastEventId === undefined ? '' : ` --since ${lastEventId}`;
      throw new Problem(
        'interrupted',
        `the run continues; read on with: runs tail ${id}${since}${sameService(flags)}`,
      );
    }
  },
);

/** Time, type, data. */
function eventText({ occurred_at, event_type, data }: RunEvent): string {
  return `${new Date(occurred_at).toISOString()}  ${event_type.padEnd(18)} ${jsonLine(data)}`;
}

export const trace = command(
  { brief: 'print the trace of a run as OTLP/JSON, for any collector', positional: runArgument },
  asking(({ runs }, options, _, id) => runs.trace(id, options), jsonText),
);
