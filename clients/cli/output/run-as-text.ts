// A run and its result as text.
import { durationText } from '../../duration-text.ts';
import { moneyColumn } from '../../money-column.ts';
import { type ArtifactSummary, type ListedRun, parseRecordLinks, type Run } from '../../sdk/index.ts';
import { counted, timeText, whenText } from './amounts.ts';
import { columnsText } from './columns.ts';
import { plainLine, plainLines, plainText } from './plain.ts';
import type { Screen } from './terminal.ts';

/** A run's subject: its plan's title, its query, or its entity. */
export function titleOf({ input }: Run): string {
  if (input.input_type === 'plan') return plainLine(input.plan.title);
  if (input.input_type === 'query') return plainLine(input.query);
  return `dossier of ${plainLine(Object.values(input.params.entity).join(' '))}`;
}

type Ended = Pick<Run, 'status' | 'created_at' | 'completed_at' | 'usage'>;

/** `succeeded in 0.6 s, 0.004331 USD, 13 credits`. */
export function outcomeText({ status, created_at, completed_at, usage }: Ended): string {
  const { credits_used } = usage;
  return [
    completed_at === undefined ? status : `${status} in ${durationText(completed_at - created_at)}`,
    costText(usage),
    ...(credits_used == null ? [] : [counted(credits_used, 'credit')]),
  ].join(', ');
}

/** `0.004331 USD`, and whether it is real. */
function costText({ cost_usd, simulated }: Run['usage']): string {
  return `${cost_usd} USD${simulated ? ' simulated' : ''}`;
}

/** Why a run, or a part of it, failed: one line each. */
export function errorLines({ errors }: Pick<Run, 'errors'>): string[] {
  return errors.map(({ code, message, doc_url }) => `${code}: ${message} (${doc_url})`);
}

/** The text with the label in place of each record link. */
export function withoutLinks(text: string): string {
  return parseRecordLinks(text)
    .map((part) => (typeof part === 'string' ? part : part.label))
    .join('');
}

/** A run's result: its message, and one line per artifact. */
export function resultText(
  { message, artifacts }: Pick<Run, 'message' | 'artifacts'>,
  screen: Screen,
): string {
  const said = message === null ? '' : `${plainText(withoutLinks(message)).trimEnd()}\n`;
  return said + (said !== '' && artifacts.length > 0 ? '\n' : '') + artifactsText(artifacts, screen);
}

/** One line per artifact. */
export function artifactsText(artifacts: readonly ArtifactSummary[], { columns }: Screen): string {
  return columnsText(
    artifacts.map(({ id, kind, title, row_count }) => [
      id,
      kind,
      title,
      row_count === undefined ? '' : counted(row_count, 'row'),
    ]),
    { columns },
  );
}

/** `for approval, until 2026-12-05 20:07:31Z, job …`. */
function waitText({ reason, source, until, job_id }: NonNullable<Run['waiting']>): string {
  return [
    `for ${source ?? reason.replace('_', ' ')}`,
    ...(until === undefined ? [] : [`until ${timeText(until)}`]),
    ...(job_id === undefined ? [] : [`job ${job_id}`]),
  ].join(', ');
}

/** A run in full. */
export function runText(run: Run, screen: Screen): string {
  const { id, started_at, rerun_of, warnings, steps, usage } = run;
  const facts: [string, string][] = [
    ['run', id],
    ['status', outcomeText(run)],
    ['title', titleOf(run)],
    ...(run.understood_as ? [['understood as', run.understood_as] as [string, string]] : []),
    ['created', whenText(run.created_at, screen)],
    ...(started_at === undefined ? [] : [['started', whenText(started_at, screen)] as [string, string]]),
    ...(run.waiting ? [['waiting', waitText(run.waiting)] as [string, string]] : []),
    ...(usage.models.length > 1
      ? [
          [
            'models',
            usage.models
              .map((one) => `${one.model} ${one.cost_usd} USD (${counted(one.calls, 'call')})`)
              .join(', '),
          ] as [string, string],
        ]
      : []),
    ...(rerun_of
      ? [['rerun of', `${rerun_of.run_id} from step ${rerun_of.step_index + 1}`] as [string, string]]
      : []),
  ];
  const stepRows = steps.map(({ index, status, title, items_out, duration_ms }) => [
    `step ${index + 1}`,
    status,
    title,
    items_out === undefined ? '' : counted(items_out, 'item'),
    duration_ms === undefined ? '' : durationText(duration_ms),
  ]);
  const notes = [...warnings.map(({ code, message }) => `${code}: ${message}`), ...errorLines(run)];
  const { columns } = screen;
  const blocks = [
    columnsText(facts),
    columnsText(stepRows, { columns }),
    plainLines(notes),
    resultText(run, screen),
  ];
  return blocks.filter((block) => block !== '').join('\n');
}

/** A page of runs, one line each. */
export function listText(runs: readonly ListedRun[], screen: Screen): string {
  if (runs.length === 0) return '';
  const costText = moneyColumn(runs.map(({ usage }) => usage.cost_usd));
  return columnsText(
    runs.map(({ id, status, input_type, created_at, completed_at, usage, title }) => [
      id,
      status,
      input_type,
      whenText(created_at, screen),
      completed_at === undefined ? '' : durationText(completed_at - created_at),
      `${costText(usage.cost_usd)}${usage.simulated ? ' simulated' : ''}`,
      title ?? '',
    ]),
    { heads: ['ID', 'STATUS', 'TYPE', 'CREATED', 'TOOK', 'USD', 'TITLE'], columns: screen.columns },
  );
}
