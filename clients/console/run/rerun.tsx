// A new run that begins at a step of this one, with a changed config if wished.
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { RunConfig, RunState, StepState } from '../../sdk/index.ts';
import { useAction } from '../action.ts';
import { freshKey } from '../fresh-key.ts';
import { ConfigFields } from '../parts/config-fields.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { go, link } from '../router.ts';
import { allows, type Session } from '../session.ts';
import { inFlight } from '../view-models/run-rows.ts';

interface Props {
  session: Session;
  run: RunState;
  step: StepState;
}

/** There is one for each step from which the service would begin. */
export function RerunButton({ session, run, step }: Props) {
  const open = useSignal(false);
  const earlier = run.steps.filter(({ index }) => index < step.index);
  const ready = earlier.every(({ status }) => status === 'completed' || status === 'skipped');
  // A canceled run's step in hand still goes on.
  const ended = !inFlight(run) && run.steps.every(({ status }) => status !== 'running');
  if (!ended || !ready || !allows(session, 'runs:create')) return null;
  return (
    <>
      <button type="button" onClick={() => (open.value = true)}>
        Rerun from here <span class="unseen">step {step.index + 1}</span>
      </button>
      {open.value && (
        <Dialog title={`Rerun from step ${step.index + 1}`} onClose={() => (open.value = false)}>
          <RerunForm session={session} run={run} step={step} />
        </Dialog>
      )}
    </>
  );
}

function RerunForm({ session, run, step }: Props) {
  const config = useSignal<RunConfig>(run.config);
  // The same form sends the same request, however often it is sent.
  const idempotencyKey = useRef(freshKey());
  const action = useAction();
  const rerun = async () => {
    const body = { step_index: step.index, config: config.value };
    const { id } = await session.client.runs.rerun(run.id, body, { idempotencyKey: idempotencyKey.current });
    go(link(`runs/${id}`));
  };
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void action.start(rerun);
      }}
    >
      <p>A new run takes what the steps before “{step.title}” gave, and does the rest anew.</p>
      <ConfigFields
        session={session}
        value={config.value}
        onChange={(changed) => {
          config.value = changed;
          idempotencyKey.current = freshKey();
        }}
      />
      {action.error.value !== undefined && <ErrorNote error={action.error.value} />}
      <button class="primary" type="submit" disabled={action.pending.value}>
        {action.pending.value ? 'Starting…' : 'Start the rerun'}
      </button>
    </form>
  );
}
