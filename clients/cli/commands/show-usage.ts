// `usage`: what the runs of some days came to.
import { durationText } from '../../duration-text.ts';
import type { UsageGroup, UsageRow } from '../../sdk/index.ts';
import { columnsText } from '../output/columns.ts';
import { asking, commonFlags, listed, textFlag } from './command.ts';
import { command } from './define.ts';

const groups = ['day', 'key', 'status', 'input_type', 'monitor', 'model'] as const satisfies UsageGroup[];

export const usage = command(
  {
    brief: 'runs, cost, tokens and durations by day, or by other groups',
    customUsage: ['[--from 2026-11-01] [--to 2026-11-30] [--by day,status]'],
    flags: {
      from: textFlag('DAY', 'first day, in UTC (29 days before the last one)'),
      to: textFlag('DAY', 'last day, which counts as well (today)'),
      by: { kind: 'enum', values: groups, optional: true, variadic: ',', brief: 'one group or two (day)' },
      ...commonFlags,
    },
  },
  asking(
    (service, options, { from, to, by }) => listed(service.usage({ from, to, by }, options)),
    ({ data }, { columns }) =>
      data.length === 0 ? '' : columnsText(data.map(cells), { heads: headsOf(data), columns }),
    ({ data }) => (data.length === 0 ? 'no runs' : undefined),
  ),
);

const NUMBERS = ['RUNS', 'USD', 'INPUT', 'OUTPUT', 'P50', 'P95'];

/** The names of the groups, which all rows share, and of the numbers. */
function headsOf([row]: readonly UsageRow[]): string[] {
  return [...(row ? Object.keys(groupOf(row)).map((name) => name.toUpperCase()) : []), ...NUMBERS];
}

function groupOf({ day, key_id, status, input_type, monitor_id, model }: UsageRow) {
  const all = { day, key_id, status, input_type, monitor_id, model };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

function cells(row: UsageRow): string[] {
  const { runs, cost_usd, input_tokens, output_tokens, p50_ms, p95_ms } = row;
  const times = [p50_ms, p95_ms].map((ms) => (ms === null ? '' : durationText(ms)));
  const named = Object.values(groupOf(row)).map((value) => value ?? 'none');
  return [...named, ...[runs, cost_usd, input_tokens, output_tokens].map(String), ...times];
}
