// The status of a run or step: a word with a mark, so that color is never the only cue.
import type { RunStatus, StepSummary } from '../../sdk/index.ts';

const marks: Readonly<Record<RunStatus | StepSummary['status'], string>> = {
  pending: '○',
  running: '●',
  paused: '‖',
  succeeded: '✓',
  completed: '✓',
  failed: '✕',
  canceled: '⊘',
  skipped: '↷',
};

export function Badge({ status }: { status: RunStatus | StepSummary['status'] }) {
  return (
    <span class={`badge is-${status}`}>
      <span aria-hidden="true">{marks[status]}</span> {status}
    </span>
  );
}
