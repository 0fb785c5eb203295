// Monitors and what became of their times in words.
import type { CreateRun, Fire, ListedMonitor, Monitor, Run } from '../../sdk/index.ts';
import { requestOf } from './commands.ts';
import { cronText } from './cron-text.ts';
import { counted } from './figures.ts';

/** When a monitor runs: `Mon to Fri at 07:00, Europe/Berlin`, `on a change of company`. */
export function triggerText(on: ListedMonitor['on']): string {
  if ('change' in on) return `on a change of ${on.change.types.join(', ')}`;
  return `${cronText(on.cron)}, ${on.timezone ?? 'UTC'}`;
}

const skipped: Partial<Record<NonNullable<Fire['reason']>, string>> = {
  overlap: 'skipped, because the last run still went on',
  paused: 'skipped, because the monitor was paused',
};

/** What became of a due time: `ran`, `skipped, because the last run still went on`, `missed 4 times`. */
export function outcomeText({ outcome, reason, count }: Fire): string {
  switch (outcome) {
    case 'run':
      return 'ran';
    case 'queued':
      return 'waits for the last run to end';
    case 'skipped':
      if (reason === 'missed') return `missed ${counted(count ?? 1, 'time')}`;
      return (reason && skipped[reason]) ?? 'skipped';
    case 'refused':
      return `refused: ${reason ?? 'no reason given'}`;
  }
}

const causes: Readonly<Record<Fire['cause'], string>> = {
  schedule: 'by the clock',
  change: 'a record changed',
  request: 'by hand',
};

/** Why a monitor ran, or should have. */
export const causeText = ({ cause }: Pick<Fire, 'cause'>): string => causes[cause];

/** What happens to a due time while the last run goes on. */
export const overlapTexts: Readonly<Record<Monitor['overlap'], string>> = {
  skip: 'no other one starts',
  queue: 'the next one waits for its end',
  replace: 'it is canceled, and the next one starts',
};

/** What differs from the last run: `2 added, 1 changed`. */
export function changesText({ changes }: Fire): string {
  if (!changes) return '';
  const parts = Object.entries(changes).filter(([, number]) => number > 0);
  return parts.length === 0 ? 'nothing' : parts.map(([what, number]) => `${number} ${what}`).join(', ');
}

/** How a square of the history looks; a run that found changes stands out. */
export function squareOf(fire: Fire): 'changed' | 'ran' | 'waits' | 'skipped' | 'refused' {
  if (fire.outcome === 'queued') return 'waits';
  if (fire.outcome !== 'run') return fire.outcome;
  return Object.values(fire.changes ?? {}).some((number) => number > 0) ? 'changed' : 'ran';
}

/** A square in words; `time` is when it was due. */
export function squareText(fire: Fire, time: string): string {
  const changes = changesText(fire);
  const found = changes === '' ? '' : `; ${changes === 'nothing' ? 'nothing changed' : changes}`;
  return `${time}: ${outcomeText(fire)}, ${causeText(fire)}${found}`;
}

/** A body that makes the run again, without what a monitor adds to it. */
export function bodyOf({ metadata = {}, ...run }: Pick<Run, 'input' | 'config' | 'metadata'>): CreateRun {
  const { monitor_id: _, ...pairs } = metadata;
  return requestOf({ ...run, metadata: pairs });
}

/** A body whose runs call this webhook, or none for an empty address. */
export function withWebhook(
  { callback_url: _, config = {}, ...body }: CreateRun,
  address: string,
): CreateRun {
  const { callback_url: __, ...others } = config;
  const made = { ...others, ...(address !== '' && { callback_url: address }) };
  return Object.keys(made).length > 0 ? { ...body, config: made } : body;
}

/** What a monitor runs: the title of the plan, the query, or a dossier. */
export function runText({ run }: Monitor): string {
  switch (run.input_type) {
    case 'query':
      return run.query;
    case 'plan':
      return run.plan.title;
    case 'preset':
      return 'Dossier';
  }
}
