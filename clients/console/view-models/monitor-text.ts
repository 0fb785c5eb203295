// Monitors and fires in words.
import type { CreateRun, Fire, ListedMonitor, Monitor, Run } from '../../sdk/index.ts';
import { requestOf } from './commands.ts';
import { counted } from './figures.ts';

/** When a monitor fires: `0 7 * * 1-5, Europe/Berlin`, `on a change of company`. */
export function triggerText(on: ListedMonitor['on']): string {
  if ('change' in on) return `on a change of ${on.change.types.join(', ')}`;
  return `${on.cron}, ${on.timezone ?? 'UTC'}`;
}

/** What became of a fire: `run`, `skipped: overlap`, `skipped: missed 4 times`. */
export function outcomeText({ outcome, reason, count }: Fire): string {
  if (reason === undefined) return outcome;
  return `${outcome}: ${reason}${count === undefined ? '' : ` ${counted(count, 'time')}`}`;
}

/** What differs from the last run: `2 added, 1 changed`. */
export function changesText({ changes }: Fire): string {
  if (!changes) return '';
  const parts = Object.entries(changes).filter(([, number]) => number > 0);
  return parts.length === 0 ? 'nothing' : parts.map(([what, number]) => `${number} ${what}`).join(', ');
}

/** A body that makes the run again, without what a monitor adds to it. */
export function bodyOf({ metadata = {}, ...run }: Pick<Run, 'input' | 'config' | 'metadata'>): CreateRun {
  const { monitor_id: _, ...pairs } = metadata;
  return requestOf({ ...run, metadata: pairs });
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
