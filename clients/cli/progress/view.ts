// What is drawn of a run.
import type { RunState, StepState } from '../../sdk/index.ts';

/** The state of a run that is drawn. */
export type Progress = Pick<RunState, 'status' | 'steps'> & Partial<Pick<RunState, 'waiting'>>;

const FINISHED: readonly string[] = ['completed', 'failed', 'skipped', 'canceled'];

/** Whether only a resume of the run changes the step again. */
export function isFinished({ status }: StepState): boolean {
  return FINISHED.includes(status);
}

/** Returns each step once when it finishes, and again when a resumed run has finished it again. */
export function finishedSteps(): (steps: readonly StepState[]) => StepState[] {
  const seen = new Map<number, StepState['status']>();
  return (steps) =>
    steps.filter((step) => {
      const before = seen.get(step.index);
      seen.set(step.index, step.status);
      return isFinished(step) && before !== step.status;
    });
}

/** Draws a run while it is running. */
export interface Drawing {
  /** The run has changed. */
  show(progress: Progress): void;
  /** No further changes; removes what is redrawn. */
  end(): void;
}
