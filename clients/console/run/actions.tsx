// The actions on a run: cancel it, resume it, create a new one from its input.
import { useSignal } from '@preact/signals';
import { isApiError } from '../../sdk/index.ts';
import { type Action, useAction } from '../action.ts';
import { Dialog } from '../parts/dialog.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { link } from '../router.ts';
import { allows, type Session } from '../session.ts';
import { inFlight } from '../view-models/run-rows.ts';
import type { LiveRun } from './live-run.ts';
import { RunAgain } from './run-again.tsx';

interface Props {
  session: Session;
  live: LiveRun;
}

interface AllProps extends Props {
  /** A query became a plan, which can be edited. */
  hasReading: boolean;
  title: string;
}

export function RunActions({ session, live, hasReading, title }: AllProps) {
  const resuming = useAction();
  const { id, resumable } = live.run.value;
  return (
    <div class="actions">
      {inFlight(live.run.value) && allows(session, 'runs:cancel') && <Cancel session={session} live={live} />}
      {resumable && allows(session, 'runs:create') && (
        <Resume session={session} live={live} action={resuming} />
      )}
      {hasReading && allows(session, 'runs:create') && (
        <a class="button" href={link('new', { from: id, as: 'plan' })}>
          Edit as a plan
        </a>
      )}
      {allows(session, 'runs:create') && (
        <a class="button" href={link('new', { from: id })}>
          New run from this input
        </a>
      )}
      <RunAgain session={session} run={live.run.value} title={title} />
      {resuming.error.value !== undefined && (
        <div class="whole-row">
          <ErrorNote error={resuming.error.value} />
        </div>
      )}
    </div>
  );
}

function Cancel({ session, live }: Props) {
  const asking = useSignal(false);
  const action = useAction();
  const cancel = async () => {
    live.take(await session.client.runs.cancel(live.run.peek().id));
    asking.value = false;
  };
  return (
    <>
      <button type="button" class="danger" onClick={() => (asking.value = true)}>
        Cancel run
      </button>
      {asking.value && (
        <Dialog title="Cancel this run?" onClose={() => (asking.value = false)}>
          <p>
            The running step still ends and is billed; no further step starts. A canceled run cannot be
            resumed.
          </p>
          {action.error.value !== undefined && <ErrorNote error={action.error.value} />}
          <button
            type="button"
            class="danger"
            disabled={action.pending.value}
            onClick={() => action.start(cancel)}
          >
            {action.pending.value ? 'Canceling…' : 'Cancel the run'}
          </button>
        </Dialog>
      )}
    </>
  );
}

/** A run that reached its cost limit resumes only with a higher one. */
function Resume({ session, live, action }: Props & { action: Action }) {
  const run = live.run.value;
  const limited = run.errors.at(-1)?.code === 'cost_threshold_exceeded';
  const limit = useSignal(String((run.config.max_cost_usd ?? 0) * 2));
  const resume = async () => {
    const body = limited ? { config: { max_cost_usd: Number(limit.value) } } : {};
    try {
      live.take(await session.client.runs.resume(run.id, body));
    } catch (error) {
      // The run has changed since it was read.
      if (isApiError(error, 'run_not_resumable')) live.take(await session.client.runs.get(run.id));
      throw error;
    }
  };
  return (
    <>
      {limited && (
        <label>
          New limit, USD{' '}
          <input
            inputMode="decimal"
            value={limit.value}
            onInput={(event) => (limit.value = event.currentTarget.value)}
          />
        </label>
      )}
      <button
        type="button"
        class="primary"
        disabled={action.pending.value}
        onClick={() => action.start(resume)}
      >
        {action.pending.value ? 'Resuming…' : 'Resume'}
      </button>
    </>
  );
}
