// `list`: the runs of the workspace, newest first.
import type { ListedRun, RunStatus } from '../../sdk/index.ts';
import { pair, timeAgo, wholeFrom } from '../argument-parsers.ts';
import { listText } from '../output/run-as-text.ts';
import { misuse } from '../problem.ts';
import type { Context } from '../surroundings.ts';
import { answer, commonFlags, say, serviceOf, switchFlag, valueFlag } from './command.ts';
import { command, type ValuesOf } from './define.ts';

const statuses = [
  'pending',
  'running',
  'paused',
  'succeeded',
  'failed',
  'canceled',
] as const satisfies RunStatus[];
const types = ['query', 'plan', 'preset'] as const;
const DEFAULT_LIMIT = 20;
const PAGE = 100;

const flags = {
  status: {
    kind: 'enum',
    values: statuses,
    optional: true,
    variadic: ',',
    brief: 'only these statuses',
  },
  type: { kind: 'enum', values: types, optional: true, brief: 'only this kind of input' },
  since: valueFlag(timeAgo, 'TIME', 'created since: 1h, 7d, or a date'),
  metadata: valueFlag(pair, 'KEY=VALUE', 'only this metadata'),
  limit: valueFlag(wholeFrom(1), 'N', `maximum number (${DEFAULT_LIMIT})`),
  all: switchFlag('all there are'),
  ...commonFlags,
} as const;

type Flags = ValuesOf<typeof flags>;

export const list = command(
  {
    brief: 'list the runs of the workspace, newest first',
    customUsage: ['[--status failed,running] [--type plan] [--since 1h] [--limit N | --all]'],
    flags,
  },
  async (context, flags) => {
    if (flags.all && flags.limit !== undefined) throw misuse('use --limit or --all, not both');
    const limit = flags.all ? Number.POSITIVE_INFINITY : (flags.limit ?? DEFAULT_LIMIT);
    const query = { ...filtersOf(flags), limit: Math.min(limit + 1, PAGE) };
    const data: ListedRun[] = [];
    let has_more = false;
    for await (const run of serviceOf(context, flags).runs.list(query, { signal: context.interrupted })) {
      has_more = data.length >= limit;
      if (has_more) break;
      data.push(run);
    }
    answer(context, flags, { object: 'list', data, has_more }, (screen) => listText(data, screen));
    if (!flags.json) sayCount(context, data.length, has_more);
    return 'ok';
  },
);

function filtersOf({ status, type, since, metadata }: Flags) {
  return {
    ...(status && { status: [...status] }),
    ...(type && { input_type: type }),
    ...(since !== undefined && { created_after: since }),
    ...(metadata && { metadata: metadata.join(':') }),
  };
}

function sayCount(context: Context, count: number, more: boolean): void {
  if (count === 0) say(context, 'no runs');
  else if (more) say(context, `the newest ${count}; --limit N or --all shows more`);
}
