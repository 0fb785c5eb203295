// Follows a run to its end, with or without progress; Ctrl-C and a timeout stop the wait, never the run.
import type { Run, RunService } from '../../sdk/index.ts';
import { paintFor, redraws } from '../output/terminal.ts';
import { Problem } from '../problem.ts';
import type { Context } from '../surroundings.ts';
import { lineDrawing } from './lines.ts';
import { liveDrawing } from './live-steps.ts';
import type { Drawing } from './view.ts';

const silent: Drawing = { show() {}, end() {} };

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
  for await (const state of watch.states()) drawing.show(state);
  return watch.done();
}
