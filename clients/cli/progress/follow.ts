// Follows a run to its end, with or without progress; Ctrl-C and a timeout stop the wait, never the run.
import type { Run, RunService, RunState, StepState } from '../../sdk/index.ts';
import type { Context } from '../context.ts';
import { paintFor, redraws } from '../output/terminal.ts';
import { Problem } from '../problem.ts';
import { lineDrawing } from './lines.ts';
import { liveDrawing } from './live.ts';
import { type Drawing, isStepStatus, type RunView, type StepView } from './view.ts';

const silent: Drawing = { show() {}, say() {}, end() {} };

/** How a run is followed. */
export interface Following {
  draw: boolean;
  timeoutMs?: number | undefined;
  /** The command that continues to follow it, shown when the wait ends before the run. */
  goOn: string;
}

/** The envelope of the ended run. Throws Problem `interrupted` or `timed_out`. */
export async function follow(context: Context, service: RunService, run: Run, how: Following): Promise<Run> {
  const { interrupted, stderr, env } = context;
  const signals = how.timeoutMs === undefined ? [] : [AbortSignal.timeout(how.timeoutMs)];
  const signal = AbortSignal.any([interrupted, ...signals]);
  const shown = () => (redraws(context) ? liveDrawing(stderr, paintFor(stderr, env)) : lineDrawing(stderr));
  const drawing = how.draw ? shown() : silent;
  try {
    return await drawn(service, run, drawing, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    drawing.end();
    const [exit, why] = interrupted.aborted
      ? (['interrupted', 'interrupted'] as const)
      : (['timed_out', 'timed out'] as const);
    throw new Problem(exit, `${why}; the run continues, follow it with: ${how.goOn}`);
  } finally {
    drawing.end();
  }
}

async function drawn(service: RunService, run: Run, drawing: Drawing, signal: AbortSignal): Promise<Run> {
  const watch = service.runs.watch(run.id, { signal });
  for await (const state of watch.states()) drawing.show(viewOf(state));
  return watch.done();
}

/** The view of a run's state. */
function viewOf({ id, status, steps }: RunState): RunView {
  return { id, status, steps: steps.map(stepViewOf) };
}

function stepViewOf({
  index,
  title,
  status,
  started_at,
  duration_ms,
  items_out,
  progress,
  retries,
  error,
}: StepState): StepView {
  const retry = retries?.at(-1);
  return {
    ...{ index, title, startedAt: started_at, durationMs: duration_ms, itemsOut: items_out },
    status: isStepStatus(status) ? status : 'pending',
    items: progress && { done: progress.items_done, total: progress.items_total },
    retry: retry && { attempt: retry.attempt, of: retry.max_attempts },
    error: error?.message,
  };
}
