// Starts a new run at a step of this one, optionally with a changed config.
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { RunConfig, RunState, StepState } from '../../sdk/index.ts';
import { freshKey } from '../fresh-key.ts';
import { ActionForm } from '../parts/action.tsx';
import { ConfigFields } from '../parts/config-fields.tsx';
import { DialogButton } from '../parts/dialog-button.tsx';
import { go, link } from '../router.ts';
import { allows, type Session } from '../session.ts';
import { inFlight } from '../view-models/run-rows.ts';

interface Props {
  session: Session;
  run: RunState;
  step: StepState;
}

/** Shown for each step that the service would rerun from. */
export function RerunButton({ session, run, step }: Props) {
  const earlier = run.steps.filter(({ index }) => index < step.index);
  const ready = earlier.every(({ status }) => status === 'completed' || status === 'skipped');
  // A canceled run's current step is still running.
  const ended = !inFlight(run) && run.steps.every(({ status }) => status !== 'running');
  // The service refuses the rerun of a query; its plan can be edited and sent as a new run.
  const isQuery = run.input.input_type === 'query';
  if (!ended || !ready || isQuery || !allows(session, 'runs:create')) return null;
  return (
    <DialogButton text={`Rerun from step ${step.index + 1}`}>
      {() => <RerunForm session={session} run={run} step={step} />}
    </DialogButton>
  );
}

function RerunForm({ session, run, step }: Props) {
  const config = useSignal<RunConfig>(run.config);
  // The form always sends the same request.
  const idempotencyKey = useRef(freshKey());
  const rerun = async () => {
    const body = { step_index: step.index, config: config.value };
    const { id } = await session.client.runs.rerun(run.id, body, { idempotencyKey: idempotencyKey.current });
    go(link(`runs/${id}`));
  };
  return (
    <ActionForm act={rerun} confirm="Start the rerun" doing="Starting…">
      <p>A new run reuses the output of the steps before “{step.title}” and repeats the rest.</p>
      <ConfigFields
        session={session}
        value={config.value}
        onChange={(changed) => {
          config.value = changed;
          idempotencyKey.current = freshKey();
        }}
      />
    </ActionForm>
  );
}
