// A step in words: what its bar shows, for screen readers.
import { durationText } from '../../duration-text.ts';
import type { RunEvent, StepState } from '../../sdk/index.ts';
import { valueAt } from './draft.ts';
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

/** The events about a step, in order. */
export function eventsOf(events: readonly RunEvent[], index: number): RunEvent[] {
  return events.filter(({ data }) => 'step_index' in data && data.step_index === index);
}

const READS = ['steps_to_filter', 'steps_to_transform', 'context_step_ids'] as const;

/** How many items a step reads: those of the steps that its params name. Undefined where none is named or known. */
export function itemsInto(
  steps: readonly StepState[],
  step: Pick<StepState, 'index' | 'kind'>,
  params: unknown,
): number | undefined {
  const named = READS.map((name) => valueAt(params, name)).find(Array.isArray);
  const byDefault = step.kind === 'filter' || step.kind === 'transform' ? [step.index - 1] : undefined;
  const read = named ?? byDefault;
  const counts = steps.filter(({ index }) => read?.includes(index)).map(({ items_out }) => items_out);
  return counts.length > 0 && counts.every((count) => count !== undefined)
    ? counts.reduce((sum, count) => sum + count, 0)
    : undefined;
}

/** The fields that a transform writes. */
export function madeBy(params: unknown): string[] {
  const named = valueAt(params, 'output_fields');
  return Array.isArray(named) ? named.map(String) : [];
}
