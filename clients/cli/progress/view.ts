// What is drawn of a run: a plain view of its state.

export type StepStatus = 'pending' | 'running' | 'completed' | 'failed' | 'skipped' | 'canceled';

/** A step as it is drawn. */
export interface StepView {
  index: number;
  title: string;
  status: StepStatus;
  /** Epoch ms. */
  startedAt?: number | undefined;
  durationMs?: number | undefined;
  itemsOut?: number | undefined;
  /** Items of the work in hand. */
  items?: { done: number; total: number } | undefined;
  /** The attempt that follows a failed one. */
  retry?: { attempt: number; of: number } | undefined;
  error?: string | undefined;
}

/** A run as it is drawn. */
export interface RunView {
  id: string;
  status: 'pending' | 'running' | 'paused' | 'succeeded' | 'failed' | 'canceled';
  steps: readonly StepView[];
}

/** In a status that a step leaves only when the run is resumed. */
function isFinished({ status }: StepView): boolean {
  return status !== 'pending' && status !== 'running';
}

/** Gives each step once when it is finished, and once more when a resumed run has finished it anew. */
export function finishedSteps(): (steps: readonly StepView[]) => StepView[] {
  const told = new Map<number, StepStatus>();
  return (steps) =>
    steps.filter((step) => {
      const before = told.get(step.index);
      told.set(step.index, step.status);
      return isFinished(step) && before !== step.status;
    });
}

/** Draws a run while it goes on. */
export interface Drawing {
  /** The run has changed. */
  show(view: RunView): void;
  /** Something to say between two drawings. */
  say(line: string): void;
  /** Nothing will change any more; what is redrawn is taken away. */
  end(): void;
}
