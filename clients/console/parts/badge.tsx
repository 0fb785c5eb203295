// The status of a run or step: a word with a mark, so that color is never the only cue.
import type { RunStatus, StepSummary } from '../../sdk/index.ts';

const marks: Readonly<Record<RunStatus | StepSummary['status'], string>> = {
  pending: '–',
  running: '●',
  paused: '‖',
  succeeded: '✓',
  completed: '✓',
  failed: '✕',
  canceled: '⊘',
  skipped: '↷',
};

interface Props {
  status: RunStatus | StepSummary['status'];
  /** In place of the status. */
  text?: string | undefined;
}

export function Badge({ status, text = status }: Props) {
  return (
    <span class={`badge is-${status}`}>
      <span aria-hidden="true">{marks[status]}</span> {text}
    </span>
  );
}
