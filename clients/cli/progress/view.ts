// What is drawn of a run.

const stepStatuses = ['pending', 'running', 'completed', 'failed', 'skipped', 'canceled'] as const;
export type StepStatus = (typeof stepStatuses)[number];

/** Whether the status that a service sent is one that is drawn. */
export function isStepStatus(status: string): status is StepStatus {
  return stepStatuses.some((known) => known === status);
}

/** A step as drawn. */
export interface StepView {
  index: number;
  title: string;
  status: StepStatus;
  /** Epoch ms. */
  startedAt?: number | undefined;
  durationMs?: number | undefined;
  itemsOut?: number | undefined;
  /** Items of the running step. */
  items?: { done: number; total: number } | undefined;
  /** The attempt after a failed one. */
  retry?: { attempt: number; of: number } | undefined;
  error?: string | undefined;
}

/** A run as drawn. */
export interface RunView {
  id: string;
  status: 'pending' | 'running' | 'paused' | 'succeeded' | 'failed' | 'canceled';
  steps: readonly StepView[];
}

/** A step leaves these statuses only when the run is resumed. */
function isFinished({ status }: StepView): boolean {
  return status !== 'pending' && status !== 'running';
}

/** Returns each step once when it finishes, and again when a resumed run has finished it again. */
export function finishedSteps(): (steps: readonly StepView[]) => StepView[] {
  const seen = new Map<number, StepStatus>();
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
  show(view: RunView): void;
  /** A line between two drawings. */
  say(line: string): void;
  /** No further changes; removes what is redrawn. */
  end(): void;
}
