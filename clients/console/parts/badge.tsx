// The status of a run, a step or a job: a word with a mark, so that color is never the only cue.
import type { JobStatus, RunStatus, StepSummary } from '../../sdk/index.ts';

type Status = RunStatus | StepSummary['status'] | JobStatus;

const marks: Readonly<Record<Status, string>> = {
  pending: '–',
  running: '●',
  paused: '‖',
  succeeded: '✓',
  completed: '✓',
  failed: '✕',
  canceled: '⊘',
  skipped: '↷',
  open: '●',
  timed_out: '✕',
  replaced: '↷',
};

interface Props {
  status: Status;
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
