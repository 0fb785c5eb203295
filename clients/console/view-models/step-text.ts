// A step in words: what its bar shows, for screen readers.
import { durationText } from '../../duration-text.ts';
import type { StepState } from '../../sdk/index.ts';
import { counted } from './figures.ts';

/** `filter · 1.6 s · 4 items · 1 retry · attempt 2`; unknown facts are omitted. */
export function stepFacts(step: StepState, now: number): string[] {
  const { kind, status, attempt, started_at, duration_ms, items_out, progress, retries } = step;
  const lasts =
    status === 'running' && started_at !== undefined ? Math.max(now - started_at, 0) : duration_ms;
  return [
    kind.replaceAll('_', ' '),
    ...(status === 'skipped' ? ['reused'] : []),
    ...(lasts === undefined ? [] : [durationText(lasts)]),
    ...(progress === undefined ? [] : [`${progress.items_done} of ${counted(progress.items_total, 'item')}`]),
    ...(items_out === undefined ? [] : [counted(items_out, 'item')]),
    ...(retries === undefined ? [] : [counted(retries.length, 'retry', 'retries')]),
    ...(attempt > 1 ? [`attempt ${attempt}`] : []),
  ];
}
