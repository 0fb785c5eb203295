// The step that asks a job, as a link to its run.
import type { ListedJob } from '../../sdk/index.ts';
import { link } from '../router.ts';

interface Props {
  job: Pick<ListedJob, 'run_id' | 'step_index'>;
  class?: string;
}

export function StepOfRun({ job: { run_id, step_index }, ...look }: Props) {
  return (
    <a {...look} href={link(`runs/${run_id}`)}>
      step {step_index + 1} of a run
    </a>
  );
}
